import { randomUUID } from 'node:crypto'
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
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
  // A file cannot replace a folder.
  if (existsSync(file) && statSync(file).isDirectory()) return false
  let folder = dirname(file)
  while (!existsSync(folder)) folder = dirname(folder)
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/**
 * Writes all files. Returns false, without having replaced any, where that is not allowed: in a
 * container, for example, the folders are part of the image. All texts are on disk before the first
 * file is replaced, so a full disk replaces none. A reader sees the old file or the new one, and
 * never a part.
 */
export function saveTranslations(folders: TranslationFolders, output: Output): boolean {
  const files = output.map(({ path, text }) => ({ file: fileOf(folders, path), text }))
  if (!files.every(({ file }) => isWritable(file))) return false
  const written: Array<{ temporary: string; file: string }> = []
  try {
    for (const { file, text } of files) {
      mkdirSync(dirname(file), { recursive: true })
      const temporary = `${file}.${randomUUID()}.part`
      written.push({ temporary, file })
      writeFileSync(temporary, text)
    }
    for (const { temporary, file } of written) renameSync(temporary, file)
    return true
  } catch (error) {
    if (['EACCES', 'EPERM', 'EROFS', 'ENOSPC'].includes(String(errorCode(error)))) return false
    throw error
  } finally {
    for (const { temporary } of written) rmSync(temporary, { force: true })
  }
}
