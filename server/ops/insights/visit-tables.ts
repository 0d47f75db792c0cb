import { utcDay } from '../../../shared/utc-day'
import type { AccountRow, SourceRow } from '../../db/insight-rows'
import { sourceOf } from '../rollup/count-sources'
import type { EventCounts } from './count-events'
import type { InsightTable } from './insight-table'
import type { InsightsFilter } from './insights-filter'
import { createTally, joinKey, splitKey, type TallyRow } from './tally'

type Devices = Pick<EventCounts, 'devices' | 'downloaders'>

const visitColumns = ['visits', 'visitors', 'of them downloading']

/**
 * Whether a visit counts under a filter. The record of a visit has neither language nor country, so
 * with such a filter only visits count whose device also sent an event that passes the filter.
 */
const passesFilter =
  (filter: InsightsFilter, { devices }: Devices) =>
  ({ device_id }: { device_id: string }): boolean =>
    (!filter.locale && !filter.country) || devices.has(device_id)

const downloadsOf = ({ devices }: TallyRow, { downloaders }: Devices): number =>
  [...devices].filter((device) => downloaders.has(device)).length

/** Where visits came from: by source, and by campaign. */
export function sourceTables(
  visits: readonly SourceRow[],
  filter: InsightsFilter,
  devices: Devices,
): InsightTable[] {
  const sources = createTally()
  const campaigns = createTally()
  for (const visit of visits.filter(passesFilter(filter, devices))) {
    const source = sourceOf(visit)
    sources.add(source, visit.device_id)
    if (visit.utm_campaign)
      campaigns.add(joinKey(visit.utm_campaign, source, visit.utm_medium), visit.device_id)
  }
  const counts = (row: TallyRow): number[] => [row.count, row.visitors, downloadsOf(row, devices)]
  return [
    {
      id: 'sources',
      columns: ['source', ...visitColumns],
      rows: sources.rows().map((row) => [row.key, ...counts(row)]),
    },
    {
      id: 'campaigns',
      columns: ['campaign', 'source', 'medium', ...visitColumns],
      rows: campaigns.rows().map((row) => [...splitKey(row.key, 3), ...counts(row)]),
    },
  ]
}

/** New accounts by referral code. `since` is the start of the range (ms since 1970). */
function countAccounts(
  accounts: readonly AccountRow[],
  { locale }: InsightsFilter,
  since: number,
): ReadonlyMap<string, number> {
  const counts = createTally()
  for (const { invite_code, created_at, language } of accounts)
    if (invite_code && created_at >= since && (!locale || language === locale))
      counts.add(invite_code, '')
  return new Map(counts.rows().map(({ key, count }) => [key, count]))
}

/** Visitors and new accounts by referral code. */
export function referralCodesTable(
  referrals: ReadonlyArray<{ device_id: string; code: string }>,
  accounts: readonly AccountRow[],
  filter: InsightsFilter,
  devices: Devices,
  since: number,
): InsightTable {
  const visitors = createTally()
  for (const { code, device_id } of referrals.filter(passesFilter(filter, devices)))
    visitors.add(code, device_id)
  const accountCounts = countAccounts(accounts, filter, since)
  // Adds a row for codes whose visit was before the range.
  for (const code of accountCounts.keys()) visitors.add(code, '', 0)
  return {
    id: 'codes',
    columns: ['code', 'visitors', 'of them downloading', 'new accounts'],
    rows: visitors
      .rows()
      .map((row) => [
        row.key,
        row.count,
        downloadsOf(row, devices),
        accountCounts.get(row.key) ?? 0,
      ]),
  }
}

/** New accounts by day, and older accounts by the day of their last sign-in. */
export function signInsTable(
  accounts: readonly AccountRow[],
  filter: InsightsFilter,
  days: readonly string[],
): InsightTable {
  const created = new Map<string, number>()
  const returned = new Map<string, number>()
  const count = (counts: Map<string, number>, day: string): void =>
    void counts.set(day, (counts.get(day) ?? 0) + 1)
  for (const { language, created_at, signed_in_at } of accounts) {
    if (filter.locale && language !== filter.locale) continue
    const [createdDay, signInDay] = [utcDay(created_at), utcDay(signed_in_at)]
    count(created, createdDay)
    if (signInDay !== createdDay) count(returned, signInDay)
  }
  return {
    id: 'sign-ins',
    columns: ['day', 'new accounts', 'came back'],
    rows: days.map((day) => [day, created.get(day) ?? 0, returned.get(day) ?? 0]).reverse(),
  }
}
