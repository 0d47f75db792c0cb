import type { AccountRow, SourceRow } from '../../db/insight-rows'
import type { EventCounts } from './count-events'
import type { InsightTable } from './insight-table'
import { dayOf, type InsightsFilter } from './insights-filter'
import { createTally, type TallyRow } from './tally'

type Devices = Pick<EventCounts, 'devices' | 'downloaders'>

const hostOf = (address: string): string =>
  URL.canParse(address) ? new URL(address).hostname.replace(/^www\./, '') : ''
/** What a visit is said to come from: the campaign's own word before the address it came from. */
const sourceOf = ({ utm_source, source, referer }: SourceRow): string =>
  (utm_source || source).toLowerCase() || hostOf(referer) || '(direct)'

/**
 * A visit's record holds neither language nor country: under a filter only those count whose device has sent an event that the
 * filter lets through.
 */
const countsUnder =
  (filter: InsightsFilter, { devices }: Devices) =>
  ({ device_id }: { device_id: string }): boolean =>
    (!filter.locale && !filter.country) || devices.has(device_id)

const downloadsOf = ({ devices }: TallyRow, { downloaders }: Devices): number =>
  [...devices].filter((device) => downloaders.has(device)).length

/** Where visits came from: by source, and by campaign. */
export function sourceTables(
  rows: readonly SourceRow[],
  filter: InsightsFilter,
  seen: Devices,
): InsightTable[] {
  const sources = createTally()
  const campaigns = createTally()
  for (const row of rows.filter(countsUnder(filter, seen))) {
    sources.add(sourceOf(row), row.device_id)
    if (row.utm_campaign)
      campaigns.add(`${row.utm_campaign}\n${sourceOf(row)}\n${row.utm_medium}`, row.device_id)
  }
  return [
    {
      id: 'sources',
      title: 'Sources',
      about: 'Visits from outside, by campaign source or else the site they came from.',
      bar: 1,
      columns: [
        { name: 'source', kind: 'text' },
        { name: 'visits', kind: 'count' },
        { name: 'visitors', kind: 'count' },
        { name: 'of them downloading', kind: 'count' },
      ],
      rows: sources.rows().map((row) => [row.key, row.count, row.visitors, downloadsOf(row, seen)]),
    },
    {
      id: 'campaigns',
      title: 'Campaigns',
      about: 'Visits whose address named a campaign (utm_campaign).',
      bar: 3,
      columns: [
        { name: 'campaign', kind: 'text' },
        { name: 'source', kind: 'text' },
        { name: 'medium', kind: 'text' },
        { name: 'visits', kind: 'count' },
        { name: 'visitors', kind: 'count' },
        { name: 'of them downloading', kind: 'count' },
      ],
      rows: campaigns
        .rows()
        .map((row) => [...partsOf(row.key, 3), row.count, row.visitors, downloadsOf(row, seen)]),
    },
  ]
}

/** Visitors and new accounts by referral code. */
export function codesTable(
  referrals: ReadonlyArray<{ device_id: string; code: string }>,
  accounts: readonly AccountRow[],
  filter: InsightsFilter,
  seen: Devices,
  since: number,
): InsightTable {
  const codes = createTally()
  const made = createTally()
  for (const { code, device_id } of referrals.filter(countsUnder(filter, seen)))
    codes.add(code, device_id)
  for (const account of accounts)
    if (
      account.invite_code &&
      account.created_at >= since &&
      (!filter.locale || account.language === filter.locale)
    )
      made.add(account.invite_code, '')
  const accountsOf = new Map(made.rows().map(({ key, count }) => [key, count]))
  // A code may have led to an account only, its visit being older than the range.
  for (const code of accountsOf.keys()) codes.add(code, '', 0)
  return {
    id: 'codes',
    title: 'Referral codes',
    about: 'Visitors who came with a code for the first time, and accounts made with it.',
    bar: 1,
    columns: [
      { name: 'code', kind: 'text' },
      { name: 'visitors', kind: 'count' },
      { name: 'of them downloading', kind: 'count' },
      { name: 'new accounts', kind: 'count' },
    ],
    rows: codes
      .rows()
      .map((row) => [row.key, row.count, downloadsOf(row, seen), accountsOf.get(row.key) ?? 0]),
  }
}

/** Accounts by day: made, and those made earlier whose owner was last seen that day. */
export function signInsTable(
  accounts: readonly AccountRow[],
  filter: InsightsFilter,
  days: readonly string[],
): InsightTable {
  const made = new Map<string, number>()
  const back = new Map<string, number>()
  const count = (map: Map<string, number>, moment: number): void =>
    void map.set(dayOf(moment), (map.get(dayOf(moment)) ?? 0) + 1)
  for (const { language, created_at, signed_in_at } of accounts) {
    if (filter.locale && language !== filter.locale) continue
    count(made, created_at)
    if (dayOf(signed_in_at) !== dayOf(created_at)) count(back, signed_in_at)
  }
  return {
    id: 'sign-ins',
    title: 'Sign-ins',
    about:
      'Accounts made, and earlier accounts by the day of their last sign-in. An account has a language, no country.',
    bar: 1,
    columns: [
      { name: 'day', kind: 'text' },
      { name: 'new accounts', kind: 'count' },
      { name: 'came back', kind: 'count' },
    ],
    rows: days.map((day) => [day, made.get(day) ?? 0, back.get(day) ?? 0]).reverse(),
  }
}

/** The parts of a tally's key, as many as are asked for. */
export function partsOf(key: string, count: number): string[] {
  const parts = key.split('\n')
  return Array.from({ length: count }, (_, index) => parts[index] ?? '')
}
