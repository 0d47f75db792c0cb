import { createHash } from 'node:crypto'
import { imageLimits } from '../../shared/constants'
import { SiteError } from '../errors'
import type { ImageDatabase } from './image-database'
import { inspectImage, type SourceImage } from './local-sources'
import { createSemaphore } from './semaphore'
import type { VariantStore } from './variant-store'

type RemoteSourcesOptions = {
  db: ImageDatabase
  store: VariantStore
  fetchRemote: (url: URL) => Promise<Buffer>
  /** Downloads that run at the same time; as many again may wait. */
  maxConcurrent?: number
}

/** Key of a URL in the table `remotes`. */
const urlKey = ({ href }: URL): string => createHash('sha256').update(href).digest('hex')
/** Key of a downloaded original in the variant store. */
const originalKey = (hash: string): string => `${hash.slice(0, 32)}.original`

/**
 * Returns a function that finds images on other hosts. The content of a URL is reused for an hour;
 * its bytes are kept in the variant store and evicted like variants. Remote SVG files are refused,
 * because an SVG can contain scripts. The function rejects with what `fetchRemote` throws, 413,
 * 415, and 503 when too many downloads wait.
 */
export function createRemoteSources({
  db,
  store,
  fetchRemote,
  maxConcurrent = imageLimits.maxConcurrentFetches,
}: RemoteSourcesOptions): (url: URL) => Promise<SourceImage> {
  const find = db.prepare<[string, number], { hash: string }>(
    'SELECT hash FROM remotes WHERE url = ? AND until > ?',
  )
  const save = db.prepare('INSERT OR REPLACE INTO remotes VALUES (?, ?, ?)')
  const deleteExpired = db.prepare('DELETE FROM remotes WHERE until <= ?')
  // Many hosts ignore the query, so a visitor can invent any number of URLs of a picture.
  const deleteOldest = db.prepare(
    'DELETE FROM remotes WHERE url IN (SELECT url FROM remotes ORDER BY until DESC LIMIT -1 OFFSET ?)',
  )
  const inFlight = new Map<string, Promise<SourceImage>>()
  const slots = createSemaphore(maxConcurrent)
  let downloads = 0

  function sourceOf(bytes: Buffer): SourceImage {
    const facts = inspectImage(bytes)
    if (facts.format === 'svg') throw new SiteError('notAnImage')
    // The next variant reads the bytes from the store. `bytes` is the fallback if they were
    // evicted.
    return { ...facts, read: async () => (await store.read(originalKey(facts.hash))) ?? bytes }
  }

  async function download(url: URL): Promise<SourceImage> {
    const bytes = await fetchRemote(url)
    const source = sourceOf(bytes)
    await store.write(originalKey(source.hash), bytes)
    try {
      deleteExpired.run(Date.now())
      save.run(urlKey(url), source.hash, Date.now() + imageLimits.remoteTtlMs)
      deleteOldest.run(imageLimits.maxRemotes)
    } catch {
      // If the database cannot be written, the next request downloads the image again.
    }
    return source
  }

  async function downloadInTurn(url: URL): Promise<SourceImage> {
    if (downloads >= 2 * maxConcurrent)
      throw new SiteError('imagesBusy', undefined, { 'Retry-After': '2' })
    downloads += 1
    await slots.acquire()
    try {
      return await download(url)
    } finally {
      downloads -= 1
      slots.release()
    }
  }

  async function load(url: URL): Promise<SourceImage> {
    const row = find.get(urlKey(url), Date.now())
    const bytes = row ? await store.read(originalKey(row.hash)) : null
    return bytes ? sourceOf(bytes) : downloadInTurn(url)
  }

  return function findRemote(url) {
    const running = inFlight.get(url.href)
    if (running) return running
    const source = load(url).finally(() => inFlight.delete(url.href))
    inFlight.set(url.href, source)
    return source
  }
}
