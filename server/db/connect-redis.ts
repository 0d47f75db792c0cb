import type { Redis } from 'ioredis'
import { rates } from '../../shared/constants'
import type { Logger } from '../telemetry/logger'

/** Thrown at once while the circuit breaker is open. Callers continue without Redis. */
export class RedisUnavailable extends Error {}

export type RedisConnection = {
  client: Redis
  /**
   * Runs commands. Rejects with RedisUnavailable at once while the circuit breaker is open, and
   * with the cause when this call opens it.
   */
  run: <T>(commands: (client: Redis) => Promise<T>) => Promise<T>
  /**
   * Subscribes to a channel over a separate connection. `onSubscribed` is called after every
   * connect: messages published before that were missed.
   */
  subscribe: (
    channel: string,
    onMessage: (message: string) => void,
    onSubscribed: () => void,
  ) => void
  /** Calls the listener whenever Redis is available again. */
  onRecovered: (listener: () => void) => void
  close: () => void
}

type RedisLog = Pick<Logger, 'info' | 'warn'>

/**
 * How long a command may stay unanswered before it is dropped. Its caller stopped waiting long
 * before.
 */
const commandTimeoutMs = 1000
const connectTimeoutMs = 1000
const reconnectStepMs = 200

/**
 * Connects to Redis behind a circuit breaker (spec 10.1), which all callers in this process share.
 * When Redis hangs, the callers of that moment lose 100 ms, once. From then on no caller waits:
 * Redis is probed in the background until it answers. Errors are logged once per outage.
 */
export async function connectRedis(url: string, log: RedisLog): Promise<RedisConnection> {
  // Most sites have no Redis, and start faster without its code.
  const { Redis } = await import('ioredis')
  const client = new Redis(url, {
    commandTimeout: commandTimeoutMs,
    connectTimeout: connectTimeoutMs,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (times) => Math.min(times * reconnectStepMs, rates.redisProbeIntervalMs),
  })
  const subscribers: Redis[] = []
  const breaker = createCircuitBreaker(client, log)
  client.on('error', breaker.open)
  client.on('ready', breaker.probeIfOpen)
  return {
    client,
    async run(commands) {
      // While the client is connecting, its own events decide whether the breaker opens.
      if (breaker.isOpen() || client.status !== 'ready')
        throw new RedisUnavailable('Redis is unavailable')
      try {
        return await withTimeout(commands(client))
      } catch (error) {
        breaker.open(error)
        throw error
      }
    },
    subscribe(channel, onMessage, onSubscribed) {
      const subscriber = client.duplicate({ autoResubscribe: false })
      // The breaker reports outages; this connection reconnects anyway.
      subscriber.on('error', () => undefined)
      subscriber.on(
        'ready',
        () =>
          void subscriber.subscribe(channel).then(onSubscribed, () => subscriber.disconnect(true)),
      )
      subscriber.on('message', (_channel: string, message: string) => onMessage(message))
      subscribers.push(subscriber)
    },
    onRecovered: breaker.onClosed,
    close() {
      breaker.stop()
      client.disconnect()
      for (const subscriber of subscribers) subscriber.disconnect()
    },
  }
}

/** Open while Redis does not answer. While it is open, Redis is probed until it answers PONG. */
function createCircuitBreaker(client: Redis, log: RedisLog) {
  const listeners: Array<() => void> = []
  let isOpen = false
  let isStopped = false
  let probeTimer: NodeJS.Timeout | undefined

  async function probe(): Promise<void> {
    const reply: string = await client.ping().catch(() => '')
    if (reply !== 'PONG' || !isOpen) return
    clearInterval(probeTimer)
    isOpen = false
    log.info('Redis answers again')
    for (const listener of listeners) listener()
  }

  function open(error: unknown): void {
    if (isOpen || isStopped) return
    isOpen = true
    log.warn({ err: error }, 'Redis is unavailable; this process uses its own cache and counters')
    probeTimer = setInterval(() => void probe(), rates.redisProbeIntervalMs).unref()
  }

  return {
    isOpen: () => isOpen,
    open,
    probeIfOpen: () => void (isOpen && probe()),
    onClosed: (listener: () => void) => void listeners.push(listener),
    stop() {
      isStopped = true
      clearInterval(probeTimer)
    },
  }
}

/**
 * Rejects when the reply takes too long. When this process itself was blocked, the reply may
 * already have arrived: setImmediate lets it be read before Redis is declared unavailable.
 */
function withTimeout<T>(reply: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => setImmediate(() => reject(new Error('Redis did not answer in time'))),
      rates.redisTimeoutMs,
    )
    reply.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
