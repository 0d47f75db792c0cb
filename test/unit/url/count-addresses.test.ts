import type { IncomingHttpHeaders } from 'node:http'
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals'
import { addAddressCounts, readAddressCounts } from '../../../server/db/address-counts'
import type { Database } from '../../../server/db/database'
import type { Logger } from '../../../server/telemetry/logger'
import { countAddresses, type AddressCounter } from '../../../server/url/count-addresses'
import { createHosts } from '../../../server/url/hosts'
import { openMemoryDatabase } from '../../../testing/memory-database'

const hosts = createHosts(
  { SITE_URL_EN: '', SITE_URL_ZH: '', SITE_URL_RU: '', ZH_HOSTS: [], RU_HOSTS: [] },
  3000,
)
let database: Database
let warnings: unknown[]
let counter: AddressCounter

beforeEach(async () => {
  jest.useFakeTimers({ now: Date.parse('2026-11-23T23:59:00Z'), doNotFake: ['setImmediate'] })
  database = await openMemoryDatabase()
  warnings = []
  const log = { warn: (...warning: unknown[]) => void warnings.push(warning) } as unknown as Logger
  counter = countAddresses({ database, hosts, log })
})
afterEach(async () => {
  await counter.stop()
  await database.close()
  jest.useRealTimers()
})

const count = (url: string | undefined, status: number, headers: IncomingHttpHeaders = {}): void =>
  counter.count({ ...(url === undefined ? {} : { url }), headers }, status)
const opened = (headers: IncomingHttpHeaders = {}): IncomingHttpHeaders => ({
  'sec-fetch-dest': 'document',
  ...headers,
})
const stored = async (kind: 'missing' | 'redirects', since = '2026-11-23') =>
  (await readAddressCounts(database, since, kind, 2000)).map(
    ({ host, path, referrer, count: total }) => `${host} ${path} ${referrer} ${total}`,
  )

describe('missing pages', () => {
  it('count when a browser opened them, by host, path and the page that links them', async () => {
    count('/gone?token=1', 404, opened({ host: 'zh.localhost', referer: 'https://a.example/b?c' }))
    count('/gone', 404, opened({ host: 'zh.localhost', referer: 'https://a.example/b' }))
    count('/gone', 404, opened({ referer: 'no URL' }))
    count('/wp-login', 404)
    count('/style', 404, { 'sec-fetch-dest': 'style' })
    count('/pricing', 200, opened())
    count('/broken', 500, opened())
    count('/api/unknown', 404, opened())
    count(undefined, 404, opened())
    await counter.stop()
    expect(await stored('missing')).toEqual([
      'zh /gone https://a.example/b 2',
      'en   1',
      'en /gone  1',
    ])
    expect(await stored('redirects')).toEqual([])
  })

  it('hide e-mail addresses, and are cut at 300 characters', async () => {
    const long = `/${'a'.repeat(400)}`
    count(long, 404, opened({ referer: `https://a.example${long}` }))
    count('/b/me@a.example', 404, opened({ referer: 'https://a.example/me@a.example' }))
    await counter.stop()
    expect(await stored('missing')).toEqual([
      `en ${long.slice(0, 300)} ${`https://a.example${long}`.slice(0, 300)} 1`,
      'en /b/… https://a.example/… 1',
    ])
  })
})

describe('redirects', () => {
  it.each([301, 302, 307, 308])('with status %i count for every client', async (status) => {
    count('/old', status)
    count('/old', status, { referer: 'https://a.example/' })
    await counter.stop()
    expect([await stored('redirects'), await stored('missing')]).toEqual([['en /old  2'], []])
  })

  it('of a row that Express mounts count by the whole path', async () => {
    counter.count({ originalUrl: '/_og/0a/pricing.png', url: '/0a/pricing.png', headers: {} }, 302)
    counter.count({ originalUrl: '/old', url: '/', headers: {} }, 301)
    await counter.stop()
    expect(await stored('redirects')).toEqual(['en /old  1'])
  })

  it('do not count with another status', async () => {
    for (const status of [200, 303, 304]) count('/old', status, opened())
    await counter.stop()
    expect(await stored('redirects')).toEqual([])
  })
})

it('stores counts every 5 s, each once, by day', async () => {
  count('/old', 301)
  await jest.advanceTimersByTimeAsync(4999)
  expect(await stored('redirects')).toEqual([])
  await jest.advanceTimersByTimeAsync(1)
  expect(await stored('redirects')).toEqual(['en /old  1'])
  await jest.advanceTimersByTimeAsync(60_000)
  count('/old', 301)
  await counter.stop()
  expect(await stored('redirects')).toEqual(['en /old  2'])
  expect(await stored('redirects', '2026-11-24')).toEqual(['en /old  1'])
})

it('stops with the server', async () => {
  await counter.stop()
  count('/old', 301)
  await jest.advanceTimersByTimeAsync(60_000)
  expect(await stored('redirects')).toEqual([])
})

it('holds 1000 addresses until they are stored, and goes on counting these', async () => {
  for (let number = 0; number <= 1000; number += 1) count(`/old-${number}`, 301)
  count('/old-0', 301)
  await counter.stop()
  const rows = await stored('redirects')
  expect([rows.length, rows[0], rows.includes('en /old-999  1')]).toEqual([
    1000,
    'en /old-0  2',
    true,
  ])
})

it('counts known addresses on a day that is full, and new ones on the next', async () => {
  const row = { day: '2026-11-23', host: 'en', status: 301, referrer: '', count: 1 } as const
  const full = Array.from({ length: 5000 }, (_, index) => ({ ...row, path: `/old-${index}` }))
  await addAddressCounts(database, full)
  count('/new', 301)
  count('/old-7', 301)
  jest.setSystemTime(Date.parse('2026-11-24T00:00:01Z'))
  count('/new', 301)
  await counter.stop()
  const rows = await readAddressCounts(database, row.day, 'redirects', 6000)
  const counts = rows.map(({ path, count: total, lastDay }) => [path, total, lastDay])
  expect(counts.length).toBe(5001)
  expect(counts).toContainEqual(['/old-7', 2, '2026-11-23'])
  expect(counts).toContainEqual(['/new', 1, '2026-11-24'])
})

it('drops counts that cannot be stored, and says so in the log', async () => {
  const failure = new Error('no disk')
  const { run } = database
  database.run = () => Promise.reject(failure)
  count('/old', 301)
  await jest.advanceTimersByTimeAsync(5000)
  expect(warnings).toEqual([[{ err: failure }, 'missing addresses could not be counted']])
  database.run = run
  await counter.stop()
  expect(await stored('redirects')).toEqual([])
})
