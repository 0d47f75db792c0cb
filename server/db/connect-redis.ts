import { Redis } from 'ioredis'
import { rates } from '../../shared/constants'
import type { Logger } from '../telemetry/logger'

/** Thrown at once while Redis is away: the caller goes on without it. */
export class RedisAway extends Error {}

export type GuardedRedis = {
  client: Redis
  /** Runs commands; rejects with RedisAway at once while Redis is away, with the cause when it is found away by this call. */
  run: <T>(commands: (client: Redis) => Promise<T>) => Promise<T>
  /** Hears a channel from now on, over a connection of its own. `begun`: after every connecting, because what was said before it was not heard. */
  hear: (channel: string, heard: (message: string) => void, begun: () => void) => void
  /** Called whenever Redis answers again. */
  onBack: (listener: () => void) => void
  close: () => void
}

/**
 * Rejects when there is no answer in time. A process that stood still itself must not blame Redis: what has arrived meanwhile is read before it is judged.
 */
function inTime<T>(answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => setImmediate(() => reject(new Error('Redis did not answer in time'))),
      rates.redisTimeout,
    )
    answer.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

/** When a command is given up for good (ms), so that none waits for ever: nobody waits for it by then. */
const commandTimeout = 1000

/**
 * A connection to Redis behind a circuit breaker (decisions 10), one for all that this process asks of it: one that is hung costs the callers of one
 * moment 100 ms, once. From then on nobody waits for it: it is asked in the background until it answers again. Its errors are logged once an outage.
 */
export function connectRedis(url: string, log: Pick<Logger, 'info' | 'warn'>): GuardedRedis {
  const client = new Redis(url, {
    commandTimeout,
    connectTimeout: 1000,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (times) => Math.min(times * 200, rates.redisProbe),
  })
  const listeners: Array<() => void> = []
  const ears: Redis[] = []
  let away = false
  let closed = false
  let probe: NodeJS.Timeout | undefined

  const ask = (): void =>
    void client.ping().then(
      (answer) => answer === 'PONG' && close(),
      () => undefined,
    )
  function open(error: unknown): void {
    if (away || closed) return
    away = true
    log.warn({ err: error }, 'Redis is away; this process goes on by itself')
    probe = setInterval(ask, rates.redisProbe)
    probe.unref()
  }
  function close(): void {
    if (!away) return
    clearInterval(probe)
    away = false
    log.info('Redis answers again')
    for (const listener of listeners) listener()
  }

  client.on('error', open)
  client.on('ready', () => away && ask())
  return {
    client,
    async run(commands) {
      // Not connected yet, or just not: whether it is away is told by the connection, which is trying.
      if (away || client.status !== 'ready') throw new RedisAway('Redis is away')
      try {
        return await inTime(commands(client))
      } catch (error) {
        open(error)
        throw error
      }
    },
    hear(channel, heard, begun) {
      const ear = client.duplicate({ autoResubscribe: false })
      // The breaker tells of an outage; this connection tries again by itself.
      ear.on('error', () => undefined)
      ear.on('ready', () => void ear.subscribe(channel).then(begun, () => ear.disconnect(true)))
      ear.on('message', (_channel: string, message: string) => heard(message))
      ears.push(ear)
    },
    onBack: (listener) => void listeners.push(listener),
    close() {
      closed = true
      clearInterval(probe)
      client.disconnect()
      for (const ear of ears) ear.disconnect()
    },
  }
}
