import { afterEach, beforeEach, expect, it, jest } from '@jest/globals'
import { startIndexNow } from '../../../server/feeds/index-now/start-index-now'
import { createLogger } from '../../../server/telemetry/logger'

beforeEach(() => void jest.useFakeTimers())
afterEach(() => void jest.useRealTimers())

it('announcing goes on after a failure of the database', async () => {
  const log = createLogger('silent')
  const warn = jest.spyOn(log, 'warn')
  const failure = new Error('the database is gone')
  const run = jest.fn(() => Promise.reject(failure))
  const stop = startIndexNow({
    database: { run },
    store: { onChange: () => undefined },
    log,
    // Announcing fails before it reads anything else of the site.
  } as unknown as Parameters<typeof startIndexNow>[0])
  await jest.advanceTimersByTimeAsync(25_000)
  await stop()
  const tries = [{ err: failure }, 'announcing changed URLs failed']
  expect(warn.mock.calls).toEqual([tries, tries, tries])
  // The fourth releases the lease.
  await jest.advanceTimersByTimeAsync(60_000)
  expect(run).toHaveBeenCalledTimes(4)
})

it.each<[string, () => Promise<boolean>]>([
  ['another process has the lease', () => Promise.resolve(false)],
  ['the database fails', () => Promise.reject(new Error('the database is gone'))],
])('after a change the lease is asked for every ten seconds while %s', async (_name, take) => {
  let change: (tags: readonly string[]) => void = () => undefined
  const run = jest.fn(take)
  const stop = startIndexNow({
    database: { run },
    store: { onChange: (listener: typeof change) => void (change = listener) },
    log: createLogger('silent'),
    // Without the lease nothing else of the site is read.
  } as unknown as Parameters<typeof startIndexNow>[0])
  await jest.advanceTimersByTimeAsync(5000)
  change(['blog/proxy-types'])
  await jest.advanceTimersByTimeAsync(60_000)
  // At the start, a second after the change, and every ten seconds from then on.
  expect(run).toHaveBeenCalledTimes(7)
  await stop()
})
