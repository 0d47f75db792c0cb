import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Insertable } from 'kysely'
import { openDatabase, type Database } from '../../../server/db/database'
import type { Tables } from '../../../server/db/tables'
import { readFilter } from '../../../server/ops/insights/insights-filter'
import { makeInsights, type Insights } from '../../../server/ops/insights/make-insights'
import { testSource } from '../../../testing/console-data'
import { callApi, sealFor } from '../../../testing/call-api'
import { buildFolder } from '../../../testing/root'
import {
  eventually,
  searchSite,
  startTestSite,
  type Answer,
  type TestSite,
} from '../../../testing/site'
import { describeOnStores, type TestStore } from '../../../testing/stores'

type Known = {
  day: string
  device: string
  locale?: string
  country?: string
  kind?: string
  url?: string
  data?: object
}
/** One row per event. The expected numbers below are counted from these by hand. */
const known: readonly Known[] = [
  {
    day: '2026-03-01',
    device: 'a',
    url: 'https://www.site.test/pricing?x=1',
    data: { trigger: 'load' },
  },
  {
    day: '2026-03-01',
    device: 'a',
    url: 'https://www.site.test/download',
    data: { trigger: 'link' },
  },
  {
    day: '2026-03-01',
    device: 'b',
    country: 'DE',
    url: 'https://www.site.test/pricing',
    data: { trigger: 'load' },
  },
  {
    day: '2026-03-02',
    device: 'a',
    url: 'https://www.site.test/pricing',
    data: { trigger: 'load' },
  },
  {
    day: '2026-03-02',
    device: 'c',
    locale: 'zh',
    country: '',
    url: 'https://cn.site.test/pricing',
    data: { trigger: 'load' },
  },
  // Versions without a table of web vitals stored them like this. They are not page views.
  {
    day: '2026-03-02',
    device: 'a',
    data: { trigger: 'web-vitals', addition: { lcp: 1000, inp: 50, cls: 0.01, route: 'pricing' } },
  },
  {
    day: '2026-03-02',
    device: 'a',
    kind: 'click',
    data: { key: 'download', addition: { system: 'com_win64' } },
  },
  {
    day: '2026-03-02',
    device: 'a',
    kind: 'click',
    data: { key: 'download-file', addition: { system: 'com_win64', position: 2 } },
  },
  {
    day: '2026-03-02',
    device: 'b',
    country: 'DE',
    kind: 'click',
    data: { key: 'download-detected', addition: { system: 'com_arm64' } },
  },
  // A link to the download page, and a click on something else, are not downloads.
  { day: '2026-03-02', device: 'b', country: 'DE', kind: 'click', data: { key: 'download' } },
  {
    day: '2026-03-02',
    device: 'b',
    country: 'DE',
    kind: 'click',
    data: { key: 'register', addition: { system: 'com_mac' } },
  },
  {
    day: '2026-03-02',
    device: 'b',
    country: 'DE',
    kind: 'error',
    data: {
      error_type: 100102,
      trigger: 'script error',
      message: '=HYPERLINK("http://evil.test")',
    },
  },
  {
    day: '2026-03-02',
    device: 'c',
    locale: 'zh',
    country: '',
    kind: 'expose',
    data: { addition: { key: 'hero' } },
  },
  // The days before and after the range.
  { day: '2026-02-28', device: 'z', url: 'https://www.site.test/', data: { trigger: 'load' } },
  { day: '2026-03-03', device: 'z', url: 'https://www.site.test/', data: { trigger: 'load' } },
]
const sources: ReadonlyArray<Partial<Insertable<Tables['sources']>>> = [
  { device_id: 'a', utm_source: 'Mail', utm_medium: 'newsletter', utm_campaign: 'spring' },
  {
    device_id: 'b',
    utm_source: 'mail',
    utm_medium: 'newsletter',
    utm_campaign: 'spring',
    referer: 'https://web.mail.test/',
  },
  { device_id: 'c', referer: 'https://www.search.test/?q=proxy' },
  { device_id: 'c', referer: '' },
]
const at = (day: string): number => Date.parse(`${day}T12:00:00Z`)
const unmeasured = { lcp: null, inp: null, cls: null, fcp: null, ttfb: null }
const vitals: ReadonlyArray<Insertable<Tables['vitals']>> = [
  { at: at('2026-03-01'), route: 'pricing', locale: 'en', lcp: 1000, inp: 50, cls: 0.01 },
  { at: at('2026-03-02'), route: 'pricing', locale: 'en', lcp: 2000, cls: 0.2 },
  { at: at('2026-03-02'), route: 'pricing', locale: 'en', lcp: 3000, ttfb: 80 },
  { at: at('2026-03-02'), route: 'pricing', locale: 'en', lcp: 9000, fcp: 900 },
  { at: at('2026-03-02'), route: 'home', locale: 'zh', lcp: 500 },
  { at: at('2026-03-03'), route: 'home', locale: 'zh', lcp: 7000 },
].map((row) => ({ ...unmeasured, ...row }))

/** Inserts rows as the site would have written them on those days. */
async function fill(database: Database): Promise<void> {
  const countries = ['US', 'DE', '']
  await database.run(async (db) => {
    await db
      .insertInto('event_contexts')
      .values(
        countries.map((country) => ({
          id: `in ${country}`,
          received_at: 0,
          data: JSON.stringify({ user_info: { country } }),
        })),
      )
      .execute()
    await db
      .insertInto('events')
      .values(
        known.map(
          ({
            day,
            device,
            locale = 'en',
            country = 'US',
            kind = 'view',
            url = '',
            data = {},
          }): Tables['events'] => ({
            id: randomUUID(),
            received_at: at(day),
            ts: 0,
            kind,
            op: 0,
            locale,
            device_id: device,
            url,
            data: JSON.stringify(data),
            context_id: `in ${country}`,
          }),
        ),
      )
      .execute()
    await db.insertInto('vitals').values(vitals).execute()
    await db
      .insertInto('sources')
      .values(
        sources.map((source) => testSource({ at: at('2026-03-02'), device_id: '', ...source })),
      )
      .execute()
    await db
      .insertInto('referrals')
      .values([
        { device_id: 'a', code: 'friend', at: at('2026-03-01') },
        { device_id: 'c', code: 'friend', at: at('2026-03-02') },
        { device_id: 'c', code: 'later', at: at('2026-03-03') },
      ])
      .execute()
    await db
      .insertInto('accounts')
      .values(
        [
          {
            id: '1',
            subject: '1',
            language: 'en',
            invite_code: 'friend',
            created_at: at('2026-03-01'),
            signed_in_at: at('2026-03-02'),
          },
          {
            id: '2',
            subject: '2',
            language: 'zh',
            invite_code: '',
            created_at: at('2026-03-02'),
            signed_in_at: at('2026-03-02'),
          },
          {
            id: '3',
            subject: '3',
            language: 'en',
            invite_code: 'friend',
            created_at: at('2026-01-01'),
            signed_in_at: at('2026-03-02'),
          },
        ].map((account) => ({
          provider: 'google',
          email: '',
          name: '',
          picture: '',
          source: '',
          referer: '',
          ...account,
        })),
      )
      .execute()
    await db
      .insertInto('search_misses')
      .values([
        { day: '2026-03-01', locale: 'en', query: 'socks6', count: 2 },
        { day: '2026-03-02', locale: 'en', query: 'socks6', count: 3 },
        { day: '2026-03-02', locale: 'zh', query: '代理池', count: 4 },
        { day: '2026-03-03', locale: 'en', query: 'tomorrow', count: 9 },
      ])
      .execute()
  })
}

describeOnStores('insights', (start) => {
  let store: TestStore | undefined
  let database: Database
  beforeAll(async () => {
    store = await start()
    database = openDatabase({
      url: await store.url(),
      script: join(buildFolder(), 'server', 'sqlite-worker.js'),
      log: { error: () => undefined },
    })
    await fill(database)
  }, 120_000)
  afterAll(async () => {
    await database?.close()
    await store?.stop()
  })
  const count = (
    more = '',
    most?: { events: number; others: number; searches: number },
  ): Promise<Insights> =>
    makeInsights(database, readFilter(`from=2026-03-01&to=2026-03-02${more}`), most)
  const rowsOf = ({ tables }: Insights, id: string) => tables.find((table) => table.id === id)?.rows

  it.each([
    [
      'days',
      [
        ['2026-03-02', 2, 2, 3, 1, 1],
        ['2026-03-01', 3, 2, 0, 1, 0],
      ],
    ],
    [
      'pages',
      [
        ['/pricing', 4, 3],
        ['/download', 1, 1],
      ],
    ],
    [
      'languages',
      [
        ['en', 4, 2],
        ['zh', 1, 1],
      ],
    ],
    [
      'countries',
      [
        ['US', 3, 1],
        ['-', 1, 1],
        ['DE', 1, 1],
      ],
    ],
    [
      'downloads',
      [
        ['com_win64', 2, 1],
        ['com_arm64', 1, 1],
      ],
    ],
    [
      'sources',
      [
        ['mail', 2, 2, 2],
        ['(direct)', 1, 1, 0],
        ['search.test', 1, 1, 0],
      ],
    ],
    ['campaigns', [['spring', 'mail', 'newsletter', 2, 2, 2]]],
    ['codes', [['friend', 2, 1, 1]]],
    [
      'sign-ins',
      [
        ['2026-03-02', 1, 2],
        ['2026-03-01', 1, 0],
      ],
    ],
    ['errors', [['100102', 'script error', '=HYPERLINK("http://evil.test")', 1, 1]]],
    [
      'searches',
      [
        ['socks6', 'en', 5],
        ['代理池', 'zh', 4],
      ],
    ],
    // Nearest rank: the third of four samples. INP has one sample, CLS two.
    [
      'vitals',
      [
        ['pricing', 'en', 4, 3000, 50, 0.2],
        ['home', 'zh', 1, 500, null, null],
      ],
    ],
  ])('fill the table of %s', async (id, rows) => expect(rowsOf(await count(), id)).toEqual(rows))

  it('filter by language and by country', async () => {
    const chinese = await count('&locale=zh')
    expect(rowsOf(chinese, 'days')).toEqual([
      ['2026-03-02', 1, 1, 0, 1, 0],
      ['2026-03-01', 0, 0, 0, 0, 0],
    ])
    expect([
      rowsOf(chinese, 'sources'),
      rowsOf(chinese, 'codes'),
      rowsOf(chinese, 'searches'),
    ]).toEqual([
      [
        ['(direct)', 1, 1, 0],
        ['search.test', 1, 1, 0],
      ],
      [['friend', 1, 0, 0]],
      [['代理池', 'zh', 4]],
    ])
    expect(rowsOf(chinese, 'vitals')).toEqual([['home', 'zh', 1, 500, null, null]])
    const german = await count('&country=DE')
    expect(rowsOf(german, 'countries')).toEqual([['DE', 1, 1]])
    expect(rowsOf(german, 'downloads')).toEqual([['com_arm64', 1, 1]])
    expect(rowsOf(german, 'sources')).toEqual([['mail', 1, 1, 1]])
    expect(rowsOf(await count('&country=-'), 'countries')).toEqual([['-', 1, 1]])
    expect(rowsOf(await count('&country=FR'), 'countries')).toEqual([])
  })

  it('count the newest events if there are more than are read', async () => {
    const insights = await count('', { events: 5, others: 10, searches: 10 })
    expect(rowsOf(insights, 'days')?.at(-1)).toEqual(['2026-03-01', 0, 0, 0, 1, 0])
  })

  it('read each event once, even if many arrived in the same millisecond', async () => {
    const rows = Array.from({ length: 4500 }, (_, index): Tables['events'] => ({
      id: randomUUID(),
      received_at: at('2026-04-01') + Math.floor(index / 1500),
      ts: 0,
      kind: 'view',
      op: 0,
      locale: 'en',
      device_id: `d${index}`,
      url: 'https://www.site.test/',
      data: '{}',
      context_id: 'none',
    }))
    for (let begin = 0; begin < rows.length; begin += 500)
      await database.run((db) =>
        db
          .insertInto('events')
          .values(rows.slice(begin, begin + 500))
          .execute(),
      )
    const insights = await makeInsights(database, readFilter('from=2026-04-01&to=2026-04-01'))
    expect(rowsOf(insights, 'days')).toEqual([['2026-04-01', 4500, 4500, 0, 0, 0]])
  })
})

describe('the insights', () => {
  const token = 'owner"s-token-of-the-insights'
  const bearer = { authorization: `Bearer ${token}` }
  const basic = (text: string) => ({
    authorization: `Basic ${Buffer.from(text).toString('base64')}`,
  })
  let site: TestSite
  beforeAll(async () => {
    site = await startTestSite({ OPS_TOKEN: token, RATE_EVENTS: '10000' })
    const seal = await sealFor(site.port)
    const list = [
      {
        kind: 'view',
        op: 0,
        url: `http://localhost:${site.port}/pricing`,
        trigger: 'load',
        addition: { route: 'pricing' },
      },
      { kind: 'click', op: 3, key: 'download', addition: { system: 'com_mac' } },
      {
        kind: 'error',
        op: 6,
        error_type: 100103,
        trigger: 'unhandled rejection',
        message: '<script>alert(1)</script>,"=cmd',
      },
      { kind: 'error', op: 6, error_type: 100101, trigger: '@SUM(1)', message: '+1+1' },
    ].map((event) => ({ id: randomUUID(), ts: Date.now(), ...event }))
    await callApi(site.port, '/sys/config/event', {
      form: await seal(
        JSON.stringify({
          list,
          comm: { device_id: 'device-number-1', locale: 'es', user_info: { country: 'ES' } },
        }),
      ),
    })
    await searchSite(site, 'qwxzzyv', 'es')
  }, 60_000)
  afterAll(() => site.stop())
  const file = '?format=csv&table=days'
  const ask = (query = file, headers: Record<string, string> = bearer): Promise<Answer> =>
    site.get(`/_ops/insights${query}`, { headers })

  it.each([
    ['nothing', {}, 401],
    ['another token', { authorization: 'Bearer other' }, 401],
    ['the token as a name', basic(`${token}:`), 401],
    ['another password', basic('owner:other'), 401],
    ['a login without password', basic(token.slice(1)), 401],
    ['another scheme', { authorization: `Digest ${token}` }, 401],
    ['the bearer token', bearer, 200],
    ['a login with it', basic(`owner:${token}`), 200],
    ['a login without name', basic(`:${token}`), 200],
  ] as ReadonlyArray<[string, Record<string, string>, number]>)(
    'answers %s',
    async (_, headers, status) => {
      const answer = await ask(file, headers)
      expect(answer.status).toBe(status)
      if (status === 401) expect(answer.headers['www-authenticate']).toMatch(/^Basic realm=/)
    },
  )

  it('is the only call with basic authentication, and 404 without OPS_TOKEN', async () => {
    const purge = await site.get('/_ops/cache', { headers: basic(`owner:${token}`) })
    expect([purge.status, purge.headers['www-authenticate']]).toEqual([401, 'Bearer'])
    const other = await startTestSite()
    try {
      for (const headers of [{}, basic(':'), { authorization: 'Bearer ' }])
        for (const query of ['', file])
          expect((await other.get(`/_ops/insights${query}`, { headers })).status).toBe(404)
    } finally {
      await other.stop()
    }
  }, 60_000)

  it.each([
    ['', '/_ops/console'],
    [
      '?from=2026-03-01&to=2026-03-02&locale=es',
      '/_ops/console?from=2026-03-01&to=2026-03-02&locale=es',
    ],
  ])('leads to the console where no file is asked for: %j', async (query, location) => {
    for (const headers of [bearer, {}] as Array<Record<string, string>>) {
      const answer = await ask(query, headers)
      expect([answer.status, answer.headers.location]).toEqual([302, location])
      expect(answer.headers['cache-control']).toBe('no-store')
    }
  })

  it('counts events that have just arrived', async () => {
    await eventually(async () => {
      // A different range each time, because results are cached for 30 s.
      const days = 1 + Math.floor(Math.random() * 300)
      const from = new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
      const { body } = await ask(`?from=${from}&format=csv&table=searches&locale=es`)
      expect(body).toContain('qwxzzyv,es,1')
    })
    expect((await ask('?format=csv&table=languages')).body).toBe(
      '\uFEFFlanguage,views,visitors\r\nes,1,1\r\n',
    )
  })

  it('exports CSV files without formulas', async () => {
    const { body, headers } = await ask('?format=csv&table=errors')
    expect([headers['content-type'], headers['content-disposition']]).toEqual([
      'text/csv; charset=utf-8',
      expect.stringMatching(
        /^attachment; filename="insights-errors-\d{4}-\d\d-\d\d-\d{4}-\d\d-\d\d\.csv"$/,
      ),
    ])
    expect(body.split('\r\n').sort()).toEqual([
      '',
      '100101,"\'@SUM(1)","\'+1+1",1,1',
      '100103,unhandled rejection,"<script>alert(1)</script>,""=cmd",1,1',
      '\uFEFFtype,what,message,errors,visitors',
    ])
  })

  it.each([
    ['?from=2026-03-02&to=2026-03-01&format=csv', 'from comes after to'],
    ['?from=yesterday&format=csv', 'from is not valid'],
    ['?to=2026-02-30&format=csv', 'to is not valid'],
    ['?locale=xx&format=csv', 'locale is not valid'],
    ['?country=Germany&format=csv', 'country is not valid'],
    ['?from=2020-01-01&to=2026-01-01&format=csv', 'from is not valid: at most 366 days at once'],
    ['?format=xml', 'format is csv'],
    ['?format=csv&table=secrets', expect.stringMatching(/^table is one of days, /)],
  ])('refuses %s', async (query, message) => {
    const { status, body } = await ask(query)
    expect([status, (JSON.parse(body) as { msg: string }).msg]).toEqual([400, message])
  })

  it('accepts empty form fields, and only GET and HEAD', async () => {
    expect((await ask('?format=csv&table=days&from=&to=&locale=&country=')).status).toBe(200)
    const head = { method: 'HEAD', headers: bearer }
    expect((await site.get(`/_ops/insights${file}`, head)).status).toBe(200)
    const post = await site.get('/_ops/insights', { method: 'POST', headers: bearer })
    expect([post.status, post.headers['allow']]).toEqual([405, 'GET, HEAD'])
  })
})
