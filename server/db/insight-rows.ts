import type { Selectable } from 'kysely'
import { z } from 'zod'
import type { Database } from './database'
import type { Tables } from './tables'

export type EventRow = Pick<
  Tables['events'],
  'received_at' | 'id' | 'kind' | 'locale' | 'device_id' | 'url' | 'data'
> & { country: string }
export type SourceRow = Pick<
  Selectable<Tables['sources']>,
  'device_id' | 'referer' | 'source' | 'utm_source' | 'utm_medium' | 'utm_campaign'
>
export type AccountRow = Pick<
  Tables['accounts'],
  'language' | 'invite_code' | 'created_at' | 'signed_in_at'
>
export type TimeRange = { since: number; until: number }

/**
 * Rows per query. A query occupies SQLite's only thread for some milliseconds; visitors' writes run
 * between the queries.
 */
const batchRows = 2000

/** The last row of the previous batch; null at the start. */
type Cursor = Pick<EventRow, 'received_at' | 'id'> | null

/** The next events of a range after a cursor, newest first. */
const readEventBatch = (
  database: Database,
  { since, until }: TimeRange,
  cursor: Cursor,
  maxRows: number,
) =>
  database.run((db) => {
    const query = db
      .selectFrom('events')
      .select(['received_at', 'id', 'kind', 'locale', 'device_id', 'url', 'data', 'context_id'])
      .where('received_at', '>=', since)
    const rest = cursor
      ? // The first condition follows from the second, and lets SQLite search the index.
        query
          .where('received_at', '<=', cursor.received_at)
          .where((expression) =>
            expression.or([
              expression('received_at', '<', cursor.received_at),
              expression('id', '<', cursor.id),
            ]),
          )
      : query.where('received_at', '<', until)
    return rest.orderBy('received_at', 'desc').orderBy('id', 'desc').limit(maxRows).execute()
  })

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
  const countryByContext = new Map<string, string>()
  let cursor: Cursor = null
  for (let remaining = maxRows; remaining > 0;) {
    const rows = await readEventBatch(database, range, cursor, Math.min(batchRows, remaining))
    if (rows.length === 0) return
    cursor = rows.at(-1) ?? null
    remaining -= rows.length
    await addCountries(database, rows, countryByContext)
    yield rows.map(({ context_id, ...row }) => ({
      ...row,
      country: countryByContext.get(context_id) ?? '',
    }))
  }
}

/** Adds the countries of the contexts of `rows` that the map does not hold yet. */
async function addCountries(
  database: Database,
  rows: ReadonlyArray<{ context_id: string }>,
  countryByContext: Map<string, string>,
): Promise<void> {
  const ids = [...new Set(rows.map(({ context_id }) => context_id))]
  const unknownIds = ids.filter((id) => !countryByContext.has(id))
  if (unknownIds.length === 0) return
  const contexts = await database.run((db) =>
    db.selectFrom('event_contexts').select(['id', 'data']).where('id', 'in', unknownIds).execute(),
  )
  for (const { id, data } of contexts) countryByContext.set(id, countryOfContext(data))
}

/** The only part of a context that is read here. Clients may send anything, so it is checked. */
const contextSchema = z.object({
  user_info: z.object({ country: z.string().regex(/^[A-Z]{2}$/) }),
})

/** The country in a context, or an empty string. */
function countryOfContext(context: string): string {
  try {
    return contextSchema.safeParse(JSON.parse(context)).data?.user_info.country ?? ''
  } catch {
    return ''
  }
}

/** Where visits of a range came from, newest first. */
export const readSources = (
  database: Database,
  { since, until }: TimeRange,
  maxRows: number,
): Promise<SourceRow[]> =>
  database.run((db) =>
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
  database.run((db) =>
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
  database.run((db) =>
    db
      .selectFrom('accounts')
      .select(['language', 'invite_code', 'created_at', 'signed_in_at'])
      .where('signed_in_at', '>=', since)
      .where('created_at', '<', until)
      .orderBy('signed_in_at', 'desc')
      .limit(maxRows)
      .execute(),
  )

/** Searches without results by language and words, from one day to another (`YYYY-MM-DD`). */
export async function readSearchMisses(
  database: Database,
  from: string,
  to: string,
  maxRows: number,
): Promise<Array<{ locale: string; query: string; count: number }>> {
  const rows = await database.run((db) =>
    db
      .selectFrom('search_misses')
      .select(({ fn }) => ['locale', 'query', fn.sum<number | string>('count').as('count')])
      .where('day', '>=', from)
      .where('day', '<=', to)
      .groupBy(['locale', 'query'])
      .orderBy('count', 'desc')
      .orderBy('query')
      .limit(maxRows)
      .execute(),
  )
  // PostgreSQL's client may return a sum, which is a 64-bit number, as text.
  return rows.map(({ count, ...row }) => ({ ...row, count: Number(count) }))
}
