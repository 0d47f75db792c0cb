import { createHash } from 'node:crypto'
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { extname, join, sep } from 'node:path'
import { imageLimits } from '../../../shared/constants'
import type { Picture } from '../../../shared/images'
import { readImageFacts } from '../image-facts'
import type { SourceFile } from './scan'
import type { Place } from './text-place'

/** A picture that a text names, or why it cannot be shown; for the author. */
export type ReadPicture = (
  source: string,
  size?: { width: number; height: number },
) => Picture | { reason: string }
export type PictureFolders = { content: string; public: string }

/** Beside a text, or in `public/`: what the image proxy can find again. */
const besideText = /^(?:\.\/)?([\w][\w.-]*)$/
const pictureFile = /\.(?:avif|webp|png|jpe?g|gif|svg)$/i
export const isPictureFile = (path: string): boolean => pictureFile.test(path)

/** Changes whenever a picture of an article's folder does: the text is then compiled again, with its new size and version. */
export function pictureStamp(files: readonly SourceFile[]): string {
  if (files.length === 0) return ''
  return createHash('sha256')
    .update(files.map(({ path, modified, size }) => `${path} ${modified} ${size}`).join('\n'))
    .digest('hex')
    .slice(0, 8)
}

/** Whether a file of a folder is there, and really below it: a link may lead out. */
export function isInside(root: string, path: string): boolean {
  const file = join(root, path)
  return existsSync(file) && realpathSync(file).startsWith(realpathSync(root) + sep)
}

function inspect(
  root: string,
  path: string,
): Pick<Picture, 'width' | 'height' | 'version'> | { reason: string } {
  const file = join(root, path)
  if (!isInside(root, path)) return { reason: `${path} is not there` }
  if (statSync(file).size > imageLimits.sourceBytes)
    return { reason: `${path} is larger than 20 MB` }
  const bytes = readFileSync(file)
  const facts = readImageFacts(bytes)
  if (!facts) return { reason: `${path} is no picture` }
  if (facts.width * facts.height > imageLimits.pixels)
    return { reason: `${path} has more than 50 megapixels` }
  return {
    width: facts.width,
    height: facts.height,
    version: createHash('sha256').update(bytes).digest('hex').slice(0, 12),
  }
}

/** `shot.th.png` stands in for `shot.png` in Thai texts, where it is there: pictures of screens differ by language. */
function inLanguage(content: string, { collection, id, locale }: Place, name: string): string {
  const extension = extname(name)
  const own = `${collection}/${id}/${name.slice(0, -extension.length)}.${locale}${extension}`
  return extension !== '' && existsSync(join(content, own)) ? own : `${collection}/${id}/${name}`
}

/** Reads the pictures of one text. A remote one is not fetched while compiling, so its author states its size. */
export function createPictureReader({
  content,
  public: publicFolder,
}: PictureFolders): (place: Place) => ReadPicture {
  return (place) => (source, size) => {
    if (/^https?:\/\//.test(source))
      return size
        ? { provider: 'remote', source, ...size }
        : { reason: `${source}: a picture of another site needs its size as title: "=640x360"` }
    const beside = besideText.exec(source)?.[1]
    if (beside === undefined && !/^\/(?![/\\])/.test(source))
      return {
        reason: `${source}: a picture lies beside the text, below public/, or has an http(s) address`,
      }
    const path = beside === undefined ? source : inLanguage(content, place, beside)
    if (path.split('/').some((part) => part.startsWith('.')))
      return { reason: `${source}: not a path of a picture` }
    const facts = inspect(beside === undefined ? publicFolder : content, path)
    return 'reason' in facts
      ? facts
      : { provider: beside === undefined ? 'public' : 'content', source: path, ...facts }
  }
}
