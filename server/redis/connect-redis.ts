import { Redis } from 'ioredis'
import { rates } from '../../shared/constants'
import type { Logger } from '../log'

/** Thrown at once while Redis is away: the caller goes on without it. */
export class RedisAway extends Error {}

export type GuardedRedis = {
  client: Redis
  /** Runs commands; rejects with RedisAway at once while Redis is away, with the cause when it is found away by this call. */
  run: <T>(commands: (client: Redis) => Promise<T>) => Promise<T>
  close: () => void
}

/**
 * A connection to Redis behind a circuit breaker (decisions 10): one that is hung costs the callers of one moment 100 ms,
 * once. From then on nobody waits for it: it is asked in the background until it answers again. Its errors are logged once
 * an outage.
 */
export function connectRedis(url: string, log: Logger): GuardedRedis {
  const client = new Redis(url, { commandTimeout: rates.redisTimeout, connectTimeout: 1000, enableOfflineQueue: false, maxRetriesPerRequest: 0, retryStrategy: (times) => Math.min(times * 200, rates.redisProbe) })
  let away = false
  let probe: NodeJS.Timeout | undefined

  function open(error: unknown): void {
    if (away) return
    away = true
    log.warn({ err: error }, 'Redis is away; this process goes on by itself')
    probe = setInterval(() => {
      client.ping().then((answer) => answer === 'PONG' && close(), () => undefined)
    }, rates.redisProbe)
    probe.unref()
  }
  function close(): void {
    clearInterval(probe)
    away = false
    log.info('Redis answers again')
  }

  client.on('error', open)
  return {
    client,
    async run(commands) {
      if (away) throw new RedisAway('Redis is away')
      try {
        return await commands(client)
      } catch (error) {
        open(error)
        throw error
      }
    },
    close() {
      clearInterval(probe)
      client.disconnect()
    },
  }
}
