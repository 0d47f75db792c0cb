import type { Selectable } from 'kysely'
import type { Database } from './database'
import { readEventBatch, type EventCursor, type StoredEventRow } from './event-batches'
import { addContexts, type VisitorContext } from './event-contexts'
import type { Tables } from './tables'

export type EventRow = Omit<StoredEventRow, 'context_id'> & { country: string }
export type SourceRow = Pick<
  Selectable<Tables['sources']>,
  'device_id' | 'referer' | 'source' | 'utm_source' | 'utm_medium' | 'utm_campaign'
>
export type AccountRow = Pick<
  Tables['accounts'],
  'language' | 'invite_code' | 'created_at' | 'signed_in_at'
>
export type VitalsRow = Omit<Selectable<Tables['vitals']>, 'id' | 'at'>
export type TimeRange = { since: number; until: number }

/**
 * Rows per query. The serving thread receives the rows of a query all at once; visitors' requests
 * run between the queries.
 */
const batchRows = 2000

/**
 * Reads the events that arrived in a range, newest first, in batches, with the country of their
 * sender (empty when unknown). Reads at most `maxRows` rows. JSON is parsed here, because the JSON
 * functions of SQLite and PostgreSQL differ in names and strictness.
 */
export async function* readEvents(
  database: Database,
  range: TimeRange,
  maxRows: number,
): AsyncGenerator<EventRow[]> {
  const contexts = new Map<string, VisitorContext>()
  let cursor: EventCursor | null = null
  for (let remaining = maxRows; remaining > 0;) {
    const rows: StoredEventRow[] = await readEventBatch(database.report, {
      ...range,
      cursor,
      order: 'desc',
      maxRows: Math.min(batchRows, remaining),
    })
    const last = rows.at(-1)
    if (!last) return
    cursor = { at: last.received_at, id: last.id }
    remaining -= rows.length
    await addContexts(
      database.report,
      rows.map(({ context_id }) => context_id),
      contexts,
    )
    yield rows.map(({ context_id, ...row }) => ({
      ...row,
      country: contexts.get(context_id)?.country ?? '',
    }))
  }
}

/** Where visits of a range came from, newest first. */
export const readSources = (
  database: Database,
  { since, until }: TimeRange,
  maxRows: number,
): Promise<SourceRow[]> =>
  database.report((db) =>
    db
      .selectFrom('sources')
      .select(['device_id', 'referer', 'source', 'utm_source', 'utm_medium', 'utm_campaign'])
      .where('at', '>=', since)
      .where('at', '<', until)
      .orderBy('id', 'desc')
      .limit(maxRows)
      .execute(),
  )

/** Referral codes that visitors of a range arrived with, newest first. */
export const readReferrals = (
  database: Database,
  { since, until }: TimeRange,
  maxRows: number,
): Promise<Array<{ device_id: string; code: string }>> =>
  database.report((db) =>
    db
      .selectFrom('referrals')
      .select(['device_id', 'code'])
      .where('at', '>=', since)
      .where('at', '<', until)
      .orderBy('at', 'desc')
      .limit(maxRows)
      .execute(),
  )

/** Accounts that were created or last used in a range. */
export const readAccounts = (
  database: Database,
  { since, until }: TimeRange,
  maxRows: number,
): Promise<AccountRow[]> =>
  database.report((db) =>
    db
      .selectFrom('accounts')
      .select(['language', 'invite_code', 'created_at', 'signed_in_at'])
      .where('signed_in_at', '>=', since)
      .where('created_at', '<', until)
      .orderBy('signed_in_at', 'desc')
      .limit(maxRows)
      .execute(),
  )

type StoredVitals = VitalsRow & { id: number; at: number }

/** The next rows of `readVitals`, after `last`. */
const readVitalsBatch = (
  database: Database,
  { since, until }: TimeRange,
  last: StoredVitals | undefined,
  maxRows: number,
): Promise<StoredVitals[]> =>
  database.report((db) => {
    const query = db
      .selectFrom('vitals')
      .select(['id', 'at', 'route', 'locale', 'lcp', 'inp', 'cls', 'fcp', 'ttfb'])
      .where('at', '>=', since)
      .where('at', '<', last ? Math.min(until, last.at + 1) : until)
    const rest = last
      ? query.where((where) => where.or([where('at', '<', last.at), where('id', '<', last.id)]))
      : query
    return rest.orderBy('at', 'desc').orderBy('id', 'desc').limit(maxRows).execute()
  })

/**
 * Web vitals of page views of a range, newest first, at most `maxRows`. In batches, because
 * receiving all rows at once from SQLite's thread would hold up visitors' requests.
 */
export async function* readVitals(
  database: Database,
  range: TimeRange,
  maxRows: number,
): AsyncGenerator<VitalsRow[]> {
  let last: StoredVitals | undefined
  for (let remaining = maxRows; remaining > 0;) {
    const batchSize = Math.min(batchRows, remaining)
    const rows: StoredVitals[] = await readVitalsBatch(database, range, last, batchSize)
    yield rows
    if (rows.length < batchSize) return
    last = rows.at(-1)
    remaining -= batchSize
  }
}
