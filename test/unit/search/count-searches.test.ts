import { expect, it, jest } from '@jest/globals'
import type { Database } from '../../../server/db/database'
import { countSearches } from '../../../server/search/count-searches'

it('a failure of the database is logged without the words of visitors', async () => {
  const failure = new Error('the database is gone')
  const warn = jest.fn()
  const database = { run: () => Promise.reject(failure) } as unknown as Database
  const counter = countSearches({ database, log: { warn } })
  counter.count('1', { locale: 'en', query: 'a name', results: 1 })
  await counter.stop()
  expect(warn.mock.calls).toEqual([[{ err: failure }, 'searches could not be counted']])
})
