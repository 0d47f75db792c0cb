import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { LRUCache } from 'lru-cache'

const brotli = promisify(brotliCompress)
const gzipped = promisify(gzip)

export type Encoding = 'br' | 'gzip' | 'identity'
export const encodings: readonly Encoding[] = ['br', 'gzip', 'identity']

/** A finished answer: everything that is sent, but for the age in `Cache-Status`. */
export type StoredPage = {
  status: number
  headers: Readonly<Record<string, string>>
  body: Buffer
  /** Compressed forms, once they are made. */
  encoded: Readonly<Partial<Record<Encoding, Buffer>>>
  /** Of the identity form; others add their encoding, because a strong validator names the bytes. */
  etag: string
  storedAt: number
  tags: readonly string[]
}

export type PageCacheOptions = { maxBytes: number; ttl: number; now?: () => number }
export type PageCache = ReturnType<typeof createPageCache>

const overhead = 1024

/** Bytes that an entry holds: all its forms and its headers. */
const sizeOf = (page: StoredPage): number =>
  Object.entries(page.headers).reduce((sum, [name, value]) => sum + name.length + value.length, overhead) + page.body.length + Object.values(page.encoded).reduce((sum, form) => sum + form.length, 0)

export const entityTag = (body: Buffer, salt: string): string => createHash('sha256').update(salt).update(body).digest('base64url').slice(0, 22)

/**
 * Finished pages by key, bounded by bytes, least recently used first out. A page that is changed by a purge while it is
 * being rendered is not stored: every render carries the number of purges it began after.
 */
export function createPageCache({ maxBytes, ttl, now = Date.now }: PageCacheOptions) {
  const entries = maxBytes > 0 ? new LRUCache<string, StoredPage>({ maxSize: maxBytes, sizeCalculation: sizeOf }) : null
  let purges = 0

  return {
    enabled: entries !== null,
    get: (key: string): StoredPage | undefined => entries?.get(key),
    /** Seconds that an entry is still fresh; negative when it has expired. */
    ttlOf: (page: StoredPage): number => Math.floor((page.storedAt + ttl - now()) / 1000),
    /** Taken before a render begins, given back when its result is stored. */
    mark: (): number => purges,
    /** Stores a page unless something was purged since `mark`. Tells whether it is stored. */
    store(key: string, page: StoredPage, mark: number): boolean {
      if (!entries || mark !== purges) return false
      entries.set(key, page)
      return entries.has(key)
    },
    /** Makes the compressed forms once, after the answer that stored the page. */
    async compress(key: string, page: StoredPage): Promise<void> {
      const [br, gz] = await Promise.all([
        brotli(page.body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: page.body.length } }),
        gzipped(page.body, { level: 6 }),
      ])
      // A new object: the cache measures again only what is new, and the bound shall hold for the true bytes.
      if (entries?.peek(key) === page) entries.set(key, { ...page, encoded: { br, gzip: gz } })
    },
    /** Drops what bears one of the tags; answers how many entries. */
    purgeTags(tags: readonly string[]): number {
      purges += 1
      let purged = 0
      for (const [key, page] of entries?.entries() ?? []) {
        if (!page.tags.some((tag) => tags.includes(tag))) continue
        entries?.delete(key)
        purged += 1
      }
      return purged
    },
    purgeAll(): number {
      purges += 1
      const { size = 0 } = entries ?? {}
      entries?.clear()
      return size
    },
    stats: (): { entries: number; bytes: number } => ({ entries: entries?.size ?? 0, bytes: entries?.calculatedSize ?? 0 }),
  }
}
