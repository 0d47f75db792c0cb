import type { Database } from '../../db/database'
import { readAccounts, readEvents, readReferrals, readSources } from '../../db/insight-rows'
import { createEventCounts, type EventCounts } from './count-events'
import { topSearchMisses } from '../../db/search-counts'
import type { InsightTable } from './insight-table'
import { daysIn, rangeOf, utcDay, type InsightsFilter } from './insights-filter'
import { splitKey, type Tally } from './tally'
import { referralCodesTable, signInsTable, sourceTables } from './visit-tables'
import { countVitals, vitalsTable, type VitalName } from './web-vitals'

type Counts = {
  views: number
  visitors: number
  downloads: number
  accounts: number
  errors: number
}
export type Day = { day: string } & Counts
export type Insights = {
  filter: InsightsFilter
  /** When the counting began, in ms since 1970. */
  countedAt: number
  days: readonly Day[]
  totals: Counts
  vitals: Readonly<Record<VitalName, number | null>>
  tables: readonly InsightTable[]
  /** The countries of the range (`-`: unknown), for the form. */
  countries: readonly string[]
  /** The first day that is counted, if there are more events than are read; else null. */
  countedFrom: string | null
}

/**
 * Rows that are read at most. 200,000 events take about two seconds, in batches between which the
 * process serves other requests.
 */
export const maxRows = { events: 200_000, others: 50_000, searches: 5000 }

/** Counts the events of the range from the newest back. Stops after `limit` events. */
async function countEvents(
  database: Database,
  filter: InsightsFilter,
  limit: number,
): Promise<{ counts: EventCounts; countedFrom: string | null }> {
  const range = rangeOf(filter)
  const counts = createEventCounts(filter)
  let read = 0
  let oldest = range.since
  for await (const rows of readEvents(database, range, limit)) {
    for (const row of rows) counts.add(row)
    read += rows.length
    oldest = rows.at(-1)?.received_at ?? oldest
  }
  return { counts, countedFrom: read >= limit ? utcDay(oldest) : null }
}

function makeDays(
  days: readonly string[],
  counts: EventCounts,
  accountsByDay: ReadonlyMap<string, number>,
): Day[] {
  return days.map((day) => {
    const counted = counts.days.get(day)
    return {
      day,
      views: counted?.views ?? 0,
      visitors: counted?.visitors.size ?? 0,
      downloads: counted?.downloads ?? 0,
      accounts: accountsByDay.get(day) ?? 0,
      errors: counted?.errors ?? 0,
    }
  })
}

function makeTotals(days: readonly Day[], counts: EventCounts): Counts {
  const sum = (name: keyof Counts): number => days.reduce((total, day) => total + day[name], 0)
  // A visitor who came on several days counts once.
  const visitors = new Set([...counts.days.values()].flatMap((day) => [...day.visitors]))
  return {
    views: sum('views'),
    visitors: visitors.size,
    downloads: sum('downloads'),
    accounts: sum('accounts'),
    errors: sum('errors'),
  }
}

/** Counts what visitors sent in a range. Rejects with 503 while the database is unavailable. */
export async function makeInsights(
  database: Database,
  filter: InsightsFilter,
  limits = maxRows,
  now = Date.now(),
): Promise<Insights> {
  const range = rangeOf(filter)
  const { counts, countedFrom } = await countEvents(database, filter, limits.events)
  const [vitals, sources, referrals, accounts, searches] = await Promise.all([
    countVitals(database, range, filter.locale, limits.others),
    readSources(database, range, limits.others),
    readReferrals(database, range, limits.others),
    readAccounts(database, range, limits.others),
    topSearchMisses(database, filter, filter.locale, limits.searches),
  ])
  const dayNames = daysIn(filter)
  const signIns = signInsTable(accounts, filter, dayNames)
  const accountsByDay = new Map(
    signIns.rows.map(([day, created]) => [String(day), Number(created)]),
  )
  const days = makeDays(dayNames, counts, accountsByDay)
  return {
    filter,
    countedAt: now,
    days,
    totals: makeTotals(days, counts),
    vitals: vitals.overall(),
    tables: [
      daysTable(days),
      signIns,
      viewsTable('pages', 'Pages', 'path', counts.views.pages),
      ...sourceTables(sources, filter, counts),
      viewsTable('languages', 'Languages', 'language', counts.views.locales),
      viewsTable('countries', 'Countries', 'country', counts.views.countries),
      downloadsTable(counts.downloads),
      referralCodesTable(referrals, accounts, filter, counts, range.since),
      vitalsTable(vitals.summaries()),
      errorsTable(counts.errors),
      searchesTable(searches),
    ],
    countries: [...counts.countries].sort(),
    countedFrom,
  }
}

const daysTable = (days: readonly Day[]): InsightTable => ({
  id: 'days',
  title: 'Days',
  description: 'Days in UTC.',
  barColumn: 1,
  columns: [
    { name: 'day', kind: 'text' },
    { name: 'views', kind: 'count' },
    { name: 'visitors', kind: 'count' },
    { name: 'downloads', kind: 'count' },
    { name: 'new accounts', kind: 'count' },
    { name: 'errors', kind: 'count' },
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
  description: '',
  barColumn: 1,
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
  description: 'Clicks on a file, by operating system.',
  barColumn: 1,
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
  description:
    '100101: a file or request that failed; 100102: a script error; 100103: an unhandled promise rejection.',
  barColumn: 3,
  columns: [
    { name: 'type', kind: 'text' },
    { name: 'what', kind: 'text' },
    { name: 'message', kind: 'text' },
    { name: 'errors', kind: 'count' },
    { name: 'visitors', kind: 'count' },
  ],
  rows: errors.rows().map(({ key, count, visitors }) => [...splitKey(key, 3), count, visitors]),
})

const searchesTable = (
  searches: ReadonlyArray<{ locale: string; query: string; count: number }>,
): InsightTable => ({
  id: 'searches',
  title: 'Searches without results',
  description: 'Topics to write about. Searches have a language but no country.',
  barColumn: 2,
  columns: [
    { name: 'words', kind: 'text' },
    { name: 'language', kind: 'text' },
    { name: 'searches', kind: 'count' },
  ],
  rows: searches.map(({ locale, query, count }) => [query, locale, count]),
})
