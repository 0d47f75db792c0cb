import { LRUCache } from 'lru-cache'
import { pages } from '../../shared/constants'
import { compressAnswer, compressHard } from './compress-answer'
import { prepareAnswer, type PreparedAnswer } from './prepared-answer'
import { sizeOfAnswer, type StoredAnswer } from './stored-answer'

/** An answer in the cache. */
export type Entry = {
  prepared: PreparedAnswer
  /** How often it was served, and whether it has been compressed as far as can be. */
  hits: number
  squeezed: boolean
  /** From then on it is stale (ms since 1970); a renewal is due from `renewAt` on. */
  expiresAt: number
  renewAt: number
  /** Its last renewal failed. */
  failed: boolean
  /** `Cache-Status` of the second that it was last served in. */
  status: { second: number; text: string }
}

/** `maxBytes` 0: no cache at all. `ttl` in ms. `keep` is told of what is stored, once it is compressed. */
export type AnswerCacheOptions = {
  maxBytes: number
  ttl: number
  now?: () => number
  keep?: (key: string, answer: StoredAnswer) => void
  onError?: (error: unknown) => void
}
export type AnswerCache = ReturnType<typeof createAnswerCache>

/** 404s and redirects live apart, so that a flood of them drives no page out. */
const smallBytes = 8 * 1024 * 1024
const smallEntries = 4096

/** As often as this, and an answer is worth the highest compression. */
const hotHits = 32

/**
 * Finished answers by key: the language host, a space, and the canonical request target. Bounded by bytes, least
 * recently used first out. What is changed by a purge while it is being made is not stored: every render carries the
 * number of purges it began after.
 */
export function createAnswerCache({
  maxBytes,
  ttl,
  now = Date.now,
  keep = () => undefined,
  onError = () => undefined,
}: AnswerCacheOptions) {
  const enabled = maxBytes > 0
  const entries = new LRUCache<string, Entry>({
    maxSize: Math.max(maxBytes, 1),
    sizeCalculation: ({ prepared }, key) => sizeOfAnswer(prepared.answer) + key.length,
  })
  const small = new LRUCache<string, Entry>({
    maxSize: smallBytes,
    max: smallEntries,
    sizeCalculation: ({ prepared }, key) => sizeOfAnswer(prepared.answer) + key.length,
  })
  const counts = { hits: 0, misses: 0, stored: 0 }
  let purges = 0
  let squeezing = Promise.resolve()

  const storeOf = (status: number): LRUCache<string, Entry> => (status === 200 ? entries : small)
  const entryOf = (answer: StoredAnswer): Entry => {
    const expiresAt = answer.storedAt + ttl
    return {
      prepared: prepareAnswer(answer),
      hits: 0,
      squeezed: false,
      expiresAt,
      renewAt: expiresAt,
      failed: false,
      status: { second: Number.NaN, text: '' },
    }
  }
  const lookUp = (key: string): Entry | undefined => entries.get(key) ?? small.get(key)

  /** Puts better forms in the place of an entry, if it still stands there: measured anew, so that the bound holds for the true bytes. */
  function replace(key: string, old: Entry, answer: StoredAnswer): void {
    if (entries.peek(key) === old) entries.set(key, { ...old, prepared: prepareAnswer(answer) })
  }

  async function compress(
    key: string,
    entry: Entry,
    share: (answer: StoredAnswer) => void,
  ): Promise<void> {
    const { answer } = entry.prepared
    const encoded = await compressAnswer(answer)
    const better = { ...answer, encoded }
    replace(key, entry, better)
    keep(key, better)
    share(better)
  }

  /** One at a time, because each takes a thread for a tenth of a second. */
  function squeeze(key: string, { prepared: { answer } }: Entry): void {
    squeezing = squeezing
      .then(async () => {
        const br = await compressHard(answer)
        const entry = entries.peek(key)
        if (entry?.prepared.answer === answer)
          replace(key, entry, { ...answer, encoded: { ...answer.encoded, br } })
      })
      .catch(onError)
  }

  return {
    enabled,
    /** The entry that may be served, stale or not; what has been stale for a day is as good as gone. Counts as a hit. */
    get(key: string): Entry | undefined {
      const entry = enabled ? lookUp(key) : undefined
      if (!entry) return undefined
      if (
        now() >
        entry.expiresAt + (entry.prepared.answer.status === 200 ? pages.staleSeconds * 1000 : 0)
      )
        return undefined
      entry.hits += 1
      counts.hits += 1
      if (entry.hits > hotHits && !entry.squeezed && entry.prepared.answer.encoded.br) {
        entry.squeezed = true
        squeeze(key, entry)
      }
      return entry
    },
    /** Looks without counting. */
    peek: (key: string): Entry | undefined => entries.peek(key) ?? small.peek(key),
    /** `Cache-Status` of a hit (RFC 9211): seconds that it is still fresh, negative when it has expired. */
    statusOf(entry: Entry): string {
      const second = Math.floor((entry.expiresAt - now()) / 1000)
      if (entry.status.second !== second)
        entry.status = {
          second,
          text: `site; hit; ttl=${second}${entry.failed ? '; detail=error' : ''}`,
        }
      return entry.status.text
    },
    /** Whether somebody should make it anew. */
    isDue: (entry: Entry): boolean => now() >= entry.renewAt,
    /** A renewal has begun or has failed: until the next one is due, it is served as it is. */
    postpone(key: string, failed?: boolean): void {
      const entry = entries.peek(key)
      if (!entry) return
      entry.failed = failed ?? entry.failed
      entry.renewAt = now() + pages.renewalPause
      entry.status.second = Number.NaN
    },
    miss: (): void => void (counts.misses += 1),
    /** Taken before a render begins, given back when its result is stored. */
    mark: (): number => purges,
    /** Stores an answer unless something was purged since `mark`: null then. Its compressed forms follow, and with them it is handed to `share`. */
    store(
      key: string,
      answer: StoredAnswer,
      mark: number,
      share: (answer: StoredAnswer) => void = () => undefined,
    ): Entry | null {
      if (!enabled || mark !== purges) return null
      const entry = entryOf(answer)
      // One key, one answer: a page that has become a 404, or the reverse, leaves nothing behind.
      ;(answer.status === 200 ? small : entries).delete(key)
      storeOf(answer.status).set(key, entry)
      if (!storeOf(answer.status).has(key)) return null
      counts.stored += 1
      if (answer.status === 200) compress(key, entry, share).catch(onError)
      return entry
    },
    /** Puts a last good copy back, to be served as a failed renewal until the next is due. Nobody else has it in between. */
    restore(key: string, answer: StoredAnswer): Entry {
      const entry = entryOf(answer)
      entry.expiresAt = Math.min(entry.expiresAt, now() - 1)
      entry.renewAt = now() + pages.renewalPause
      entry.failed = true
      if (enabled) entries.set(key, entry)
      return entry
    },
    delete: (key: string): void => {
      entries.delete(key)
      small.delete(key)
    },
    /** Drops what fits; answers how many. 404s and redirects depend on what is not there, so any purge drops all of them. */
    purge(fits: (key: string, answer: StoredAnswer) => boolean): number {
      purges += 1
      const gone = [...entries.entries()].filter(([key, { prepared }]) =>
        fits(key, prepared.answer),
      )
      const goneSmall = [...small.entries()].filter(([key, { prepared }]) =>
        fits(key, prepared.answer),
      )
      for (const [key] of gone) entries.delete(key)
      small.clear()
      return gone.length + goneSmall.length
    },
    list: (): Array<{ key: string; entry: Entry }> =>
      [...entries.entries(), ...small.entries()].map(([key, entry]) => ({ key, entry })),
    stats: () => ({
      entries: entries.size,
      bytes: entries.calculatedSize,
      maxBytes,
      small: { entries: small.size, bytes: small.calculatedSize, maxBytes: smallBytes },
      ...counts,
    }),
  }
}
