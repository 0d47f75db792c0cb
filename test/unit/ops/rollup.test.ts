import { afterEach, expect, it, jest } from '@jest/globals'
import type { Database } from '../../../server/db/database'
import { createLease } from '../../../server/db/leases'
import { countEventsBatch } from '../../../server/ops/rollup/count-events-batch'
import { countSources } from '../../../server/ops/rollup/count-sources'
import { startRollup } from '../../../server/ops/rollup/start-rollup'
import { testSource } from '../../../testing/console-data'
import { openMemoryDatabase } from '../../../testing/memory-database'

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

it('counts every visit once, also when ids and times of two processes differ in order', async () => {
  const database = await openMemoryDatabase()
  const lease = createLease(database, { name: 'event-counts', holder: 'a', ttlMs: 60_000 })
  await lease.take()
  await database.run((db) =>
    db
      .insertInto('sources')
      .values([10, 21, 19, 30].map((at) => testSource({ at, device_id: '', source: `at-${at}` })))
      .execute(),
  )
  const counted = async (until: number, maxRows: number): Promise<string[]> => {
    while (await countSources(database, lease, until, maxRows));
    const rows = await database.run((db) =>
      db.selectFrom('event_keys').select(['key', 'count']).orderBy('key').execute(),
    )
    return rows.map(({ key, count }) => `${key} ${count}`)
  }
  expect(await counted(20, 1)).toEqual(['at-10 1'])
  expect(await counted(31, 2)).toEqual(['at-10 1', 'at-19 1', 'at-21 1', 'at-30 1'])
  await database.close()
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
