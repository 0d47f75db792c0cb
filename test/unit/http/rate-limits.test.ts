import { join } from 'node:path'
import { expect, it, jest } from '@jest/globals'
import Database from 'better-sqlite3'
import { readSettings } from '../../../server/env'
import { counterTable } from '../../../server/http/counter-file'
import { createRateLimits } from '../../../server/http/rate-limits'
import { createLogger } from '../../../server/telemetry/logger'
import { temporaryFolder } from '../../../testing/release-with-tests'
import { root } from '../../../testing/root'

it('requests are counted in memory while the file of the counters fails', async () => {
  const folder = temporaryFolder('rate-limits')
  const log = createLogger('silent')
  const warn = jest.spyOn(log, 'warn')
  const settings = readSettings({ DATA_DIR: folder, RATE_VISITOR: '2' }, root)
  const { check, close } = createRateLimits(settings, null, log)
  const other = new Database(join(folder, 'limits.db'))
  other.exec(`DROP TABLE ${counterTable}`)
  other.close()
  const visitor = { rateLimit: 'visitor' } as const
  await check(visitor, '203.0.113.1')
  await check(visitor, '203.0.113.1')
  await expect(check(visitor, '203.0.113.1')).rejects.toMatchObject({ status: 429 })
  await check(visitor, '203.0.113.2')
  // Once, because the file is not used for the next five seconds.
  expect(warn.mock.calls).toEqual([
    [
      {
        err: expect.objectContaining({ message: `no such table: ${counterTable}` }),
        place: 'limits.db',
      },
      'requests cannot be counted there',
    ],
  ])
  close()
})
