/** The data of the console's views (spec 8.11). */
import { randomUUID } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { request, type IncomingMessage } from 'node:http'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { dayMs } from '../../../shared/constants'
import type { Database } from '../../../server/db/database'
import { prune, retention } from '../../../server/db/prune'
import type { Message } from '../../../shared/console/messages'
import type { Overview } from '../../../shared/console/overview'
import type { PageRow } from '../../../shared/console/pages'
import type { RetentionRow } from '../../../shared/console/privacy'
import { askConsole, consoleData } from '../../../testing/console'
import {
  openTestDatabase,
  storeTestEvents,
  testAccount,
  testSource,
  type TestEvent,
} from '../../../testing/console-data'
import { contentWith } from '../../../testing/content-copy'
import { eventually, operator, opsToken, startTestSite, type TestSite } from '../../../testing/site'
import { describeOnStores, type TestStore } from '../../../testing/stores'

const time = (text: string): number => Date.parse(`${text}Z`)
/** The expected numbers below are counted from these by hand. */
const events: readonly TestEvent[] = [
  // The day before the period.
  { at: time('2026-02-28T10:00'), device: 'device-a', path: '/pricing' },
  { at: time('2026-03-01T09:10'), device: 'device-a', path: '/' },
  {
    at: time('2026-03-01T09:20'),
    device: 'device-a',
    path: '/pricing',
    data: { trigger: 'link' },
  },
  {
    at: time('2026-03-01T09:25'),
    device: 'device-a',
    kind: 'click',
    data: { key: 'hero-register' },
  },
  {
    at: time('2026-03-01T09:25'),
    device: 'device-a',
    kind: 'click',
    data: { key: 'hero-register' },
  },
  {
    at: time('2026-03-01T23:59'),
    device: 'device-b',
    path: '/pricing',
    locale: 'zh',
    country: '',
    agent: 'phone',
  },
  { at: time('2026-03-02T00:00'), device: 'device-b', path: '/', locale: 'zh', country: 'CN' },
  {
    at: time('2026-03-02T08:00'),
    device: 'device-a',
    kind: 'click',
    data: { key: 'download-file', addition: { system: 'com_mac' } },
  },
  {
    at: time('2026-03-01T12:00'),
    device: 'device-b',
    kind: 'error',
    data: { error_type: 100102, trigger: 'script error', message: 'x is not a function' },
  },
  {
    at: time('2026-03-02T12:00'),
    device: 'device-b',
    kind: 'error',
    data: { error_type: 100102, trigger: 'script error', message: 'x is not a function' },
  },
  { at: time('2026-03-02T12:00'), device: 'device-b', kind: 'expose', data: { key: 'hero' } },
  ...['/pricing', '/pricing?a=1', '/docs/proxies'].map((target) => ({
    ...{ at: time('2026-03-02T12:00'), device: 'device-b', kind: 'click' as const },
    data: { key: 'search-result', target_url: `https://www.site.test${target}` },
  })),
  // Old versions stored web vitals like this. They are not page views.
  { at: time('2026-03-02T12:00'), device: 'device-b', data: { trigger: 'web-vitals' } },
]

/** One article whose translations are in all states that the list shows. */
const articles: Readonly<Record<string, string>> = {
  'all-states/en.md': 'date: 2026-03-20',
  'all-states/zh.md': 'date: 2026-03-01',
  'all-states/tr.md': 'date: 2026-03-20',
  'all-states/ko.md': 'date: 2026-03-01\nupdated: 2026-03-21',
  'all-states/fr.md': 'date: 2026-03-20\npublish: 2099-01-02T09:30Z',
  'all-states/pt.md': 'date: 2026-03-20\ndraft: true',
  'without-english/en.md': 'date: 2026-03-20\ndraft: true',
}
function writeArticles(): string {
  const content = contentWith({})
  for (const [path, front] of Object.entries(articles)) {
    const file = join(content, 'blog', path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(
      file,
      `---\ntitle: "A text"\ndescription: "A text in a state"\ncategory: proxies\n${front}\n---\n\n![A view](not-there.png)\n`,
    )
  }
  return content
}

async function fill(database: Database): Promise<void> {
  await storeTestEvents(database, events)
  await database.run(async (db) => {
    await db
      .insertInto('sources')
      .values([
        testSource({
          at: time('2026-03-01T09:10'),
          device_id: 'device-a',
          utm_source: 'Mail',
          utm_campaign: 'spring',
        }),
        testSource({
          at: time('2026-03-02T00:00'),
          device_id: 'device-b',
          referer: 'https://www.search.test/?q=proxy',
        }),
        testSource({ at: time('2026-02-28T00:00'), device_id: 'device-c', utm_source: 'mail' }),
      ])
      .execute()
    await db
      .insertInto('referrals')
      .values({ device_id: 'device-a', code: 'friend', at: time('2026-03-01T09:10') })
      .execute()
    await db
      .insertInto('accounts')
      .values(
        testAccount({
          id: 'account-1',
          email: 'Ann@Example.org',
          created_at: time('2026-03-01T10:00'),
          signed_in_at: time('2026-03-01T10:00'),
        }),
      )
      .execute()
    await db
      .insertInto('vitals')
      .values(
        [2000, 500, 2000, 1000].map((lcp) => ({
          ...{ at: Date.now(), route: 'doc', locale: 'en', lcp },
          ...{ inp: 90, cls: null, fcp: null, ttfb: null },
        })),
      )
      .execute()
    await db
      .insertInto('vitals')
      .values(
        [1000, 2000, 3000, 9000].map((lcp) => ({
          at: time('2026-03-02T10:00'),
          route: 'pricing',
          locale: 'en',
          lcp,
          inp: null,
          cls: 0.1,
          fcp: null,
          ttfb: null,
        })),
      )
      .execute()
  })
}

describeOnStores('the views of the console', (start) => {
  let store: TestStore | undefined
  let site: TestSite
  let database: Database
  let url = ''
  const content = writeArticles()
  const startSite = (): Promise<TestSite> =>
    startTestSite({ DATABASE_URL: url, OPS_TOKEN: opsToken, CONTENT_DIR: content })
  beforeAll(async () => {
    store = await start()
    url = await store.url()
    database = openTestDatabase(url)
    await fill(database)
    site = await startSite()
  }, 120_000)
  afterAll(async () => {
    await site?.stop()
    await database?.close()
    await store?.stop()
    rmSync(content, { recursive: true, force: true })
  })
  const read = async <Data>(path: string): Promise<Data> =>
    consoleData<Data>(await askConsole(site.port, `/api${path}`, { headers: operator }))

  describe('overview', () => {
    const overview = (more = ''): Promise<Overview> =>
      read(`/overview?from=2026-03-01&to=2026-03-02${more}`)
    beforeAll(async () => {
      await eventually(async () => {
        const cursors = await database.run((db) =>
          db.selectFrom('count_cursors').select('name').orderBy('name').execute(),
        )
        expect(cursors.map(({ name }) => name)).toEqual(['events', 'sources'])
      })
    }, 60_000)

    it('counts the period and the one before', async () => {
      const { totals, countedUntil } = await overview()
      expect(totals).toEqual({
        views: { now: 4, before: 1 },
        // A visitor counts once a day: two on the first day, one on the second.
        visitors: { now: 3, before: 1 },
        referrals: { now: 1, before: 0 },
        downloads: { now: 1, before: 0 },
        registrations: { now: 2, before: 0 },
        accounts: { now: 1, before: 0 },
        messages: { now: 0, before: 0 },
        errors: { now: 2, before: 0 },
      })
      expect(countedUntil).toBe(time('2026-03-02T12:00'))
    })

    it('draws points of days, which contain the hours in UTC', async () => {
      const { series } = await overview()
      expect(series).toEqual({
        starts: [time('2026-03-01T00:00'), time('2026-03-02T00:00')],
        views: [3, 1],
        visitors: [2, 1],
        viewsBefore: [0, 1],
      })
    })

    it.each([
      [
        'locales',
        [
          ['en', 2, 1],
          ['zh', 2, 2],
        ],
      ],
      [
        'countries',
        [
          ['US', 2, 1],
          ['-', 1, 1],
          ['CN', 1, 1],
        ],
      ],
      [
        'devices',
        [
          ['desktop', 3, 2],
          ['phone', 1, 1],
        ],
      ],
    ] as const)('groups views and visitors by %s', async (name, rows) => {
      const groups = (await overview())[name]
      expect(groups.map(({ key, views, visitors }) => [key, views, visitors])).toEqual(rows)
    })

    it.each([
      [
        'pages',
        [
          ['/', 2, 0],
          ['/pricing', 2, 1],
        ],
      ],
      [
        'referrers',
        [
          ['mail', 1, 1],
          ['search.test', 1, 0],
        ],
      ],
      ['campaigns', [['spring', 1, 0]]],
      ['downloads', [['com_mac', 1, 0]]],
    ] as const)('lists %s with their counts before', async (name, rows) => {
      const keys = (await overview())[name]
      expect(keys.map(({ key, count, before }) => [key, count, before])).toEqual(rows)
    })

    it('lists the results of the search that visitors opened, without query', async () => {
      type Searches = { clicks: Array<{ path: string; locale: string; count: number }> }
      const clicks = async (query: string): Promise<Searches['clicks']> =>
        (await read<Searches>(`/search?${query}`)).clicks
      expect(await clicks('from=2026-03-01&to=2026-03-02')).toEqual([
        { path: '/pricing', locale: 'en', count: 2 },
        { path: '/docs/proxies', locale: 'en', count: 1 },
      ])
      expect(await clicks('from=2026-03-01&to=2026-03-01')).toEqual([])
      expect(await clicks('from=2026-03-01&to=2026-03-02&locale=zh')).toEqual([])
    })

    it('counts how far visitors came', async () => {
      expect((await overview()).funnel).toEqual([
        { step: 'step-landed', count: 3 },
        { step: 'step-second', count: 1 },
        { step: 'step-prices', count: 2 },
        { step: 'step-register', count: 1 },
      ])
    })

    it('groups errors, with first and last time, and web vitals by route', async () => {
      const { errors, vitals } = await overview()
      expect(errors).toEqual([
        {
          id: expect.any(String),
          type: '100102',
          what: 'script error',
          message: 'x is not a function',
          count: 2,
          firstAt: time('2026-03-01T12:00'),
          lastAt: time('2026-03-02T12:00'),
        },
      ])
      expect(vitals).toEqual([
        { route: 'pricing', locale: 'en', visits: 4, lcp: 3000, inp: null, cls: 0.1 },
      ])
    })

    it.each([
      ['&locale=zh', { views: 2, visitors: 2 }],
      ['&country=-', { views: 1, visitors: 1 }],
      ['&locale=en&country=US', { views: 2, visitors: 1 }],
      ['&locale=en&country=DE', { views: 0, visitors: 0 }],
    ])('filters by %s', async (more, expected) => {
      const { totals } = await overview(more)
      expect({ views: totals.views.now, visitors: totals.visitors.now }).toEqual(expected)
    })

    it.each([
      ['?from=2026-03-02&to=2026-03-01', 'from comes after to'],
      ['?from=yesterday', expect.stringMatching(/^from: /)],
      ['?locale=xx', expect.stringMatching(/^locale: /)],
      ['?country=Germany', expect.stringMatching(/^country: /)],
      ['?from=2020-01-01&to=2026-01-01', 'from is not valid: at most 366 days at once'],
    ])('refuses %s', async (query, msg) => {
      const { status, body } = await askConsole(site.port, `/api/overview${query}`, {
        headers: operator,
      })
      expect([status, JSON.parse(body)]).toEqual([400, expect.objectContaining({ msg })])
    })

    it('keeps counts without device ids', async () => {
      const tables = ['event_hours', 'event_days', 'event_keys', 'error_groups'] as const
      const rows = await Promise.all(
        tables.map((table) => database.run((db) => db.selectFrom(table).selectAll().execute())),
      )
      expect(rows.map(({ length }) => length > 0)).toEqual([true, true, true, true])
      expect(JSON.stringify(rows)).not.toContain('device-')
    })

    it('goes on counting after a restart, each event once', async () => {
      await site.stop()
      const at = time('2026-03-02T13:00')
      await storeTestEvents(database, [{ at, device: 'device-a', path: '/faq' }])
      site = await startSite()
      await eventually(async () => {
        const { at: countedUntil } = await database.run((db) =>
          db
            .selectFrom('count_cursors')
            .select('at')
            .where('name', '=', 'events')
            .executeTakeFirstOrThrow(),
        )
        expect(countedUntil).toBe(at)
      })
      const { countedUntil, totals } = await overview('&locale=en')
      expect([countedUntil, totals.views.now]).toEqual([at, 3])
    }, 60_000)
  })

  const change = <Data>(path: string, json: unknown): Promise<Data> =>
    askConsole(site.port, `/api${path}`, { headers: operator, json }).then((answer) =>
      consoleData<Data>(answer),
    )

  describe('messages', () => {
    type List = { messages: Message[]; hasMore: boolean; counts: Record<string, number> }
    const list = (query = ''): Promise<List> => read(`/messages${query}`)
    beforeAll(async () => {
      const rows = Array.from({ length: 52 }, (_, index) => ({
        at: time('2026-03-01T00:00') + index,
        name: `=Name ${index}`,
        email: `visitor${index}@example.org`,
        message: `Question ${index}`,
        locale: 'en',
        page: '/pricing',
      }))
      await database.run((db) => db.insertInto('messages').values(rows).execute())
    })

    it('are listed newest first, 50 at a time, with the number of each state', async () => {
      const first = await list()
      expect([first.messages.length, first.hasMore, first.counts]).toEqual([
        50,
        true,
        { new: 52, answered: 0, closed: 0 },
      ])
      expect(first.messages[0]).toMatchObject({ message: 'Question 51', state: 'new', note: '' })
      const rest = await list(`?before=${first.messages.at(-1)?.id}`)
      expect([rest.messages.map(({ message }) => message), rest.hasMore]).toEqual([
        ['Question 1', 'Question 0'],
        false,
      ])
    })

    it('get a state and a note, and are deleted', async () => {
      const [message] = (await list()).messages
      const id = message?.id ?? 0
      expect(
        await change('/messages/change', { id, state: 'answered', note: 'Called back' }),
      ).toEqual({ changed: true })
      const answered = await list('?state=answered')
      expect(answered.messages).toEqual([{ ...message, state: 'answered', note: 'Called back' }])
      expect(await change('/messages/delete', { id })).toEqual({ deleted: true })
      expect(await change('/messages/delete', { id })).toEqual({ deleted: false })
      expect((await list()).counts).toEqual({ new: 51, answered: 0, closed: 0 })
    })

    it('are exported without formulas', async () => {
      const file = await askConsole(site.port, '/api/messages.csv', { headers: operator })
      expect(file.headers['content-type']).toBe('text/csv; charset=utf-8')
      const lines = file.body.trim().split('\r\n')
      expect([lines.length, lines[1]]).toEqual([52, expect.stringContaining(`"'=Name 50"`)])
    })

    it.each([
      ['/messages/change', { id: 1, state: 'lost', note: '' }],
      ['/messages/change', { id: 1, state: 'new', note: 'x'.repeat(4001) }],
      ['/messages/delete', { id: 'all' }],
    ])('%s refuses %j', async (path, json) => {
      const { status } = await askConsole(site.port, `/api${path}`, { headers: operator, json })
      expect(status).toBe(400)
    })
  })

  describe('privacy', () => {
    type Tables = { tables: Array<{ table: string; rows: number }> }
    const rowsOf = ({ tables }: Tables): Record<string, number> =>
      Object.fromEntries(tables.map(({ table, rows }) => [table, rows]))
    type ExportedRows = Record<string, Array<Record<string, unknown>>>
    const exportOf = async (subject: string): Promise<ExportedRows> => {
      const file = await askConsole(site.port, '/api/privacy/export', {
        headers: operator,
        json: { subject },
      })
      return JSON.parse(file.body) as ExportedRows
    }
    /** Stores events of a device. */
    async function storeRows(device: string, count: number, data: string) {
      const rows = Array.from({ length: count }, () => ({
        ...{ id: randomUUID(), received_at: time('2026-03-01T00:00'), ts: 0, kind: 'view', op: 0 },
        ...{ locale: 'en', device_id: device, url: '/', data, context_id: '' },
      }))
      for (let start = 0; start < rows.length; start += 500)
        await database.run((db) =>
          db
            .insertInto('events')
            .values(rows.slice(start, start + 500))
            .execute(),
        )
      return rows
    }
    const device = 'device-of-a-person'
    const email = 'Person@Example.org'
    beforeAll(async () => {
      const at = time('2026-03-01T00:00')
      await storeTestEvents(database, [
        { at, device },
        { at: at + 1, device, path: '/pricing' },
      ])
      await database.run(async (db) => {
        await db
          .insertInto('sources')
          .values(testSource({ at, device_id: device }))
          .execute()
        await db.insertInto('referrals').values({ device_id: device, code: 'x', at }).execute()
        await db
          .insertInto('visitor_days')
          .values({ start: at, device_id: device, steps: 1 })
          .execute()
        await db
          .insertInto('fingerprints')
          .values({ device_id: device, log_type: 'a', hash: 'h', at, data: '{}', base: '' })
          .execute()
        await db
          .insertInto('accounts')
          .values(testAccount({ id: 'person', email }))
          .execute()
        await db
          .insertInto('tokens')
          .values({ hash: 'token-hash', account_id: 'person', expires_at: 1, redeemed_at: null })
          .execute()
        await db
          .insertInto('messages')
          .values({
            at,
            name: 'P',
            email: email.toLowerCase(),
            message: 'Hello',
            locale: 'en',
            page: '/',
          })
          .execute()
      })
    })

    it.each([
      [
        device,
        {
          events: 2,
          event_contexts: 1,
          visitor_days: 1,
          sources: 1,
          referrals: 1,
          fingerprints: 1,
        },
      ],
      ['PERSON@example.ORG', { tokens: 1, accounts: 1, messages: 1 }],
    ])(
      'finds, exports and deletes everything about %s, and nothing else',
      async (subject, rows) => {
        expect(rowsOf(await change<Tables>('/privacy/find', { subject }))).toEqual(rows)
        const exported = await exportOf(subject)
        expect(
          Object.fromEntries(Object.entries(exported).map(([name, of]) => [name, of.length])),
        ).toEqual(rows)
        const others = await change<Tables>('/privacy/find', { subject: 'device-a' })
        expect(rowsOf(await change<Tables>('/privacy/delete', { subject }))).toEqual(rows)
        const none = Object.fromEntries(Object.keys(rows).map((name) => [name, 0]))
        expect(rowsOf(await change<Tables>('/privacy/find', { subject }))).toEqual(none)
        expect(await change<Tables>('/privacy/find', { subject: 'device-a' })).toEqual(others)
        await eventually(() =>
          expect(site.logs.map(({ msg, call }) => [msg, call])).toEqual(
            expect.arrayContaining([
              ['read by an operator', '/privacy/find'],
              ['changed by an operator', '/privacy/delete'],
            ]),
          ),
        )
        expect(JSON.stringify(site.logs).toLowerCase()).not.toContain(subject.toLowerCase())
      },
    )

    it('exports and deletes each of many thousand rows once', async () => {
      const subject = 'device-with-many-rows'
      const rows = await storeRows(subject, 21_500, '{"title":"\u2028"}')
      const { events, sources } = await exportOf(subject)
      expect(events?.map(({ id }) => id).sort()).toEqual(rows.map(({ id }) => id).sort())
      expect(events?.[0]).toEqual(rows.find(({ id }) => id === events?.[0]?.['id']))
      expect(sources).toEqual([])
      const deleted = rowsOf(await change<Tables>('/privacy/delete', { subject }))
      expect(deleted['events']).toBe(rows.length)
    }, 60_000)

    it('reads the rows of an export only as fast as the client takes them', async () => {
      const subject = 'device-of-a-slow-client'
      const { length } = await storeRows(subject, 4000, 'x'.repeat(8000))
      const answer = await new Promise<IncomingMessage>((resolve, reject) => {
        const host = { host: '127.0.0.1', port: site.port, path: '/_ops/api/privacy/export' }
        const headers = { ...operator, 'content-type': 'application/json' }
        request({ ...host, method: 'POST', headers }, resolve)
          .on('error', reject)
          .end(JSON.stringify({ subject }))
      })
      expect(answer.headers['content-disposition']).toBe('attachment; filename="person.json"')
      // Nothing of it has been taken yet, so the rows that are deleted now are not in the file.
      await change('/privacy/delete', { subject })
      const parts: Buffer[] = []
      for await (const part of answer) parts.push(part as Buffer)
      const { events = [] } = JSON.parse(Buffer.concat(parts).toString()) as ExportedRows
      expect(events.length).toBeGreaterThan(0)
      expect(events.length).toBeLessThan(length)
    }, 60_000)

    it('searches every table that holds a device id or an email address', async () => {
      const known = await database.run((db) => db.introspection.getTables())
      const tables = ['device_id', 'email'].map((column) =>
        known.flatMap(({ name, columns }) =>
          columns.some((candidate) => candidate.name === column) ? [name] : [],
        ),
      )
      const searched = await Promise.all(
        ['an-unknown-device', 'unknown@example.org'].map(async (subject) =>
          Object.keys(rowsOf(await change<Tables>('/privacy/find', { subject }))),
        ),
      )
      expect(searched[0]).toEqual(expect.arrayContaining(tables[0] ?? []))
      expect(searched[1]).toEqual(expect.arrayContaining(tables[1] ?? []))
    })

    it('shows how long rows are kept, and what was deleted last', async () => {
      const now = Date.now()
      await prune(database, now)
      const { tables } = await read<{ tables: RetentionRow[] }>('/privacy/retention')
      expect(tables.map(({ table, days }) => [table, days])).toEqual(
        Object.entries(retention).map(([table, rule]) => [
          table,
          rule === 'always' ? null : rule.days,
        ]),
      )
      expect(tables.find(({ table }) => table === 'events')).toEqual({
        table: 'events',
        days: 90,
        prunedAt: now,
        deleted: expect.any(Number),
      })
    })
  })

  describe('pages', () => {
    type Part = { rows: PageRow[]; next: string | null }
    const list = async (query: string): Promise<PageRow[]> => {
      const rows: PageRow[] = []
      let after: string | null = ''
      while (after !== null) {
        const part: Part = await read<Part>(`/pages?${query}&after=${encodeURIComponent(after)}`)
        rows.push(...part.rows)
        after = part.next
      }
      return rows
    }

    it('are in every language: there, as fallback, or redirected, with the reason', async () => {
      const rows = await list('search=proxies&collection=docs')
      const row = (locale: string) =>
        rows.find((candidate) => candidate.page === 'docs/proxies' && candidate.locale === locale)
      expect(row('en')).toMatchObject({ state: 'there', whyNotIndexable: '' })
      expect(Number(row('en')?.words)).toBeGreaterThan(100)
      const guide = await list('collection=guide&locale=ru')
      expect(new Set(guide.map(({ state }) => state))).toEqual(new Set(['redirected']))
      const whyNot = (found: readonly PageRow[]) => found.map((one) => one.whyNotIndexable)
      expect(new Set(whyNot(guide))).toEqual(new Set(['redirected']))
      expect(whyNot(await list('search=error&collection=routes&locale=en'))).toContain('noindex')
    })

    it.each([
      ['all-states', 'en', 'there', ''],
      ['all-states', 'tr', 'there', ''],
      ['all-states', 'ko', 'there', ''],
      ['all-states', 'zh', 'outdated', 'en changed later'],
      ['all-states', 'tc', 'converted', 'from zh'],
      ['all-states', 'es', 'fallback', 'text of en'],
      ['all-states', 'fr', 'scheduled', 'on 2099-01-02T09:30'],
      ['all-states', 'pt', 'draft', ''],
      ['without-english', 'en', 'draft', ''],
      ['without-english', 'es', 'missing', ''],
    ])('blog/%s in %s is %s: %j', async (id, locale, state, why) => {
      const [row] = await list(`collection=blog&locale=${locale}&search=${id}`)
      const isIndexable = state === 'there' || state === 'outdated'
      expect(row).toMatchObject({ state, why, whyNotIndexable: isIndexable ? '' : state })
    })

    it('are filtered, each row once, with views of the last 30 days', async () => {
      const at = Date.now() - 24 * 60 * 60 * 1000
      const start = at - (at % (24 * 60 * 60 * 1000))
      await database.run((db) =>
        db
          .insertInto('event_keys')
          .values({ kind: 'page', start, key: '/docs/proxies', locale: 'en', count: 7 })
          .execute(),
      )
      const rows = await list('locale=en')
      const keys = rows.map(({ page, locale }) => `${page} ${locale}`)
      expect(new Set(keys).size).toBe(keys.length)
      expect(rows.find(({ page }) => page === 'docs/proxies')?.views).toBe(7)
      const states = await list('locale=es&state=fallback')
      expect(new Set(states.map(({ state }) => state)).size).toBeLessThanOrEqual(1)
      expect(rows.find(({ page }) => page === 'routes/pricing')).toMatchObject({ state: 'there' })
    })

    it('have the clicks of 30 days in the search, and the web vitals of their route', async () => {
      const start = Date.now() - (Date.now() % dayMs) - dayMs
      await database.run((db) =>
        db
          .insertInto('event_keys')
          .values(
            [start, start - 40 * dayMs].map((day) => ({
              ...{ kind: 'search-click' as const, start: day, count: 3 },
              ...{ key: '/docs/proxies', locale: 'en' },
            })),
          )
          .execute(),
      )
      const row = (rows: readonly PageRow[]) =>
        rows.map(({ page, searchClicks, vitals }) => [page, searchClicks, vitals])
      const none = { lcp: null, inp: null, cls: null }
      expect(row(await list('collection=docs&locale=en&search=proxies'))).toContainEqual([
        'docs/proxies',
        3,
        { lcp: 2000, inp: 90, cls: null },
      ])
      expect(row(await list('collection=docs&locale=es&search=proxies'))).toContainEqual([
        'docs/proxies',
        0,
        none,
      ])
      // Measurements older than 30 days.
      expect(row(await list('collection=routes&locale=en&search=pricing'))).toEqual([
        ['routes/pricing', 0, none],
      ])
    })

    it('are a CSV file', async () => {
      const { headers, body } = await askConsole(
        site.port,
        '/api/pages.csv?collection=docs&locale=en',
        { headers: operator },
      )
      expect(headers['content-type']).toBe('text/csv; charset=utf-8')
      expect(body).toMatch(/\r\ndocs\/proxies,en,http:[^,]+\/docs\/proxies,there,/)
    })

    it('have details, and are purged', async () => {
      const url = `http://localhost:${site.port}/docs/proxies`
      const cacheStatus = async (): Promise<string> =>
        String((await site.get('/docs/proxies')).headers['cache-status'])
      await cacheStatus()
      expect(await cacheStatus()).toMatch(/hit/)
      const details = await read<Record<string, unknown>>(
        `/pages/details?url=${encodeURIComponent(url)}`,
      )
      expect(details).toMatchObject({ answer: 'the page', canonical: url, rules: [] })
      expect(JSON.stringify(details['cached'])).toContain('docs/proxies')
      expect(JSON.stringify(details['alternates'])).toContain('x-default')
      const { purged } = await change<{ purged: number }>('/pages/purge', { url })
      expect(purged).toBeGreaterThan(0)
      expect(await cacheStatus()).toMatch(/fwd=miss/)
      const redirected = await read<{ answer: string; rules: string[] }>(
        `/pages/details?url=${encodeURIComponent(`http://localhost:${site.port}/Pricing`)}`,
      )
      expect([redirected.rules.length > 0, redirected.answer]).toEqual([
        true,
        expect.stringMatching(/^301 .*\/pricing$/),
      ])
    })

    it('have a canonical URL only with a text of their own, and list the mistakes of that text', async () => {
      const details = (path: string): Promise<Record<string, unknown>> => {
        const url = `http://localhost:${site.port}${path}`
        return read(`/pages/details?url=${encodeURIComponent(url)}`)
      }
      const problem = { file: expect.stringMatching(/blog\/all-states\/en\.md$/), line: 8 }
      expect(await details('/blog/all-states')).toMatchObject({
        answer: 'the page',
        canonical: `http://localhost:${site.port}/blog/all-states`,
        problems: [{ ...problem, reason: 'blog/all-states/not-there.png is not there' }],
      })
      expect(await details('/es/blog/all-states')).toMatchObject({
        answer: 'the page',
        canonical: null,
        problems: [],
      })
      expect(await details('/blog/without-english')).toMatchObject({ answer: '404' })
    })

    it.each(['https://evil.example/', 'nothing'])('refuse the URL %s', async (url) => {
      const headers = operator
      const purge = await askConsole(site.port, '/api/pages/purge', { headers, json: { url } })
      const path = `/api/pages/details?url=${encodeURIComponent(url)}`
      const details = await askConsole(site.port, path, { headers })
      expect([purge.status, details.status]).toEqual([400, 400])
    })
  })
})
