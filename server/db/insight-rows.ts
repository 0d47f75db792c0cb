import type { Selectable } from 'kysely'
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
export type Range = { since: number; until: number }

/** Rows of one query: the store's one thread (SQLite) is held up for some milliseconds, and writes of visitors come in between. */
const portion = 2000

type Cursor = Pick<EventRow, 'received_at' | 'id'> | null

/** The newest events of a range that come before a row in their order (all of them, when it is null). */
const eventsBefore = (database: Database, { since, until }: Range, cursor: Cursor, most: number) =>
  database.run((db) => {
    const query = db
      .selectFrom('events')
      .select(['received_at', 'id', 'kind', 'locale', 'device_id', 'url', 'data', 'context_id'])
      .where('received_at', '>=', since)
    const rest = cursor
      ? // The first condition follows from the second: it is what the index is searched by.
        query
          .where('received_at', '<=', cursor.received_at)
          .where(({ eb, or }) =>
            or([eb('received_at', '<', cursor.received_at), eb('id', '<', cursor.id)]),
          )
      : query.where('received_at', '<', until)
    return rest.orderBy('received_at', 'desc').orderBy('id', 'desc').limit(most).execute()
  })

/**
 * The events that arrived in a range, the newest first, with the country of their sender (empty: not known), in portions; no more than `most` rows
 * are read. Portable: no function of JSON, whose names and strictness differ between the dialects.
 */
export async function* readEvents(
  database: Database,
  range: Range,
  most: number,
): AsyncGenerator<EventRow[]> {
  const countries = new Map<string, string>()
  let cursor: Cursor = null
  for (let left = most; left > 0;) {
    const rows = await eventsBefore(database, range, cursor, Math.min(portion, left))
    if (rows.length === 0) return
    cursor = rows.at(-1) ?? null
    left -= rows.length
    const unknown = [...new Set(rows.map(({ context_id }) => context_id))].filter(
      (id) => !countries.has(id),
    )
    const contexts =
      unknown.length > 0
        ? await database.run((db) =>
            db
              .selectFrom('event_contexts')
              .select(['id', 'data'])
              .where('id', 'in', unknown)
              .execute(),
          )
        : []
    for (const { id, data } of contexts) countries.set(id, countryOf(data))
    yield rows.map(({ context_id, ...row }) => ({
      ...row,
      country: countries.get(context_id) ?? '',
    }))
  }
}

/** Two capital letters, or empty: whatever else a sender may have put there. */
function countryOf(context: string): string {
  try {
    const country = (JSON.parse(context) as { user_info?: { country?: unknown } | null }).user_info
      ?.country
    return typeof country === 'string' && /^[A-Z]{2}$/.test(country) ? country : ''
  } catch {
    return ''
  }
}

/** Where visits of the range came from, the newest `most`. */
export const readSources = (
  database: Database,
  { since, until }: Range,
  most: number,
): Promise<SourceRow[]> =>
  database.run((db) =>
    db
      .selectFrom('sources')
      .select(['device_id', 'referer', 'source', 'utm_source', 'utm_medium', 'utm_campaign'])
      .where('at', '>=', since)
      .where('at', '<', until)
      .orderBy('id', 'desc')
      .limit(most)
      .execute(),
  )

/** Referral codes that visitors of the range came with. */
export const readReferrals = (
  database: Database,
  { since, until }: Range,
  most: number,
): Promise<Array<{ device_id: string; code: string }>> =>
  database.run((db) =>
    db
      .selectFrom('referrals')
      .select(['device_id', 'code'])
      .where('at', '>=', since)
      .where('at', '<', until)
      .orderBy('at', 'desc')
      .limit(most)
      .execute(),
  )

/** Accounts made in the range, or whose owners signed in last in it. */
export const readAccounts = (
  database: Database,
  { since, until }: Range,
  most: number,
): Promise<AccountRow[]> =>
  database.run((db) =>
    db
      .selectFrom('accounts')
      .select(['language', 'invite_code', 'created_at', 'signed_in_at'])
      .where('signed_in_at', '>=', since)
      .where('created_at', '<', until)
      .orderBy('signed_in_at', 'desc')
      .limit(most)
      .execute(),
  )

/** Searches without a result, by language and words, from the first day to the last (`YYYY-MM-DD`). */
export async function readSearchMisses(
  database: Database,
  from: string,
  to: string,
  most: number,
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
      .limit(most)
      .execute(),
  )
  // A sum is a 64 bit number, which PostgreSQL's client may give as text.
  return rows.map(({ count, ...row }) => ({ ...row, count: Number(count) }))
}
