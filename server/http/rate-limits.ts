import {
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
  RateLimiterSQLite,
  type RateLimiterAbstract,
} from 'rate-limiter-flexible'
import { rates, rowBudgets, rowBudgetSeconds } from '../../shared/constants'
import type { CheckRateLimit, RateLimitClass, ReserveRows, RowBudget } from '../api/define-call'
import type { CountMiss } from '../cache/answer-source'
import { RedisUnavailable, type RedisConnection } from '../db/connect-redis'
import type { Settings } from '../env'
import { SiteError } from '../errors'
import { addressGroup, anonymizeAddress, clientAddress } from '../request/client-address'
import type { Logger } from '../telemetry/logger'
import { counterTable, openCounterFile, type CounterFile } from './counter-file'
import { isOwnRequest } from './loopback-listener'

type LimiterOptions = { keyPrefix: string; points: number; duration: number }
/** The requests of a class in a minute, or the rows of a budget in a day. */
type LimitName = `limit:${RateLimitClass}` | `rows:${RowBudget}`
type Limiters = Readonly<Record<LimitName, RateLimiterAbstract>>
type CountResult = { isRefused: boolean; msBeforeNext: number }
type CounterStore = {
  /** For the log. */
  name: string
  /** The store is not used for this time after a failure. */
  pauseMs: number
  count: (limit: LimitName, key: string, points: number) => Promise<CountResult>
  /** Until then the store is not used (ms since 1970). */
  pausedUntil: number
}

/** So that neither requests nor the log suffer from every attempt to use a broken file. */
const filePauseMs = 5000

/** Counts requests or rows. Being refused is a result; rejects when the store fails. */
async function consume(
  limiter: RateLimiterAbstract,
  key: string,
  points: number,
): Promise<CountResult> {
  const { res, isRefused } = await limiter.consume(key, points).then(
    (accepted) => ({ res: accepted, isRefused: false }),
    (error: unknown) => {
      if (error instanceof RateLimiterRes) return { res: error, isRefused: true }
      throw error
    },
  )
  if (!Number.isFinite(res.consumedPoints)) throw new Error('the counter is not a number')
  return { isRefused, msBeforeNext: res.msBeforeNext }
}

/** The setting of each class. 0 is no limit. */
const settingOf = {
  signin: 'RATE_SIGNIN',
  operators: 'RATE_SIGNIN',
  events: 'RATE_EVENTS',
  messages: 'RATE_MESSAGES',
  visitor: 'RATE_VISITOR',
  search: 'RATE_SEARCH',
  miss: 'RATE_MISS',
  other: 'RATE_OTHER',
} as const satisfies Record<RateLimitClass, keyof Settings>

function createLimiters(
  settings: Settings,
  create: (options: LimiterOptions) => RateLimiterAbstract,
): Limiters {
  const perMinute = (limit: RateLimitClass): RateLimiterAbstract =>
    create({
      keyPrefix: `limit:${limit}`,
      points: settings[settingOf[limit]],
      duration: rates.windowSeconds,
    })
  const perDay = (budget: RowBudget): RateLimiterAbstract =>
    create({
      keyPrefix: `rows:${budget}`,
      points: rowBudgets[budget] * settings[settingOf[budget]],
      duration: rowBudgetSeconds,
    })
  return {
    'limit:signin': perMinute('signin'),
    'limit:operators': perMinute('operators'),
    'limit:events': perMinute('events'),
    'limit:messages': perMinute('messages'),
    'limit:visitor': perMinute('visitor'),
    'limit:search': perMinute('search'),
    'limit:miss': perMinute('miss'),
    'limit:other': perMinute('other'),
    'rows:events': perDay('events'),
    'rows:messages': perDay('messages'),
    'rows:visitor': perDay('visitor'),
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
    // Its circuit breaker pauses it.
    pauseMs: 0,
    pausedUntil: 0,
    count: (limit, key, points) => redis.run(() => consume(limiters[limit], key, points)),
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
  return {
    name: 'limits.db',
    pauseMs: filePauseMs,
    pausedUntil: 0,
    count: (limit, key, points) => consume(limiters[limit], key, points),
  }
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
 * Rate limits and daily row budgets over all processes. The counters are kept in Redis when
 * REDIS_URL is set. Without it, or while Redis is unavailable, they are kept in a SQLite file that
 * the processes of the machine share, and when that fails too, in the memory of the process. A
 * failing store makes the limits less exact, but never refuses or delays a request.
 */
export function createRateLimits(
  settings: Settings,
  redis: RedisConnection | null,
  log: Logger,
): { check: CheckRateLimit; countMiss: CountMiss; reserveRows: ReserveRows; close: () => void } {
  const file = openFileIfPossible(settings.DATA_DIR, log)
  const sharedStores: readonly CounterStore[] = [
    ...(redis ? [createRedisStore(settings, redis)] : []),
    ...(file ? [createFileStore(settings, file)] : []),
  ]
  const ownLimiters = createLimiters(settings, (options) => new RateLimiterMemory(options))

  /** Counts in the first shared store that works, else in memory. */
  async function count(limit: LimitName, key: string, points: number): Promise<CountResult> {
    for (const store of sharedStores) {
      if (store.pausedUntil > Date.now()) continue
      try {
        return await store.count(limit, key, points)
      } catch (error) {
        // The circuit breaker of Redis has logged that it is unavailable.
        if (error instanceof RedisUnavailable) continue
        store.pausedUntil = Date.now() + store.pauseMs
        log.warn({ err: error, place: store.name }, 'requests cannot be counted there')
      }
    }
    return consume(ownLimiters[limit], key, points)
  }

  async function countOrRefuse(limit: LimitName, key: string, points: number): Promise<void> {
    const { isRefused, msBeforeNext } = await count(limit, key, points)
    if (isRefused)
      throw new SiteError('tooManyRequests', undefined, {
        'Retry-After': String(Math.max(1, Math.ceil(msBeforeNext / 1000))),
      })
  }

  const check: CheckRateLimit = async ({ rateLimit }, address, requests = 1) => {
    if (settings[settingOf[rateLimit]] === 0) return
    await countOrRefuse(`limit:${rateLimit}`, addressGroup(address), requests)
  }

  return {
    check,
    // Pages that the site warms are not the work of a visitor.
    countMiss: async (request) =>
      isOwnRequest(request)
        ? undefined
        : check({ rateLimit: 'miss' }, clientAddress(request, settings.TRUST_PROXY)),
    async reserveRows(budget, address, text) {
      if (settings[settingOf[budget]] === 0) return
      const rows = Math.ceil(Buffer.byteLength(text) / 1024)
      await countOrRefuse(`rows:${budget}`, anonymizeAddress(address), rows)
    },
    close: () => file?.close(),
  }
}
