import { randomUUID } from 'node:crypto'
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { TranslationFolders } from '../../content/translations/translation-files'
import { errorCode } from '../../errors'

type Output = ReadonlyArray<{ path: string; text: string }>

/** `locales/th/home.json` in the folders of the site. */
const fileOf = (folders: TranslationFolders, path: string): string => {
  const [root = '', ...rest] = path.split('/')
  return join(root === 'locales' ? folders.locales : folders.content, ...rest)
}

function isWritable(file: string): boolean {
  let folder = dirname(file)
  while (!existsSync(folder)) folder = dirname(folder)
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** A reader sees the old file or the new one, and never a part. */
function replaceFile(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  const temporary = `${file}.${randomUUID()}.part`
  try {
    writeFileSync(temporary, text)
    renameSync(temporary, file)
  } finally {
    rmSync(temporary, { force: true })
  }
}

/**
 * Writes all files. Returns false, without having written any, where that is not allowed: in a
 * container, for example, the folders are part of the image.
 */
export function saveTranslations(folders: TranslationFolders, output: Output): boolean {
  const files = output.map(({ path, text }) => ({ file: fileOf(folders, path), text }))
  if (!files.every(({ file }) => isWritable(file))) return false
  try {
    for (const { file, text } of files) replaceFile(file, text)
    return true
  } catch (error) {
    if (['EACCES', 'EPERM', 'EROFS', 'EISDIR', 'ENOSPC'].includes(String(errorCode(error))))
      return false
    throw error
  }
}
