/** Visitors' data for tests of the console, written as the site would have written it. */
import { createHash, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { Insertable } from 'kysely'
import { dayMs } from '../shared/constants'
import { openDatabase, type Database } from '../server/db/database'
import type { Tables } from '../server/db/tables'
import { utcDay } from '../shared/utc-day'
import { seededRandom } from './seeded-random'
import { buildFolder } from './root'
import { eventually } from './site'

export const openTestDatabase = (url: string): Database =>
  openDatabase({
    url,
    script: join(buildFolder(), 'server', 'sqlite-worker.js'),
    log: { error: () => undefined },
  })

const agents = {
  desktop:
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/142.0 Safari/537.36',
  phone:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148',
  tablet: 'Mozilla/5.0 (Linux; Android 15; SM-X200) AppleWebKit/537.36 Chrome/142.0 Safari/537.36',
} as const

export type TestEvent = {
  at: number
  device: string
  kind?: 'view' | 'click' | 'error' | 'expose'
  path?: string
  locale?: string
  country?: string
  agent?: keyof typeof agents
  data?: Readonly<Record<string, unknown>>
}

const chunk = <T>(rows: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(rows.length / size) }, (_, index) =>
    rows.slice(index * size, (index + 1) * size),
  )

/** Stores events with their contexts. */
export async function storeTestEvents(
  database: Database,
  events: readonly TestEvent[],
): Promise<void> {
  const contexts = new Map<string, Tables['event_contexts']>()
  const rows = events.map((event): Tables['events'] => {
    const { at, device, kind = 'view', path = '/', locale = 'en', country = 'US' } = event
    const { agent = 'desktop', data = { trigger: 'load' } } = event
    const context = JSON.stringify({
      device_id: device,
      ua: agents[agent],
      user_info: { country },
    })
    const day = utcDay(at)
    const id = createHash('sha256').update(`${day}\n${context}`).digest('hex').slice(0, 32)
    contexts.set(id, { id, received_at: at, data: context })
    return {
      id: randomUUID(),
      received_at: at,
      ts: at,
      kind,
      op: 0,
      locale,
      device_id: device,
      url: `https://www.site.test${path}`,
      data: JSON.stringify(data),
      context_id: id,
    }
  })
  await database.run(async (db) => {
    for (const part of chunk([...contexts.values()], 1000))
      await db
        .insertInto('event_contexts')
        .values(part)
        .onConflict((conflict) => conflict.column('id').doNothing())
        .execute()
    for (const part of chunk(rows, 1000)) await db.insertInto('events').values(part).execute()
  })
}

export const testSource = (
  source: Partial<Insertable<Tables['sources']>> & { at: number; device_id: string },
): Insertable<Tables['sources']> => ({
  referer: '',
  page_url: '',
  source: '',
  callback: '',
  utm_source: '',
  utm_medium: '',
  utm_term: '',
  utm_content: '',
  utm_campaign: '',
  bd_vid: '',
  ...source,
})
export const testAccount = (
  account: Partial<Insertable<Tables['accounts']>> & { id: string },
): Insertable<Tables['accounts']> => ({
  provider: 'google',
  subject: account.id,
  email: '',
  name: '',
  picture: '',
  language: 'en',
  invite_code: '',
  source: '',
  referer: '',
  created_at: 0,
  signed_in_at: 0,
  used_at: null,
  ...account,
})

const paths = ['/', '/pricing', '/download', '/blog', '/docs/proxies', '/faq', '/about-us'] as const
const countries = ['US', 'US', 'DE', 'BR', 'CN', 'VN', 'IN', ''] as const
const languages = ['en', 'en', 'en', 'zh', 'es', 'pt', 'vn', 'ru'] as const
const sourceNames = ['google', 'newsletter', 'partner', ''] as const

/** A month of visits that ended yesterday: `visitsPerDay` devices a day, a few events each. */
export async function storeTestMonth(database: Database, visitsPerDay = 40): Promise<void> {
  const random = seededRandom(7)
  const pick = <T>(choices: readonly T[]): T => choices[Math.floor(random() * choices.length)] as T
  const events: TestEvent[] = []
  const sources: Array<Insertable<Tables['sources']>> = []
  const vitals: Array<Insertable<Tables['vitals']>> = []
  const today = Date.now() - (Date.now() % dayMs)
  for (let day = 60; day >= 1; day -= 1)
    for (let visit = 0; visit < visitsPerDay * (1 - day / 120); visit += 1) {
      const at = today - day * dayMs + Math.floor(random() * dayMs * 0.9)
      const device = `device-${Math.floor(random() * visitsPerDay * 10)}`
      const common = {
        device,
        locale: pick(languages),
        country: pick(countries),
        agent: pick(['desktop', 'desktop', 'phone', 'tablet'] as const),
      }
      const views = 1 + Math.floor(random() * 4)
      for (let index = 0; index < views; index += 1) {
        const trigger = index === 0 ? 'load' : 'link'
        events.push({ ...common, at: at + index * 20_000, path: pick(paths), data: { trigger } })
      }
      if (random() < 0.15)
        events.push({ ...common, at: at + 90_000, kind: 'click', data: { key: 'call-register' } })
      if (random() < 0.1) {
        const addition = { system: pick(['com_win64', 'com_mac', 'com_linux']) }
        events.push({
          ...common,
          at: at + 95_000,
          kind: 'click',
          data: { key: 'download-file', addition },
        })
      }
      if (random() < 0.04)
        events.push({
          ...common,
          at: at + 99_000,
          kind: 'error',
          data: { error_type: 100102, trigger: 'script error', message: 'x is undefined' },
        })
      const utm_source = pick(sourceNames)
      const utm_campaign = utm_source === 'newsletter' ? 'spring' : ''
      sources.push(testSource({ at, device_id: device, utm_source, utm_campaign }))
      vitals.push({
        at,
        route: pick(['home', 'pricing', 'doc']),
        locale: common.locale,
        lcp: 800 + random() * 2600,
        inp: 40 + random() * 260,
        cls: random() * 0.15,
        fcp: null,
        ttfb: null,
      })
    }
  await storeTestEvents(
    database,
    events.sort((a, b) => a.at - b.at),
  )
  await database.run(async (db) => {
    for (const part of chunk(sources, 1000)) await db.insertInto('sources').values(part).execute()
    for (const part of chunk(vitals, 1000)) await db.insertInto('vitals').values(part).execute()
  })
}

/** Waits until the running site has counted the stored events, which are older than ten seconds. */
export const untilCounted = (database: Database, timeoutMs = 60_000): Promise<void> =>
  eventually(async () => {
    const [last, cursor] = await database.run((db) =>
      Promise.all([
        db
          .selectFrom('events')
          .select(({ fn }) => fn.max('received_at').as('at'))
          .executeTakeFirstOrThrow(),
        db.selectFrom('count_cursors').select('at').where('name', '=', 'events').executeTakeFirst(),
      ]),
    )
    if (cursor?.at !== last.at) throw new Error('the site has not counted all events')
  }, timeoutMs)

const missedQueries = [
  'captcha',
  'zimbra login',
  'прокси ipv6',
  '指紋瀏覽器',
  'cookie robot',
] as const
const missedPaths = ['/docs/quick-starts', '/price', '/blog/proxy-typess', '/wp-login.php'] as const

/** What the views of addresses, searches and the system show of the days before today. */
export async function storeTestCounts(database: Database): Promise<void> {
  const now = Date.now()
  const days = [1, 2, 3].map((days) => utcDay(now - days * dayMs))
  const searches = missedQueries.flatMap((query, index) =>
    days.map((day) => ({ day, locale: languages[index + 2] ?? 'en', query, count: 9 - index })),
  )
  const addresses = missedPaths.flatMap((path, index) =>
    days.map((day): Tables['address_counts'] => {
      const referrer = index === 0 ? 'https://forum.example/threads/which-browser' : ''
      return { day, host: 'en', path, status: 404, referrer, count: 40 - 9 * index }
    }),
  )
  const batches: Array<Insertable<Tables['announcement_batches']>> = [
    { status: 200, attempts: 1, next_at: null, error: '' },
    { status: 503, attempts: 2, next_at: now + dayMs, error: 'the receiver answered 503' },
    { status: 422, attempts: 1, next_at: null, error: 'the receiver refused the URLs' },
  ].map((batch, index) => ({ ...batch, at: now - index * dayMs, host: 'en', urls: 2 }))
  await database.run(async (db) => {
    await db.insertInto('search_misses').values(searches).execute()
    await db.insertInto('address_counts').values(addresses).execute()
    const stored = await db
      .insertInto('announcement_batches')
      .values(batches)
      .returning('id')
      .execute()
    const urls = stored.flatMap(({ id }) =>
      ['/pricing', '/docs/proxies'].map((path) => ({
        at: now,
        host: 'en' as const,
        url: `https://www.site.test${path}`,
        batch_id: id,
      })),
    )
    await db.insertInto('announcements').values(urls).execute()
    const pruned = { table_name: 'events', at: now - dayMs, deleted: 12_345 }
    await db.insertInto('prune_results').values(pruned).execute()
  })
}

/** Messages of visitors in every state. */
export async function storeTestMessages(database: Database): Promise<void> {
  const rows = [
    { state: 'new', message: 'Is there a trial of the team plan? We are twelve people.', note: '' },
    {
      state: 'answered',
      message: 'The download stops at 80 %.\n\nWindows 11, behind a company proxy.',
      note: 'Sent the offline installer.',
    },
    { state: 'closed', message: '¿Aceptan transferencias bancarias?', note: 'Yes, see /pricing.' },
  ] as const
  await database.run((db) =>
    db
      .insertInto('messages')
      .values(
        rows.map((row, index) => ({
          ...row,
          at: Date.now() - index * dayMs,
          name: ['Maria Fernández', 'Jonathan Applewood', ''][index] ?? '',
          email: `visitor${index}@example.org`,
          locale: index === 2 ? 'es' : 'en',
          page: index === 2 ? '/es/pricing' : '/download',
        })),
      )
      .execute(),
  )
}
