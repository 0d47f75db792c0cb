import { createHash } from 'node:crypto'
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { extname, join, sep } from 'node:path'
import { imageLimits } from '../../../shared/constants'
import type { Picture } from '../../../shared/images'
import { readImageFacts } from '../image-facts'
import { unreadable } from './read-source'
import { isLink, linkReason, type SourceFile } from './scan-tree'
import type { ArticleKey } from './content-path'

/** Reads a picture that an article names. The reason why it cannot be shown is for the author. */
export type ReadPicture = (
  source: string,
  size?: { width: number; height: number },
) => Picture | { reason: string }
type PictureFolders = { content: string; public: string }

const fileBesideArticle = /^(?:\.\/)?([\w][\w.-]*)$/
const pictureExtension = /\.(?:avif|webp|png|jpe?g|gif|svg)$/i
export const isPictureFile = (path: string): boolean => pictureExtension.test(path)

/**
 * Changes with the pictures in an article's folder. The article is then compiled again, because it
 * contains their sizes and versions.
 */
export function pictureStamp(files: readonly SourceFile[]): string {
  if (files.length === 0) return ''
  return createHash('sha256')
    .update(files.map(({ path, modified, size }) => `${path} ${modified} ${size}`).join('\n'))
    .digest('hex')
    .slice(0, 8)
}

/** Whether a file exists and is really inside the root; a symbolic link may lead out of it. */
function isInside(root: string, path: string): boolean {
  const file = join(root, path)
  return existsSync(file) && realpathSync(file).startsWith(realpathSync(root) + sep)
}

function inspectPicture(
  root: string,
  path: string,
): Pick<Picture, 'width' | 'height' | 'version'> | { reason: string } {
  const file = join(root, path)
  if (!isInside(root, path)) return { reason: `${path} is not there` }
  if (statSync(file).size > imageLimits.maxSourceBytes)
    return { reason: `${path} is larger than 20 MB` }
  let bytes: Buffer
  try {
    bytes = readFileSync(file)
  } catch (error) {
    return { reason: `${path} ${unreadable(error)}` }
  }
  const facts = readImageFacts(bytes)
  if (!facts) return { reason: `${path} is not a picture` }
  if (facts.width * facts.height > imageLimits.maxPixels)
    return { reason: `${path} has more than 50 megapixels` }
  return {
    width: facts.width,
    height: facts.height,
    version: createHash('sha256').update(bytes).digest('hex').slice(0, 12),
  }
}

/** `shot.th.png` for `shot.png` in Thai articles, if it exists: screenshots show a language. */
function localizedPath(
  content: string,
  { collection, id, locale }: ArticleKey,
  name: string,
): string {
  const extension = extname(name)
  const localized = `${collection}/${id}/${name.slice(0, -extension.length)}.${locale}${extension}`
  return extension !== '' && existsSync(join(content, localized))
    ? localized
    : `${collection}/${id}/${name}`
}

/**
 * Reads the pictures of one article: files beside it, files of `public/`, and remote ones, which
 * are not fetched while compiling, so the author states their size.
 */
export function createPictureReader({
  content,
  public: publicFolder,
}: PictureFolders): (key: ArticleKey) => ReadPicture {
  return (key) => (source, size) => {
    if (/^https?:\/\//.test(source))
      return size
        ? { provider: 'remote', source, ...size }
        : { reason: `${source}: a picture of another site needs its size as title: "=640x360"` }
    const fileName = fileBesideArticle.exec(source)?.[1]
    if (fileName === undefined && !/^\/(?![/\\])/.test(source))
      return {
        reason: `${source}: a picture is a file beside the text, a path of public/ or an http(s) URL`,
      }
    const path = fileName === undefined ? source : localizedPath(content, key, fileName)
    if (path.split('/').some((part) => part.startsWith('.')))
      return { reason: `${source}: not a path of a picture` }
    const provider = fileName === undefined ? 'public' : 'content'
    if (provider === 'content' && isLink(join(content, path)))
      return { reason: `${path} ${linkReason}` }
    const facts = inspectPicture(provider === 'public' ? publicFolder : content, path)
    return 'reason' in facts ? facts : { provider, source: path, ...facts }
  }
}
