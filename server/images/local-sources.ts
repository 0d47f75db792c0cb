import { createHash } from 'node:crypto'
import { readFile, realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { LRUCache } from 'lru-cache'
import { imageLimits } from '../../shared/constants'
import { errorCode, SiteError } from '../errors'
import { readImageFacts, type ImageFacts } from '../content/image-facts'

/** An image to make variants from. `hash` is the SHA-256 of its content (hexadecimal). */
export type SourceImage = ImageFacts & { hash: string; read: () => Promise<Buffer> }

/**
 * How long the result of a `stat` is reused: long enough to save system calls on a busy address,
 * short enough that authors see a changed file at once.
 */
const statTtlMs = 250
const notFoundCodes: readonly unknown[] = ['ENOENT', 'ENOTDIR', 'EISDIR', 'ENAMETOOLONG']

/** Format, size and hash of an image. Throws 413 or 415 (limits: spec 10.1). */
export function inspectImage(bytes: Buffer): ImageFacts & { hash: string } {
  if (bytes.length > imageLimits.maxSourceBytes) throw new SiteError('imageTooLarge')
  const facts = readImageFacts(bytes)
  if (!facts) throw new SiteError('notAnImage')
  const isVector = facts.format === 'svg'
  if (
    facts.width * facts.height > imageLimits.maxPixels ||
    (isVector && bytes.length > imageLimits.maxVectorBytes)
  )
    throw new SiteError('imageTooLarge')
  // XML entities can expand without bound and can read files of the machine. Drawings need none.
  if (isVector && /<!(?:DOCTYPE|ENTITY)/i.test(bytes.toString('utf8')))
    throw new SiteError('notAnImage')
  return { ...facts, hash: createHash('sha256').update(bytes).digest('hex') }
}

type CachedSource = { stamp: string; source: SourceImage; checkedAt: number }

/**
 * Returns a function that finds images below a folder by their path with `/`. Symbolic links that
 * lead out of the folder are refused. A file is read again only after it has changed.
 * The function throws 404, 413 or 415.
 */
export function createLocalSources(folder: string): (path: string) => Promise<SourceImage> {
  const cache = new LRUCache<string, CachedSource>({ max: 5000 })

  async function load(path: string): Promise<SourceImage> {
    const file = await realpath(join(folder, path))
    const root = await realpath(folder)
    if (!file.startsWith(root + sep)) throw new SiteError('notFound')
    const stats = await stat(file)
    if (!stats.isFile()) throw new SiteError('notFound')
    const { mtimeMs, size, ino } = stats
    const stamp = `${mtimeMs} ${size} ${ino}`
    const cached = cache.get(path)
    if (cached?.stamp === stamp) {
      cached.checkedAt = performance.now()
      return cached.source
    }
    if (size > imageLimits.maxSourceBytes) throw new SiteError('imageTooLarge')
    const source = { ...inspectImage(await readFile(file)), read: () => readFile(file) }
    cache.set(path, { stamp, source, checkedAt: performance.now() })
    return source
  }

  return async function findLocal(path) {
    const cached = cache.get(path)
    if (cached && performance.now() - cached.checkedAt < statTtlMs) return cached.source
    try {
      return await load(path)
    } catch (error) {
      if (notFoundCodes.includes(errorCode(error))) throw new SiteError('notFound')
      throw error
    }
  }
}
