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
