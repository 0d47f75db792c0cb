import { imageLimits } from '../../shared/constants'
import { SiteError } from '../errors'
import type { ImageDatabase } from './image-database'
import { examine, type KnownSource } from './local-files'
import type { VariantStore } from './variant-store'

export type RemoteSourcesOptions = {
  db: ImageDatabase
  store: VariantStore
  fetchRemote: (url: URL) => Promise<Buffer>
  /** Downloads at once; as many again may wait. */ atOnce?: number
}

/** Place of a downloaded original among the results. */
const originalKey = (hash: string): string => `${hash.slice(0, 32)}.original`

/**
 * Pictures of other hosts. What an address held is believed for an hour; its bytes lie in the store beside the results
 * and leave it by the same rule. Vector pictures from outside are refused: what they may hold is a program, not a picture.
 */
export function createRemoteSources({
  db,
  store,
  fetchRemote,
  atOnce = imageLimits.fetches,
}: RemoteSourcesOptions): (url: URL) => Promise<KnownSource> {
  const find = db.prepare<[string, number], { hash: string }>(
    'SELECT hash FROM remotes WHERE url = ? AND until > ?',
  )
  const save = db.prepare('INSERT OR REPLACE INTO remotes VALUES (?, ?, ?)')
  const expire = db.prepare('DELETE FROM remotes WHERE until <= ?')
  const flights = new Map<string, Promise<KnownSource>>()

  const known = (bytes: Buffer): KnownSource => {
    const facts = examine(bytes)
    if (facts.format === 'svg') throw new SiteError('notAnImage')
    const { hash } = facts
    // The bytes themselves are not kept in memory: the store has them, for whoever makes the next variant.
    return { ...facts, read: async () => (await store.read(originalKey(hash))) ?? bytes }
  }

  async function download(url: URL): Promise<KnownSource> {
    const bytes = await fetchRemote(url)
    const source = known(bytes)
    await store.keep(originalKey(source.hash), bytes)
    try {
      expire.run(Date.now())
      save.run(url.href, source.hash, Date.now() + imageLimits.remoteFresh)
    } catch {
      // A ledger that cannot be written costs the next request a download.
    }
    return source
  }

  async function look(url: URL): Promise<KnownSource> {
    const row = find.get(url.href, Date.now())
    const bytes = row ? await store.read(originalKey(row.hash)) : null
    return bytes ? known(bytes) : download(url)
  }

  return function findRemote(url) {
    const before = flights.get(url.href)
    if (before) return before
    if (flights.size >= 2 * atOnce)
      throw new SiteError('imagesBusy', undefined, { 'Retry-After': '2' })
    const flight = look(url).finally(() => flights.delete(url.href))
    flights.set(url.href, flight)
    return flight
  }
}
