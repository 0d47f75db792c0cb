import { pages, sharedCache } from '../../shared/constants'
import { RedisUnavailable, type RedisConnection } from '../db/connect-redis'
import { packAnswer, shortHash, unpackAnswer } from './packed-answer'
import { generationKey, type SharedPurges } from './shared-purges'
import type { StoredAnswer } from './stored-answer'

/** What an answer is made with: the state of the content, and the number of the last purge. */
export type AnswerVersion = { contentState: string; generation: number }

/**
 * How a read from Redis ends. `refused`: the answer is too old, purged or damaged. `behind`: this
 * process has missed a purge. `away`: Redis did not answer.
 */
type Outcome = 'hit' | 'miss' | 'refused' | 'behind' | 'away'

export type SecondLevel = {
  /** Read it before looking for or making an answer. Null: the answer cannot be shared. */
  currentVersion: () => AnswerVersion | null
  /**
   * An answer that another process has made with this build, these settings and this version of the
   * content, and that was not purged since; else null.
   */
  read: (key: string, version: AnswerVersion) => Promise<StoredAnswer | null>
  /** Stores an answer in the background, unless the content has changed since `version`. */
  write: (key: string, answer: StoredAnswer, version: AnswerVersion) => void
  counts: () => Readonly<Record<Outcome | 'stored', number>>
}

type SecondLevelOptions = {
  redis: RedisConnection
  purges: SharedPurges
  /** A hash of build and settings. */
  stamp: string
  /** The state of all content that answers show. */
  contentState: () => string
  ttlMs: number
  now?: () => number
  onError: (error: unknown) => void
}

/** The counts of a site without a second level. */
export const zeroCounts: ReturnType<SecondLevel['counts']> = {
  hit: 0,
  miss: 0,
  refused: 0,
  behind: 0,
  away: 0,
  stored: 0,
}

const storageKey = (versionStamp: string, key: string): string =>
  `site:answer:${shortHash(`${versionStamp} ${key}`)}`

/**
 * The purge generation in Redis and the bytes of an answer, in one round trip. A faulty server may
 * reply with values of other types.
 */
const fetchAnswer = (
  redis: RedisConnection,
  versionStamp: string,
  key: string,
): Promise<[generation: unknown, bytes: unknown]> =>
  redis.run((client) =>
    Promise.all([
      client.get(generationKey),
      client
        // One byte more than the longest answer: a longer value is recognized without being fetched
        // as a whole.
        .getrangeBuffer(storageKey(versionStamp, key), 0, sharedCache.maxAnswerBytes)
        .catch((error: unknown) => {
          // The value is not a string, so it is not one of ours. Reading it fails later, as a
          // damaged answer.
          if (error instanceof Error && error.message.startsWith('WRONGTYPE'))
            return Buffer.from('?')
          throw error
        }),
    ]),
  )

/**
 * The second level of the page cache, in Redis: an answer that one process has made serves all
 * processes of all machines. It is asked only when this process would have to make the answer. Each
 * build, each set of settings and each state of the content has its own Redis keys. Every read
 * compares the purge number in the same round trip, so an answer that was begun before a purge and
 * written after it is refused. An answer is used only after all checks, and every failure counts as
 * a miss.
 */
export function createSecondLevel(options: SecondLevelOptions): SecondLevel {
  const { redis, purges, stamp, contentState, ttlMs, now = Date.now, onError } = options
  const counts: Record<Outcome | 'stored', number> = { ...zeroCounts }
  const stampOf = (version: AnswerVersion): string => shortHash(stamp, version.contentState)
  /** As long as the first level would keep the answer. */
  const remainingMs = ({ storedAt }: StoredAnswer): number =>
    Math.round(storedAt + ttlMs + pages.staleSeconds * 1000 - now())
  const reportError = (error: unknown): void => {
    // The circuit breaker has logged that Redis is unavailable.
    if (!(error instanceof RedisUnavailable)) onError(error)
  }

  async function read(
    key: string,
    version: AnswerVersion,
  ): Promise<{ outcome: Outcome; answer?: StoredAnswer }> {
    const versionStamp = stampOf(version)
    const [generation, bytes] = await fetchAnswer(redis, versionStamp, key)
    if (!purges.matchesGeneration(generation)) return { outcome: 'behind' }
    if (!Buffer.isBuffer(bytes) || bytes.length === 0) return { outcome: 'miss' }
    if (bytes.length > sharedCache.maxAnswerBytes) return { outcome: 'refused' }
    const copy = await unpackAnswer(bytes, { key, stamp: versionStamp }).catch(onError)
    const isUsable =
      copy &&
      copy.answer.storedAt <= now() + sharedCache.maxClockSkewMs &&
      remainingMs(copy.answer) > 0 &&
      !purges.purgedSince(copy.generation, key, copy.answer)
    return isUsable ? { outcome: 'hit', answer: copy.answer } : { outcome: 'refused' }
  }

  return {
    currentVersion() {
      const generation = purges.generation()
      return generation === null ? null : { contentState: contentState(), generation }
    },
    async read(key, version) {
      const { outcome, answer } = await read(key, version).catch((error: unknown) => {
        reportError(error)
        return { outcome: 'away' as const, answer: undefined }
      })
      counts[outcome] += 1
      return answer ?? null
    },
    write(key, answer, version) {
      const expiresInMs = remainingMs(answer)
      const isCurrent = purges.generation() !== null && contentState() === version.contentState
      if (expiresInMs <= 0 || !isCurrent) return
      const versionStamp = stampOf(version)
      const { generation } = version
      const bytes = packAnswer({ key, stamp: versionStamp, generation }, answer)
      if (!bytes || bytes.length > sharedCache.maxAnswerBytes) return
      redis
        .run((client) => client.set(storageKey(versionStamp, key), bytes, 'PX', expiresInMs))
        .then(() => (counts.stored += 1), reportError)
    },
    counts: () => counts,
  }
}
