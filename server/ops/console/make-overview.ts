import { dayMs } from '../../../shared/constants'
import {
  overviewMetrics,
  type ErrorRow,
  type GroupRow,
  type KeyCount,
  type Overview,
  type OverviewMetric,
} from '../../../shared/console/overview'
import type { Database } from '../../db/database'
import { readCountCursor } from '../../db/event-counts'
import {
  countSmallTables,
  countsOfKeys,
  readErrorGroups,
  sumByColumns,
  sumByStart,
  topKeys,
  type CountFilter,
  type SpanTable,
} from '../../db/overview-rows'
import type { EventKeyKind } from '../../db/tables'
import { rangeOf, type InsightsFilter } from '../insights/insights-filter'
import { countVitals } from '../insights/web-vitals'
import { funnelMetrics, hourMs } from '../rollup/count-events-batch'

const countedMetrics = ['views', 'visitors', 'downloads', 'registrations', 'errors'] as const
/** Longer periods are drawn by day. */
const maxHourlyMs = 3 * dayMs
/** Hours are deleted after 14 days (`server/db/prune.ts`). */
const keptHoursMs = 13 * dayMs
const maxKeys = 50
/** The newest measurements of a period, which are enough for a percentile. */
const maxVitals = 20_000

type Sums = ReadonlyMap<string, number>
const keyOf = (metric: string, key: string | number): string => `${metric}\n${key}`

/** Sums of each metric by hour or day. */
async function readPoints(
  database: Database,
  table: SpanTable,
  metrics: readonly string[],
  filter: CountFilter,
): Promise<Sums> {
  const rows = await sumByStart(database, table, metrics, filter)
  return new Map(rows.map(({ metric, start, count }) => [keyOf(metric, start), count]))
}

const groupColumns = ['locale', 'country', 'device'] as const
type GroupColumn = (typeof groupColumns)[number]

/** Views and visitors by language, by country and by device. */
async function readGroups(
  database: Database,
  filter: CountFilter,
): Promise<Record<GroupColumn, GroupRow[]>> {
  const rows = await sumByColumns(database, groupColumns, ['views', 'visitors'], filter)
  const groupsOf = (wanted: GroupColumn): GroupRow[] => {
    const groups = new Map<string, GroupRow>()
    for (const { column, metric, key, count } of rows) {
      if (column !== wanted) continue
      const name = key || '-'
      const row = groups.get(name) ?? { key: name, views: 0, visitors: 0 }
      row[metric === 'views' ? 'views' : 'visitors'] += count
      groups.set(name, row)
    }
    return [...groups.values()].sort((a, b) => b.views - a.views || (a.key < b.key ? -1 : 1))
  }
  return { locale: groupsOf('locale'), country: groupsOf('country'), device: groupsOf('device') }
}

async function keysOf(
  database: Database,
  kind: EventKeyKind,
  now: CountFilter,
  before: CountFilter,
): Promise<KeyCount[]> {
  const top = await topKeys(database, kind, now, maxKeys)
  const earlier = await countsOfKeys(
    database,
    kind,
    top.map(({ key }) => key),
    before,
  )
  return top.map((row) => ({ ...row, before: earlier.get(row.key) ?? 0 }))
}

async function errorsOf(database: Database, filter: CountFilter): Promise<ErrorRow[]> {
  const top = await topKeys(database, 'error', filter, maxKeys)
  const groups = await readErrorGroups(
    database,
    top.map(({ key }) => key),
  )
  const byId = new Map(groups.map((group) => [group.id, group]))
  return top.flatMap(({ key, count }) => {
    const group = byId.get(key)
    if (!group) return []
    const { id, error_type, what, message, first_at, last_at } = group
    return [{ id, type: error_type, what, message, count, firstAt: first_at, lastAt: last_at }]
  })
}

/** Starts of the points of a period, by hour or by day. */
const startsOf = ({ since, until }: CountFilter, spanMs: number): number[] =>
  Array.from({ length: Math.round((until - since) / spanMs) }, (_, index) => since + index * spanMs)

const total = (points: Sums, metric: string, starts: readonly number[]): number =>
  starts.reduce((sum, start) => sum + (points.get(keyOf(metric, start)) ?? 0), 0)

/** What visitors did in a period, compared with the period of the same length before it. */
export async function makeOverview(database: Database, filter: InsightsFilter): Promise<Overview> {
  const { locale, country } = filter
  const { since, until } = rangeOf(filter)
  const now: CountFilter = { since, until, locale, country }
  const before: CountFilter = { ...now, since: since - (until - since), until: since }
  const isHourly = until - since <= maxHourlyMs && before.since > Date.now() - keptHoursMs
  const [table, spanMs] = isHourly
    ? (['event_hours', hourMs] as const)
    : (['event_days', dayMs] as const)
  const metrics = [...countedMetrics, ...funnelMetrics]
  const both = { ...now, since: before.since }
  const points = await readPoints(database, table, metrics, both)
  const groups = await readGroups(database, now)
  const [starts, startsBefore] = [startsOf(now, spanMs), startsOf(before, spanMs)]
  const [small, smallBefore, cursor] = await Promise.all([
    countSmallTables(database, now),
    countSmallTables(database, before),
    readCountCursor(database, 'events'),
  ])
  const countOf = (metric: OverviewMetric): { now: number; before: number } =>
    metric === 'referrals' || metric === 'messages' || metric === 'accounts'
      ? { now: small[metric], before: smallBefore[metric] }
      : { now: total(points, metric, starts), before: total(points, metric, startsBefore) }
  const line = (metric: string, of: readonly number[]): number[] =>
    of.map((start) => points.get(keyOf(metric, start)) ?? 0)
  return {
    from: filter.from,
    to: filter.to,
    countedUntil: cursor?.at ?? null,
    // Cast: `Object.fromEntries` does not keep the type of the keys.
    totals: Object.fromEntries(
      overviewMetrics.map((metric) => [metric, countOf(metric)]),
    ) as Overview['totals'],
    series: {
      starts,
      views: line('views', starts),
      visitors: line('visitors', starts),
      viewsBefore: line('views', startsBefore),
    },
    funnel: funnelMetrics.map((step) => ({ step, count: total(points, step, starts) })),
    locales: groups.locale,
    countries: groups.country,
    devices: groups.device,
    pages: await keysOf(database, 'page', now, before),
    referrers: await keysOf(database, 'referrer', now, before),
    campaigns: await keysOf(database, 'campaign', now, before),
    downloads: await keysOf(database, 'download', now, before),
    vitals: (await countVitals(database, now, locale, maxVitals)).summaries(),
    errors: await errorsOf(database, now),
  }
}
