import {
  readAccounts,
  readEvents,
  readReferrals,
  readSearchMisses,
  readSources,
} from '../../db/insight-rows'
import type { Database } from '../../db/database'
import { codesTable, partsOf, signInsTable, sourceTables } from './count-arrivals'
import { createEventCounts, type EventCounts } from './count-events'
import type { InsightTable } from './insight-table'
import { dayOf, daysOf, momentsOf, type InsightsFilter } from './insights-filter'
import type { Tally } from './tally'
import type { VitalName } from './web-vitals'

export type Day = {
  day: string
  views: number
  visitors: number
  downloads: number
  accounts: number
  errors: number
}
export type Insights = {
  filter: InsightsFilter
  /** When it was counted (ms). */
  at: number
  days: readonly Day[]
  totals: { views: number; visitors: number; downloads: number; accounts: number; errors: number }
  vitals: Readonly<Record<VitalName, number | null>>
  tables: readonly InsightTable[]
  /** Countries of the range (`-`: not known), for the choice. */
  countries: readonly string[]
  /** Set when there were more events than are read: the day down to which they are counted. */
  countedFrom: string | null
}

/** Most rows read for one answer: 200,000 events take about two seconds, in portions between which everything else goes on. */
export const mostRows = { events: 200_000, others: 50_000, searches: 5000 }

/** Counts what visitors have sent in a range. Rejects with `storeUnavailable` while the store is away. */
export async function makeInsights(
  database: Database,
  filter: InsightsFilter,
  most = mostRows,
  now = Date.now(),
): Promise<Insights> {
  const range = momentsOf(filter)
  const counts = createEventCounts(filter)
  let read = 0
  let oldest = range.since
  for await (const rows of readEvents(database, range, most.events)) {
    rows.forEach(counts.add)
    read += rows.length
    oldest = rows.at(-1)?.received_at ?? oldest
  }
  const [sources, referrals, accounts, searches] = await Promise.all([
    readSources(database, range, most.others),
    readReferrals(database, range, most.others),
    readAccounts(database, range, most.others),
    readSearchMisses(database, filter.from, filter.to, most.searches),
  ])
  const days = daysOf(filter)
  const signIns = signInsTable(accounts, filter, days)
  const madeOn = new Map(signIns.rows.map(([day, made]) => [day, Number(made)]))
  const byDay = days.map((day): Day => {
    const counted = counts.days.get(day)
    return {
      day,
      views: counted?.views ?? 0,
      visitors: counted?.visitors.size ?? 0,
      downloads: counted?.downloads ?? 0,
      accounts: madeOn.get(day) ?? 0,
      errors: counted?.errors ?? 0,
    }
  })
  const sum = (name: Exclude<keyof Day, 'day'>): number =>
    byDay.reduce((total, entry) => total + entry[name], 0)
  return {
    filter,
    at: now,
    days: byDay,
    totals: {
      views: sum('views'),
      visitors: visitorsOf(counts),
      downloads: sum('downloads'),
      accounts: sum('accounts'),
      errors: sum('errors'),
    },
    vitals: counts.vitals.overall(),
    tables: [
      daysTable(byDay),
      signIns,
      viewsTable('pages', 'Pages', 'path', counts.views.pages),
      ...sourceTables(sources, filter, counts),
      viewsTable('languages', 'Languages', 'language', counts.views.locales),
      viewsTable('countries', 'Countries', 'country', counts.views.countries),
      downloadsTable(counts.downloads),
      codesTable(referrals, accounts, filter, counts, range.since),
      counts.vitals.table(),
      errorsTable(counts.errors),
      searchesTable(searches.filter(({ locale }) => !filter.locale || locale === filter.locale)),
    ],
    countries: [...counts.countries].sort(),
    countedFrom: read >= most.events ? dayOf(oldest) : null,
  }
}

/** Each visitor once, however many days he came. */
const visitorsOf = ({ days }: EventCounts): number =>
  new Set([...days.values()].flatMap(({ visitors }) => [...visitors])).size

const daysTable = (days: readonly Day[]): InsightTable => ({
  id: 'days',
  title: 'Days',
  about: 'Days of UTC.',
  bar: 1,
  columns: [
    { name: 'day', kind: 'text' },
    ...['views', 'visitors', 'downloads', 'new accounts', 'errors'].map((name) => ({
      name,
      kind: 'count' as const,
    })),
  ],
  rows: days
    .map(({ day, views, visitors, downloads, accounts, errors }) => [
      day,
      views,
      visitors,
      downloads,
      accounts,
      errors,
    ])
    .reverse(),
})

const viewsTable = (id: string, title: string, name: string, tally: Tally): InsightTable => ({
  id,
  title,
  about: '',
  bar: 1,
  columns: [
    { name, kind: 'text' },
    { name: 'views', kind: 'count' },
    { name: 'visitors', kind: 'count' },
  ],
  rows: tally.rows().map(({ key, count, visitors }) => [key, count, visitors]),
})

const downloadsTable = (downloads: Tally): InsightTable => ({
  id: 'downloads',
  title: 'Downloads',
  about: 'Clicks on a file, by system.',
  bar: 1,
  columns: [
    { name: 'system', kind: 'text' },
    { name: 'clicks', kind: 'count' },
    { name: 'visitors', kind: 'count' },
  ],
  rows: downloads.rows().map(({ key, count, visitors }) => [key, count, visitors]),
})

const errorsTable = (errors: Tally): InsightTable => ({
  id: 'errors',
  title: 'Errors',
  about:
    '100101 a file or request that failed, 100102 a script, 100103 a rejection that nobody handled.',
  bar: 3,
  columns: [
    { name: 'type', kind: 'text' },
    { name: 'what', kind: 'text' },
    { name: 'message', kind: 'text' },
    { name: 'errors', kind: 'count' },
    { name: 'visitors', kind: 'count' },
  ],
  rows: errors.rows().map(({ key, count, visitors }) => [...partsOf(key, 3), count, visitors]),
})

const searchesTable = (
  searches: ReadonlyArray<{ locale: string; query: string; count: number }>,
): InsightTable => ({
  id: 'searches',
  title: 'Searches that found nothing',
  about: 'What authors might write next. A search has a language, no country.',
  bar: 2,
  columns: [
    { name: 'words', kind: 'text' },
    { name: 'language', kind: 'text' },
    { name: 'searches', kind: 'count' },
  ],
  rows: searches.map(({ locale, query, count }) => [query, locale, count]),
})
