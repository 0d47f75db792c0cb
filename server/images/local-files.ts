import { createHash } from 'node:crypto'
import { readFile, realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { LRUCache } from 'lru-cache'
import { imageLimits } from '../../shared/constants'
import { SiteError } from '../errors'
import { readImageFacts, type ImageFacts } from '../content/image-facts'

/** A picture whose bytes are known: `hash` is the SHA-256 of its content (hexadecimal). */
export type KnownSource = ImageFacts & { hash: string; read: () => Promise<Buffer> }

/** How long a file's stat is believed (ms): long enough to take load off a busy address, short enough for an author. */
const statFor = 250
const missing: ReadonlySet<string | undefined> = new Set([
  'ENOENT',
  'ENOTDIR',
  'EISDIR',
  'ENAMETOOLONG',
])

/** Facts of downloaded or read bytes. Throws 413 and 415 as decisions 10 say. */
export function examine(bytes: Buffer): ImageFacts & { hash: string } {
  if (bytes.length > imageLimits.sourceBytes) throw new SiteError('imageTooLarge')
  const facts = readImageFacts(bytes)
  if (!facts) throw new SiteError('notAnImage')
  const vector = facts.format === 'svg'
  if (
    facts.width * facts.height > imageLimits.pixels ||
    (vector && bytes.length > imageLimits.vectorBytes)
  )
    throw new SiteError('imageTooLarge')
  // Entities are what bombs and readers of foreign files are made of; no drawing needs them.
  if (vector && /<!(?:DOCTYPE|ENTITY)/i.test(bytes.toString('utf8')))
    throw new SiteError('notAnImage')
  return { ...facts, hash: createHash('sha256').update(bytes).digest('hex') }
}

type Known = { stamp: string; source: KnownSource; checked: number }

/**
 * Finds pictures below a folder: by path with `/`, contained in the folder also where links lead out of it. What was
 * read once is known until the file changes. Throws 404, 413 or 415.
 */
export function createLocalFiles(folder: string): (path: string) => Promise<KnownSource> {
  const known = new LRUCache<string, Known>({ max: 5000 })

  async function look(path: string): Promise<KnownSource> {
    const file = await realpath(join(folder, path))
    const root = await realpath(folder)
    if (!file.startsWith(root + sep)) throw new SiteError('notFound')
    const found = await stat(file)
    const { mtimeMs, size, ino } = found
    if (!found.isFile()) throw new SiteError('notFound')
    const stamp = `${mtimeMs} ${size} ${ino}`
    const before = known.get(path)
    if (before?.stamp === stamp) {
      before.checked = performance.now()
      return before.source
    }
    if (size > imageLimits.sourceBytes) throw new SiteError('imageTooLarge')
    const source = { ...examine(await readFile(file)), read: () => readFile(file) }
    known.set(path, { stamp, source, checked: performance.now() })
    return source
  }

  return async function findLocal(path) {
    const before = known.get(path)
    if (before && performance.now() - before.checked < statFor) return before.source
    try {
      return await look(path)
    } catch (error) {
      if (missing.has((error as NodeJS.ErrnoException).code)) throw new SiteError('notFound')
      throw error
    }
  }
}
