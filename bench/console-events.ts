/**
 * Makes a site's database of a busy month: events with their contexts, and what else the console
 * reads. The rows have the shape in which the site stores them, and are the same for the same
 * number of events.
 */
import { createHash } from 'node:crypto'
import Sqlite from 'better-sqlite3'
import { analytics, dayMs } from '../shared/constants'
import { locales, localeCodes, type LocaleCode } from '../shared/i18n/locales'
import { href } from '../shared/routes/href'
import { utcDay } from '../shared/utc-day'
import { seededRandom } from '../testing/seeded-random'

const random = seededRandom(25)
const below = (limit: number): number => Math.floor(random() * limit)
/** The first entries are the most frequent. */
const skewed = <T>(list: readonly T[]): T => list[Math.floor(random() ** 2.5 * list.length)] as T

const monthDays = 30
const hex = (): string =>
  Math.floor(random() * 4_294_967_296)
    .toString(16)
    .padStart(8, '0')
function uuid(): string {
  const [a, b, c, d] = [hex(), hex(), hex(), hex()]
  return `${a}-${b.slice(0, 4)}-4${b.slice(5)}-a${c.slice(1, 4)}-${c.slice(4)}${d}`
}

const weightedLocales = [...localeCodes, 'en', 'en', 'en', 'zh', 'es'].reverse() as LocaleCode[]
const countries = 'US DE BR CN VN IN ES RU TR TH FR UA KR JP TW GB MX ID PL IT NL CA AU PT'.split(
  ' ',
)
const agents = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (Linux; Android 15; SM-X200) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
]
const fixedRoutes = ['home', 'pricing', 'download', 'blog', 'docs', 'faq', 'about-us'] as const
const articles = 600
/** Paths of each language, the most viewed first. */
const paths = new Map(
  localeCodes.map((code) => [
    code,
    [
      ...fixedRoutes.map((route) => ({ route, path: href(code, route) })),
      ...Array.from({ length: articles }, (_, index) => ({
        route: 'blog-article',
        path: href(code, 'blog-article', { id: `generated-${index + 1}` }),
      })),
    ],
  ]),
)
const origins = {
  en: 'https://www.site.test',
  zh: 'https://site.test.cn',
  ru: 'https://site.test.ru',
}
const clickKeys = ['header-link', 'plan-period', 'hero-register', 'plan-solo', 'call-register']
const sources = ['', 'google', 'newsletter', 'partner', 'youtube', 'forum', 'bing']
const referers = ['', 'https://www.google.com/', 'https://duckduckgo.com/', 'https://news.example/']

type Device = { id: string; locale: LocaleCode; country: string; agent: string }
/** A device keeps its language, country and browser. The first are the most active. */
function createDevices(count: number): () => Device {
  const devices: Device[] = Array.from({ length: count }, () => ({
    id: uuid(),
    locale: skewed(weightedLocales),
    country: skewed(countries),
    agent: skewed(agents),
  }))
  return () => devices[Math.floor(random() ** 2 * count)] as Device
}

const contextOf = ({ id, locale, country, agent }: Device): string =>
  JSON.stringify({
    user_id: '',
    user_info: { locale, country, city: 'Springfield', region: 'Region', time_zone: 'Etc/UTC' },
    os: /Windows|Mac OS|Android/.exec(agent)?.[0] ?? 'iOS',
    ua: agent,
    device_id: id,
    screen_height: 1080,
    screen_width: 1920,
    pixel_ratio: 1,
    app_version: 'Chrome/142.0.0.0',
    page_flag: 'home',
    object_type: 'website',
    locale,
  })

type EventFields = { kind: 'view' | 'click' | 'expose' | 'error'; data: string }
const dataOf = (fields: Readonly<Record<string, unknown>>): string =>
  JSON.stringify({ title: 'A page of the site', referrer: '', duration: below(3000), ...fields })

/** What a visitor does on one page: a view, exposures, and at times a click or an error. */
function eventsOfPage(route: string, trigger: string): EventFields[] {
  const events: EventFields[] = [
    { kind: 'view', data: dataOf({ trigger, addition: { route } }) },
    ...Array.from({ length: below(4) }, (): EventFields => {
      const key = skewed(clickKeys)
      return { kind: 'expose', data: dataOf({ trigger: 'visible', addition: { key, route } }) }
    }),
  ]
  if (random() < 0.4) {
    const element = { el_type: 'a', el_class: 'button', target_url: '', content: 'Go on' }
    const data = dataOf({ trigger: 'click', key: skewed(clickKeys), ...element, addition: {} })
    events.push({ kind: 'click', data })
  }
  if (route === 'download' && random() < 0.5) {
    const addition = { system: skewed(['com_win64', 'com_mac', 'com_linux']) }
    events.push({
      kind: 'click',
      data: dataOf({ trigger: 'click', key: 'download-file', addition }),
    })
  }
  if (random() < 0.03) {
    const message = `x is undefined at ${Math.floor(random() ** 3 * 2000)}`
    const error_type = 100_101 + below(3)
    events.push({ kind: 'error', data: dataOf({ trigger: 'script', error_type, message }) })
  }
  return events
}

const insert = (db: Sqlite.Database, table: string, columns: string): Sqlite.Statement =>
  db.prepare(`INSERT OR IGNORE INTO ${table} (${columns}) VALUES (${columns.replace(/\w+/g, '?')})`)
const statementsOf = (db: Sqlite.Database) => ({
  event: insert(
    db,
    'events',
    'id, received_at, ts, kind, op, locale, device_id, url, data, context_id',
  ),
  context: insert(db, 'event_contexts', 'id, received_at, data'),
  source: insert(
    db,
    'sources',
    'at, device_id, referer, page_url, source, callback, utm_source, utm_medium, utm_term, utm_content, utm_campaign, bd_vid',
  ),
  vitals: insert(db, 'vitals', 'at, route, locale, lcp, inp, cls, fcp, ttfb'),
})

/** Adds a visit with all its rows. Returns the number of its events. */
function addVisit(to: ReturnType<typeof statementsOf>, at: number, device: Device): number {
  const { id, locale } = device
  const context = contextOf(device)
  const contextId = createHash('sha256')
    .update(`${utcDay(at)}\n${context}`)
    .digest('hex')
    .slice(0, 32)
  to.context.run(contextId, at, context)
  let count = 0
  const pages = 1 + Math.floor(random() ** 2 * 5)
  for (let index = 0; index < pages; index += 1) {
    const { route, path } = skewed(paths.get(locale) ?? [])
    const url = `${origins[locales[locale].domain]}${path}`
    const receivedAt = at + index * 20_000
    for (const { kind, data } of eventsOfPage(route, index === 0 ? 'load' : 'link')) {
      const values = [kind, analytics.operations[kind], locale, id, url, data, contextId]
      to.event.run(uuid(), receivedAt, receivedAt - below(3000), ...values)
      count += 1
    }
    if (index === 0 && random() < 0.4) {
      const source = skewed(sources)
      const campaign = source === 'newsletter' ? `issue-${below(40)}` : ''
      to.source.run(at, id, skewed(referers), url, '', '', source, '', '', '', campaign, '')
    }
    if (random() < 0.5) {
      const [lcp, inp] = [800 + random() * 2600, 40 + random() * 260]
      to.vitals.run(receivedAt, route, locale, lcp, inp, random() * 0.15, lcp / 2, lcp / 4)
    }
  }
  return count
}

type RowsOfTable = [
  table: string,
  columns: string,
  count: number,
  rowOf: (index: number) => unknown[],
]
function addRows(db: Sqlite.Database, ...[table, columns, count, rowOf]: RowsOfTable): void {
  const statement = insert(db, table, columns)
  db.transaction(() => {
    for (let index = 0; index < count; index += 1) statement.run(...rowOf(index))
  })()
}

/** The rows of the other views. Addresses fill every day to its limit. */
function addOtherRows(db: Sqlite.Database, end: number): void {
  const within = (days: number): number => end - Math.floor(random() * days * dayMs)
  const tables: RowsOfTable[] = [
    [
      'messages',
      'at, name, email, message, locale, page, state, note',
      20_000,
      (index) => {
        const state = ['closed', 'closed', 'answered', 'new'][below(4)]
        const email = `visitor${index}@example.org`
        const text = 'Is there a trial of the team plan?'
        return [within(700), `Visitor ${index}`, email, text, 'en', '/pricing', state, '']
      },
    ],
    [
      'accounts',
      'id, provider, subject, email, name, picture, language, invite_code, source, referer, created_at, signed_in_at, used_at',
      100_000,
      (index) => {
        const email = `visitor${index}@example.org`
        const at = within(365)
        return [uuid(), 'google', String(index), email, '', '', 'en', '', '', '', at, at, at]
      },
    ],
    ['referrals', 'device_id, code, at', 50_000, () => [uuid(), `code-${below(500)}`, within(300)]],
    [
      'fingerprints',
      'device_id, log_type, hash, at, data, base',
      200_000,
      () => [uuid(), 'visit', hex(), within(monthDays), '{}', '{}'],
    ],
    [
      'search_misses',
      'day, locale, query, count',
      365 * 1000,
      (index) => {
        const day = utcDay(end - Math.floor(index / 1000) * dayMs)
        return [day, skewed(weightedLocales), `proxy ${Math.floor(random() ** 2 * 60_000)}`, 1]
      },
    ],
    [
      'address_counts',
      'day, host, path, status, referrer, count',
      90 * 5000,
      (index) => {
        const day = utcDay(end - Math.floor(index / 5000) * dayMs)
        const status = index % 3 === 0 ? 301 : 404
        const path = `/${status === 301 ? 'features' : 'old'}-${Math.floor(random() ** 2 * 40_000)}`
        return [day, 'en', path, status, skewed(referers), 1 + below(20)]
      },
    ],
  ]
  for (const rows of tables) addRows(db, ...rows)
}

/**
 * Fills a migrated database with a month of `count` events that ends at `end`. Nothing is flushed
 * meanwhile: an interrupted file is thrown away.
 */
export function fillMonth(file: string, count: number, end: number): void {
  const db = new Sqlite(file)
  db.pragma('journal_mode = DELETE')
  db.pragma('journal_mode = OFF')
  db.pragma('synchronous = OFF')
  db.pragma('cache_size = -1500000')
  const to = statementsOf(db)
  const nextDevice = createDevices(Math.max(100, Math.round(count / 16)))
  const visitsPerTransaction = 20_000
  let stored = 0
  while (stored < count)
    db.transaction(() => {
      for (let visit = 0; visit < visitsPerTransaction && stored < count; visit += 1) {
        const passed = (stored / count) * monthDays * dayMs
        stored += addVisit(to, Math.floor(end - monthDays * dayMs + passed), nextDevice())
      }
    })()
  addOtherRows(db, end)
  db.close()
}
