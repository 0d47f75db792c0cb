import type { Database } from '../../db/database'
import { readAccounts, readEvents, readReferrals, readSources } from '../../db/insight-rows'
import { createEventCounts, type EventCounts } from './count-events'
import { topSearchMisses } from '../../db/search-counts'
import type { InsightTable } from './insight-table'
import { daysIn, rangeOf, type InsightsFilter } from './insights-filter'
import { splitKey, type Tally } from './tally'
import { referralCodesTable, signInsTable, sourceTables } from './visit-tables'
import { countVitals, vitalsTable } from './web-vitals'

export type Insights = { filter: InsightsFilter; tables: readonly InsightTable[] }

/**
 * Rows that are read at most. 200,000 events take about two seconds, in batches between which the
 * process serves other requests.
 */
const maxRows = { events: 200_000, others: 50_000, searches: 5000 }

/** Counts the events of the range from the newest back. Stops after `limit` events. */
async function countEvents(
  database: Database,
  filter: InsightsFilter,
  limit: number,
): Promise<EventCounts> {
  const counts = createEventCounts(filter)
  for await (const rows of readEvents(database, rangeOf(filter), limit)) rows.forEach(counts.add)
  return counts
}

/** Counts what visitors sent in a range. Rejects with 503 while the database is unavailable. */
export async function makeInsights(
  database: Database,
  filter: InsightsFilter,
  limits = maxRows,
): Promise<Insights> {
  const range = rangeOf(filter)
  const counts = await countEvents(database, filter, limits.events)
  const [vitals, sources, referrals, accounts, searches] = await Promise.all([
    countVitals(database, range, filter.locale, limits.others),
    readSources(database, range, limits.others),
    readReferrals(database, range, limits.others),
    readAccounts(database, range, limits.others),
    topSearchMisses(database, filter, filter.locale, limits.searches),
  ])
  const days = daysIn(filter)
  const signIns = signInsTable(accounts, filter, days)
  const accountsByDay = new Map(
    signIns.rows.map(([day, created]) => [String(day), Number(created)]),
  )
  return {
    filter,
    tables: [
      daysTable(days, counts, accountsByDay),
      signIns,
      viewsTable('pages', 'path', counts.views.pages),
      ...sourceTables(sources, filter, counts),
      viewsTable('languages', 'language', counts.views.locales),
      viewsTable('countries', 'country', counts.views.countries),
      downloadsTable(counts.downloads),
      referralCodesTable(referrals, accounts, filter, counts, range.since),
      vitalsTable(vitals.summaries()),
      errorsTable(counts.errors),
      searchesTable(searches),
    ],
  }
}

const daysTable = (
  days: readonly string[],
  counts: EventCounts,
  accountsByDay: ReadonlyMap<string, number>,
): InsightTable => ({
  id: 'days',
  columns: ['day', 'views', 'visitors', 'downloads', 'new accounts', 'errors'],
  rows: days
    .map((day) => {
      const counted = counts.days.get(day)
      return [
        day,
        counted?.views ?? 0,
        counted?.visitors.size ?? 0,
        counted?.downloads ?? 0,
        accountsByDay.get(day) ?? 0,
        counted?.errors ?? 0,
      ]
    })
    .reverse(),
})

const viewsTable = (id: string, name: string, tally: Tally): InsightTable => ({
  id,
  columns: [name, 'views', 'visitors'],
  rows: tally.rows().map(({ key, count, visitors }) => [key, count, visitors]),
})

const downloadsTable = (downloads: Tally): InsightTable => ({
  id: 'downloads',
  columns: ['system', 'clicks', 'visitors'],
  rows: downloads.rows().map(({ key, count, visitors }) => [key, count, visitors]),
})

const errorsTable = (errors: Tally): InsightTable => ({
  id: 'errors',
  columns: ['type', 'what', 'message', 'errors', 'visitors'],
  rows: errors.rows().map(({ key, count, visitors }) => [...splitKey(key, 3), count, visitors]),
})

const searchesTable = (
  searches: ReadonlyArray<{ locale: string; query: string; count: number }>,
): InsightTable => ({
  id: 'searches',
  columns: ['words', 'language', 'searches'],
  rows: searches.map(({ locale, query, count }) => [query, locale, count]),
})
