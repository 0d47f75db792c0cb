import { LRUCache } from 'lru-cache'
import { pages as pageLimits } from '../../shared/constants'
import type { Background } from './background-jobs'
import { prepareAnswer, type PreparedAnswer } from './prepared-answer'
import { sizeOfAnswer, type StoredAnswer } from './stored-answer'

export type CacheEntry = {
  prepared: PreparedAnswer
  /** How often the entry was served. */
  hits: number
  /** The highest Brotli level has been requested. */
  isRecompressed: boolean
  /** From then on the entry is stale (ms since 1970). */
  expiresAt: number
  /** From then on the entry is to be renewed (ms since 1970). */
  renewAt: number
  renewalFailed: boolean
  /**
   * `Cache-Status` for the remaining seconds of its last hit, so that one text serves all hits of a
   * second.
   */
  cacheStatus: { second: number; text: string }
}

type AnswerCacheOptions = {
  /** 0: no cache. */
  maxBytes: number
  ttlMs: number
  now?: () => number
  background: Pick<Background, 'compress' | 'compressHot'>
  /**
   * Called with each stored answer when its compressed forms are ready, unless it was purged
   * meanwhile.
   */
  onCompressed?: (key: string, answer: StoredAnswer) => void
  onError?: (error: unknown) => void
}
export type AnswerCache = ReturnType<typeof createAnswerCache>

/** Whether a purge concerns an entry. */
export type PurgeMatcher = (key: string, answer: StoredAnswer) => boolean

const smallMaxBytes = 8 * 1024 * 1024
const smallMaxEntries = 4096

/** After so many hits, an answer is worth the highest compression. */
const hotHits = 32

/**
 * The entries: pages, and apart from them 404s and redirects, so that a flood of those evicts no
 * page.
 */
function createEntryStores(maxBytes: number, now: () => number) {
  const sizeCalculation = ({ prepared }: CacheEntry, key: string): number =>
    sizeOfAnswer(prepared.answer) + key.length
  const pages = new LRUCache<string, CacheEntry>({
    maxSize: Math.max(maxBytes, 1),
    sizeCalculation,
  })
  const small = new LRUCache<string, CacheEntry>({
    maxSize: smallMaxBytes,
    max: smallMaxEntries,
    sizeCalculation,
  })
  let purges = 0
  // What was stored before this process started may have been purged meanwhile.
  let purgedAt = now()
  return {
    pages,
    get: (key: string): CacheEntry | undefined => pages.get(key) ?? small.get(key),
    peek: (key: string): CacheEntry | undefined => pages.peek(key) ?? small.peek(key),
    /** Returns false when the answer is too large to be stored. */
    set: (key: string, entry: CacheEntry): boolean => {
      const isPage = entry.prepared.answer.status === 200
      const store = isPage ? pages : small
      // A key has one answer: a page that has become a 404, or the reverse, leaves nothing behind.
      ;(isPage ? small : pages).delete(key)
      store.set(key, entry)
      return store.has(key)
    },
    delete: (key: string): void => {
      pages.delete(key)
      small.delete(key)
    },
    /**
     * Deletes the matching pages, and all 404s and redirects, because those depend on content that
     * does not exist yet. Returns the number of matching entries.
     */
    purge: (matches: PurgeMatcher): number => {
      purges += 1
      purgedAt = now()
      const isMatch = ([key, { prepared }]: [string, CacheEntry]): boolean =>
        matches(key, prepared.answer)
      const matchingPages = [...pages.entries()].filter(isMatch)
      const matchingSmall = [...small.entries()].filter(isMatch)
      for (const [key] of matchingPages) pages.delete(key)
      small.clear()
      return matchingPages.length + matchingSmall.length
    },
    purgeCount: (): number => purges,
    purgedAt: (): number => purgedAt,
    list: (): Array<{ key: string; entry: CacheEntry }> =>
      [...pages.entries(), ...small.entries()].map(([key, entry]) => ({ key, entry })),
    stats: () => ({
      entries: pages.size,
      bytes: pages.calculatedSize,
      maxBytes,
      small: { entries: small.size, bytes: small.calculatedSize, maxBytes: smallMaxBytes },
    }),
  }
}

/** Compresses stored pages in the background. */
function createCompressor(
  pages: LRUCache<string, CacheEntry>,
  {
    background,
    onCompressed = () => undefined,
    onError = () => undefined,
  }: Pick<AnswerCacheOptions, 'background' | 'onCompressed' | 'onError'>,
) {
  /**
   * Returns false when the entry has been purged or replaced meanwhile. Setting it again counts the
   * bytes of its new forms.
   */
  function replace(key: string, entry: CacheEntry, answer: StoredAnswer): boolean {
    if (pages.peek(key) !== entry) return false
    pages.set(key, { ...entry, prepared: prepareAnswer(answer) })
    return true
  }

  async function compress(
    key: string,
    entry: CacheEntry,
    onReady: (answer: StoredAnswer) => void,
  ): Promise<void> {
    const { answer } = entry.prepared
    const compressed = { ...answer, encoded: await background.compress(answer) }
    // A copy of a purged page must not be written after it was deleted.
    if (!replace(key, entry, compressed)) return
    onCompressed(key, compressed)
    onReady(compressed)
  }

  async function recompress(key: string, answer: StoredAnswer): Promise<void> {
    const encoded = await background.compressHot(answer)
    const entry = pages.peek(key)
    if (entry?.prepared.answer === answer) replace(key, entry, { ...answer, encoded })
  }

  return {
    /** Adds the compressed forms. */
    compress: (key: string, entry: CacheEntry, onReady: (answer: StoredAnswer) => void): void =>
      void compress(key, entry, onReady).catch(onError),
    /** Once an entry is hot, compresses it further. */
    recompressIfHot: (key: string, entry: CacheEntry): void => {
      const { answer } = entry.prepared
      if (entry.hits <= hotHits || entry.isRecompressed || !answer.encoded.br) return
      entry.isRecompressed = true
      void recompress(key, answer).catch(onError)
    },
  }
}

function createEntry(answer: StoredAnswer, ttlMs: number): CacheEntry {
  const expiresAt = answer.storedAt + ttlMs
  return {
    prepared: prepareAnswer(answer),
    hits: 0,
    isRecompressed: false,
    expiresAt,
    renewAt: expiresAt,
    renewalFailed: false,
    cacheStatus: { second: Number.NaN, text: '' },
  }
}

/**
 * Until when the entry may be served (ms since 1970): a stale page for another day, a 404 or
 * redirect only while fresh.
 */
const usableUntil = ({ expiresAt, prepared }: CacheEntry): number =>
  expiresAt + (prepared.answer.status === 200 ? pageLimits.staleSeconds * 1000 : 0)

function cacheStatusAt(entry: CacheEntry, now: number): string {
  const second = Math.floor((entry.expiresAt - now) / 1000)
  if (entry.cacheStatus.second !== second) {
    const detail = entry.renewalFailed ? '; detail=error' : ''
    entry.cacheStatus = { second, text: `site; hit; ttl=${second}${detail}` }
  }
  return entry.cacheStatus.text
}

function postponeRenewal(entry: CacheEntry, now: number, failed = entry.renewalFailed): void {
  entry.renewalFailed = failed
  entry.renewAt = now + pageLimits.renewalPauseMs
  // The text holds whether the renewal failed.
  entry.cacheStatus.second = Number.NaN
}

/** The entry of a copy from disk: stale, and its renewal has just failed. */
function createFailedEntry(answer: StoredAnswer, ttlMs: number, now: number): CacheEntry {
  const entry = createEntry(answer, ttlMs)
  entry.expiresAt = Math.min(entry.expiresAt, now - 1)
  postponeRenewal(entry, now, true)
  return entry
}

/**
 * Finished answers by key (`cache-keys.ts`), bounded by bytes, least recently used out first. An
 * answer that was begun before a purge is not stored, because it may show what was purged: every
 * caller passes the purge count from when it began.
 */
export function createAnswerCache({
  maxBytes,
  ttlMs,
  now = Date.now,
  ...compression
}: AnswerCacheOptions) {
  const enabled = maxBytes > 0
  const stores = createEntryStores(maxBytes, now)
  const { compress, recompressIfHot } = createCompressor(stores.pages, compression)
  const counts = { hits: 0, misses: 0, stored: 0 }

  /** An entry that may be served, fresh or stale. Counts as a hit. */
  function get(key: string): CacheEntry | undefined {
    const entry = enabled ? stores.get(key) : undefined
    if (!entry || now() > usableUntil(entry)) return undefined
    entry.hits += 1
    counts.hits += 1
    recompressIfHot(key, entry)
    return entry
  }

  /**
   * Stores an answer. Null when something was purged since `purgesAtStart`, or when the answer is
   * too large. A page is then compressed, and `onReady` gets the answer with its compressed forms.
   */
  function store(
    key: string,
    answer: StoredAnswer,
    purgesAtStart: number,
    onReady: (answer: StoredAnswer) => void = () => undefined,
  ): CacheEntry | null {
    if (!enabled || purgesAtStart !== stores.purgeCount()) return null
    const entry = createEntry(answer, ttlMs)
    if (!stores.set(key, entry)) return null
    counts.stored += 1
    if (answer.status === 200) compress(key, entry, onReady)
    return entry
  }

  return {
    enabled,
    get,
    /** An entry, without counting a hit. */
    peek: stores.peek,
    store,
    /** Stores a copy from disk, to be served while its renewal fails. */
    restore: (key: string, answer: StoredAnswer): CacheEntry => {
      const entry = createFailedEntry(answer, ttlMs, now())
      if (enabled) stores.pages.set(key, entry)
      return entry
    },
    delete: stores.delete,
    /**
     * `Cache-Status` of a hit (RFC 9211). `ttl`: the seconds until it expires, negative afterwards.
     */
    cacheStatusOf: (entry: CacheEntry): string => cacheStatusAt(entry, now()),
    isRenewalDue: (entry: CacheEntry): boolean => now() >= entry.renewAt,
    /** A renewal has begun, or has failed (`failed` true): the next one is due after a pause. */
    postponeRenewal: (key: string, failed?: boolean): void => {
      const entry = stores.pages.peek(key)
      if (entry) postponeRenewal(entry, now(), failed)
    },
    hitCount: (): number => counts.hits,
    countMiss: (): void => void (counts.misses += 1),
    /** The purges so far. Read it before making an answer, and pass it to `store`. */
    purgeCount: stores.purgeCount,
    /** When something was purged last (ms since 1970). */
    purgedAt: stores.purgedAt,
    /** Deletes the entries that match, and returns their number. */
    purge: stores.purge,
    list: stores.list,
    stats: () => ({ ...stores.stats(), ...counts }),
  }
}
