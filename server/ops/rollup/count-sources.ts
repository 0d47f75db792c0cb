import type { Database } from '../../db/database'
import { readCountCursor, storeIncrements } from '../../db/event-counts'
import type { Lease } from '../../db/leases'
import type { EventKeyKind, Tables } from '../../db/tables'
import { readUncountedSources, type UncountedSource } from '../../db/source-rows'
import { startOfDay } from './count-events-batch'

const hostOf = (url: string): string =>
  URL.canParse(url) ? new URL(url).hostname.replace(/^www\./, '') : ''

/** The source of a visit: what the campaign link says, else the site that it came from. */
export const sourceOf = ({
  utm_source,
  source,
  referer,
}: Pick<UncountedSource, 'utm_source' | 'source' | 'referer'>): string =>
  (utm_source || source).toLowerCase() || hostOf(referer) || '(direct)'

/** Counts where the next visits came from. Returns whether there may be more. */
export async function countSources(
  database: Database,
  lease: Lease,
  until: number,
  maxRows: number,
): Promise<boolean> {
  const cursor = await readCountCursor(database, 'sources')
  const visits = await readUncountedSources(database, Number(cursor?.id ?? 0), until, maxRows)
  const last = visits.at(-1)
  if (!last) return false
  const keys = new Map<string, Tables['event_keys']>()
  const add = (kind: EventKeyKind, key: string, at: number): void => {
    const start = startOfDay(at)
    const id = [kind, start, key].join('\n')
    const row = keys.get(id) ?? { kind, start, key, locale: '', count: 0 }
    row.count += 1
    keys.set(id, row)
  }
  for (const visit of visits) {
    add('referrer', sourceOf(visit), visit.at)
    if (visit.utm_campaign) add('campaign', visit.utm_campaign, visit.at)
  }
  const next = { at: last.at, id: String(last.id) }
  const increments = { hours: [], days: [], keys: [...keys.values()], errors: [], visitors: [] }
  const stored = await storeIncrements(database, lease, 'sources', next, increments)
  return stored && visits.length === maxRows
}
