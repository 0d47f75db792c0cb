import { afterEach, expect, it, jest } from '@jest/globals'
import type { Database } from '../../../server/db/database'
import { countEventsBatch } from '../../../server/ops/rollup/count-events-batch'
import { startRollup } from '../../../server/ops/rollup/start-rollup'

afterEach(() => void jest.useRealTimers())

it('counts the other events of a batch with an event that cannot be read', () => {
  const event = { received_at: 0, kind: 'view', locale: 'en', device_id: 'a', url: '', country: '' }
  const batch = ['{', '[]', '{"trigger":"load"}'].map((data) => ({
    ...event,
    device: 'desktop' as const,
    data,
  }))
  const { hours } = countEventsBatch(batch, new Map())
  const views = [...hours.values()].filter(({ metric }) => metric === 'views')
  expect(views.map(({ count }) => count)).toEqual([1])
})

it('logs a database that fails, and counts again after 15 seconds', async () => {
  jest.useFakeTimers()
  const locked = new Error('the database is locked')
  const database: Database = {
    dialect: 'sqlite',
    run: () => Promise.reject(locked),
    report: () => Promise.reject(locked),
    queueLength: () => 0,
    close: () => Promise.resolve(),
  }
  const warn = jest.fn()
  const stop = startRollup({ database, log: { warn } })
  await jest.advanceTimersByTimeAsync(14_000)
  expect(warn.mock.calls).toEqual([[{ err: locked }, 'counting events failed']])
  await jest.advanceTimersByTimeAsync(2000)
  expect(warn).toHaveBeenCalledTimes(2)
  await stop()
})
