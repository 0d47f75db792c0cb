import {
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
  RateLimiterSQLite,
  type RateLimiterAbstract,
} from 'rate-limiter-flexible'
import { rates } from '../../shared/constants'
import { addressGroup } from '../request/client-address'
import type { LimitClass, RateLimits } from '../api/api-call'
import type { Settings } from '../env'
import { SiteError } from '../errors'
import type { Logger } from '../telemetry/logger'
import { RedisAway, type GuardedRedis } from '../db/connect-redis'
import { counterTable, openCounterFile, type CounterFile } from './counter-file'

type Options = { keyPrefix: string; points: number; duration: number }
type Counted = { refused: boolean; msBeforeNext: number }
type Place = {
  name: string
  count: (limit: LimitClass, key: string) => Promise<Counted>
  /** Left alone until then (ms, as Date.now). */ closedUntil: number
}

/** A file that failed is left alone for this long (ms): neither requests nor the log are to suffer from every single try. */
const pause = 5000

/** A refusal is an answer of the store, not a failure of it. */
async function consume(limiter: RateLimiterAbstract, key: string): Promise<Counted> {
  const result = await limiter.consume(key).then(
    (res) => ({ res, refused: false }),
    (error: unknown) => {
      if (error instanceof RateLimiterRes) return { res: error, refused: true }
      throw error
    },
  )
  if (!Number.isFinite(result.res.consumedPoints)) throw new Error('the counter is no number')
  return { refused: result.refused, msBeforeNext: result.res.msBeforeNext }
}

/**
 * Rate limits over all processes. Counters live in Redis where REDIS_URL is set, else, and while Redis is away, in a
 * SQLite file that the processes of the machine share, and when even that fails in this process alone: limits get coarser,
 * requests are never refused or held up because counting fails.
 */
export function createRateLimits(
  settings: Settings,
  redis: GuardedRedis | null,
  log: Logger,
): { limits: RateLimits; close: () => void } {
  const points: Record<LimitClass, number> = {
    signin: settings.RATE_SIGNIN,
    events: settings.RATE_EVENTS,
    messages: settings.RATE_MESSAGES,
    other: settings.RATE_OTHER,
  }
  const limiters = (
    make: (options: Options) => RateLimiterAbstract,
  ): Record<LimitClass, RateLimiterAbstract> => {
    const of = (limit: LimitClass): RateLimiterAbstract =>
      make({ keyPrefix: `limit:${limit}`, points: points[limit], duration: rates.window })
    return {
      signin: of('signin'),
      events: of('events'),
      messages: of('messages'),
      other: of('other'),
    }
  }
  // Who has used up the minute is refused from memory, without another write.
  const blocking = (options: Options) => ({
    ...options,
    inMemoryBlockOnConsumed: options.points + 1,
  })

  const places: Place[] = []
  if (redis) {
    const inRedis = limiters(
      (options) => new RateLimiterRedis({ storeClient: redis.client, ...blocking(options) }),
    )
    places.push({
      name: 'Redis',
      closedUntil: 0,
      count: (limit, key) => redis.run(() => consume(inRedis[limit], key)),
    })
  }
  const file = openFile(settings.DATA_DIR, log)
  if (file) {
    const inFile = limiters(
      (options) =>
        new RateLimiterSQLite({
          storeClient: file.client,
          storeType: 'better-sqlite3',
          tableName: counterTable,
          tableCreated: true,
          ...blocking(options),
        }),
    )
    places.push({
      name: 'limits.db',
      closedUntil: 0,
      count: (limit, key) => consume(inFile[limit], key),
    })
  }
  const inMemory = limiters((options) => new RateLimiterMemory(options))
  places.push({
    name: 'memory',
    closedUntil: 0,
    count: (limit, key) => consume(inMemory[limit], key),
  })

  async function countSomewhere(limit: LimitClass, key: string): Promise<Counted> {
    for (const place of places) {
      if (place.closedUntil > Date.now()) continue
      try {
        return await place.count(limit, key)
      } catch (error) {
        // Redis has a circuit breaker of its own, which has logged it.
        if (error instanceof RedisAway) continue
        if (place.name !== 'Redis') place.closedUntil = Date.now() + pause
        log.warn({ err: error, place: place.name }, 'requests cannot be counted there')
      }
    }
    return { refused: false, msBeforeNext: 0 }
  }

  return {
    async limits({ limit }, address) {
      const { refused, msBeforeNext } = await countSomewhere(limit, addressGroup(address))
      if (refused)
        throw new SiteError('tooManyRequests', undefined, {
          'Retry-After': String(Math.max(1, Math.ceil(msBeforeNext / 1000))),
        })
    },
    close: () => file?.close(),
  }
}

function openFile(folder: string, log: Logger): CounterFile | null {
  try {
    return openCounterFile(folder)
  } catch (error) {
    log.error({ err: error }, 'limits.db cannot be used; each process counts for itself')
    return null
  }
}
