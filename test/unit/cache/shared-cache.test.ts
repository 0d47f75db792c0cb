/** What the machines share through Redis, when Redis or what it holds is faulty. */
import { describe, expect, it, jest } from '@jest/globals'
import type { Redis } from 'ioredis'
import { createSecondLevel } from '../../../server/cache/second-level'
import { startSharedPurges, type SharedPurges } from '../../../server/cache/shared-purges'
import type { RedisConnection } from '../../../server/db/connect-redis'

const origins = { en: 'http://en.test', zh: 'http://zh.test', ru: 'http://ru.test' }
const never = (): void => undefined

/** A connection to a Redis that answers these commands. */
function connectionTo(commands: object): RedisConnection & { announce: (message: string) => void } {
  // A cast because the modules under test use only these commands.
  const client = commands as Redis
  let announce: (message: string) => void = never
  return {
    client,
    run: (work) => work(client),
    subscribe: (_channel, onMessage, onSubscribed) => {
      announce = onMessage
      onSubscribed()
    },
    onRecovered: never,
    close: never,
    announce: (message) => announce(message),
  }
}
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('purges of other machines', () => {
  it('that cannot be read count as a purge of everything', async () => {
    const log: string[] = []
    const redis = connectionTo({
      get: () => Promise.resolve(String(5 + log.length)),
      zrangebyscore: () => Promise.resolve(log),
    })
    const onPurge = jest.fn()
    const { generation, stop } = startSharedPurges(redis, origins, onPurge, never)
    await settle()
    expect(generation()).toBe(5)
    log.push('6 {"id":')
    redis.announce('6 {"id":')
    await settle()
    expect(onPurge.mock.calls).toEqual([[{ all: true }]])
    expect(generation()).toBe(6)
    stop()
  })

  it('are not known, and nothing is shared, where Redis does not keep their number', async () => {
    const onError = jest.fn()
    const redis = connectionTo({
      get: () => Promise.resolve(null),
      set: () => Promise.resolve('OK'),
    })
    const { generation, stop } = startSharedPurges(redis, origins, never, onError)
    await settle()
    expect(generation()).toBeNull()
    expect(onError.mock.calls).toEqual([[new Error('Redis does not keep the number of purges')]])
    stop()
  })
})

describe('an answer that Redis fails to deliver', () => {
  const purges: SharedPurges = {
    generation: () => 5,
    matchesGeneration: () => true,
    purgedSince: () => false,
    announce: never,
    stop: never,
  }
  it.each([
    ['is missed, and its error reported', 'LOADING Redis is loading the dataset', 'away'],
    ['is refused when something else has its name', 'WRONGTYPE Operation against a key', 'refused'],
  ] as const)('%s', async (_name, message, outcome) => {
    const onError = jest.fn()
    const redis = connectionTo({
      get: () => Promise.resolve('5'),
      getrangeBuffer: () => Promise.reject(new Error(message)),
    })
    const contentState = (): string => 'a'
    const { read, counts } = createSecondLevel({
      redis,
      purges,
      stamp: 's',
      contentState,
      ttlMs: 1000,
      onError,
    })
    expect(await read('en /', { contentState: 'a', generation: 5 })).toBeNull()
    expect(counts()[outcome]).toBe(1)
    expect(onError).toHaveBeenCalledTimes(1)
  })
})
