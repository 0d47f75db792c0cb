import {
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
  RateLimiterSQLite,
  type RateLimiterAbstract,
} from 'rate-limiter-flexible'
import { rates } from '../../shared/constants'
import type { CheckRateLimit, RateLimitClass } from '../api/define-call'
import { RedisUnavailable, type RedisConnection } from '../db/connect-redis'
import type { Settings } from '../env'
import { SiteError } from '../errors'
import { addressGroup } from '../request/client-address'
import type { Logger } from '../telemetry/logger'
import { counterTable, openCounterFile, type CounterFile } from './counter-file'

type LimiterOptions = { keyPrefix: string; points: number; duration: number }
type Limiters = Record<RateLimitClass, RateLimiterAbstract>
type CountResult = { isRefused: boolean; msBeforeNext: number }
type CounterStore = {
  name: string
  count: (limit: RateLimitClass, key: string) => Promise<CountResult>
  /** Until then the store is not used (ms since 1970). */
  pausedUntil: number
}

/**
 * After a failure, the file is not used for this time, so that neither requests nor the log suffer
 * from every attempt.
 */
const pauseMs = 5000

/** Counts a request. Being refused is a result; rejects when the store fails. */
async function consume(limiter: RateLimiterAbstract, key: string): Promise<CountResult> {
  const { res, isRefused } = await limiter.consume(key).then(
    (accepted) => ({ res: accepted, isRefused: false }),
    (error: unknown) => {
      if (error instanceof RateLimiterRes) return { res: error, isRefused: true }
      throw error
    },
  )
  if (!Number.isFinite(res.consumedPoints)) throw new Error('the counter is not a number')
  return { isRefused, msBeforeNext: res.msBeforeNext }
}

function createLimiters(
  settings: Settings,
  create: (options: LimiterOptions) => RateLimiterAbstract,
): Limiters {
  const limiter = (limit: RateLimitClass, points: number): RateLimiterAbstract =>
    create({ keyPrefix: `limit:${limit}`, points, duration: rates.windowSeconds })
  return {
    signin: limiter('signin', settings.RATE_SIGNIN),
    events: limiter('events', settings.RATE_EVENTS),
    messages: limiter('messages', settings.RATE_MESSAGES),
    other: limiter('other', settings.RATE_OTHER),
  }
}

/**
 * An address that has used up its requests is refused from memory, without another write to the
 * store.
 */
const blockInMemory = (options: LimiterOptions) => ({
  ...options,
  inMemoryBlockOnConsumed: options.points + 1,
})

function createRedisStore(settings: Settings, redis: RedisConnection): CounterStore {
  const limiters = createLimiters(
    settings,
    (options) => new RateLimiterRedis({ storeClient: redis.client, ...blockInMemory(options) }),
  )
  return {
    name: 'Redis',
    pausedUntil: 0,
    count: (limit, key) => redis.run(() => consume(limiters[limit], key)),
  }
}

function createFileStore(settings: Settings, file: CounterFile): CounterStore {
  const limiters = createLimiters(
    settings,
    (options) =>
      new RateLimiterSQLite({
        storeClient: file.client,
        storeType: 'better-sqlite3',
        tableName: counterTable,
        tableCreated: true,
        ...blockInMemory(options),
      }),
  )
  return { name: 'limits.db', pausedUntil: 0, count: (limit, key) => consume(limiters[limit], key) }
}

function createMemoryStore(settings: Settings): CounterStore {
  const limiters = createLimiters(settings, (options) => new RateLimiterMemory(options))
  return { name: 'memory', pausedUntil: 0, count: (limit, key) => consume(limiters[limit], key) }
}

function openFileIfPossible(folder: string, log: Logger): CounterFile | null {
  try {
    return openCounterFile(folder)
  } catch (error) {
    log.error({ err: error }, 'limits.db cannot be used; each process counts for itself')
    return null
  }
}

/**
 * Rate limits over all processes. The counters are kept in Redis when REDIS_URL is set. Without it,
 * or while Redis is unavailable, they are kept in a SQLite file that the processes of the machine
 * share, and when that fails too, in the memory of the process. A failing store makes the limits
 * less exact, but never refuses or delays a request.
 */
export function createRateLimits(
  settings: Settings,
  redis: RedisConnection | null,
  log: Logger,
): { check: CheckRateLimit; close: () => void } {
  const file = openFileIfPossible(settings.DATA_DIR, log)
  const stores: readonly CounterStore[] = [
    ...(redis ? [createRedisStore(settings, redis)] : []),
    ...(file ? [createFileStore(settings, file)] : []),
    createMemoryStore(settings),
  ]

  /** Counts in the first store that works. */
  async function count(limit: RateLimitClass, key: string): Promise<CountResult> {
    for (const store of stores) {
      if (store.pausedUntil > Date.now()) continue
      try {
        return await store.count(limit, key)
      } catch (error) {
        // The circuit breaker of Redis has logged that it is unavailable.
        if (error instanceof RedisUnavailable) continue
        if (store.name !== 'Redis') store.pausedUntil = Date.now() + pauseMs
        log.warn({ err: error, place: store.name }, 'requests cannot be counted there')
      }
    }
    return { isRefused: false, msBeforeNext: 0 }
  }

  return {
    async check({ rateLimit }, address) {
      const { isRefused, msBeforeNext } = await count(rateLimit, addressGroup(address))
      if (isRefused)
        throw new SiteError('tooManyRequests', undefined, {
          'Retry-After': String(Math.max(1, Math.ceil(msBeforeNext / 1000))),
        })
    },
    close: () => file?.close(),
  }
}
