import { createHash } from 'node:crypto'
import { CompiledQuery, type Kysely } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Database } from './database'
import type { Tables } from './tables'

export type StoredEvent = Omit<Tables['events'], 'received_at' | 'context_id'>

/** In the order in which rows are made below: Kysely names columns in the order of the first row. */
const columns = [
  'id',
  'received_at',
  'ts',
  'kind',
  'op',
  'locale',
  'device_id',
  'url',
  'data',
  'context_id',
] as const
/** Contexts known to be stored; a device has one or two a day. */
const contextsKept = 20_000

/**
 * Stores batches of analytics events: an event that is there already (same id) is left as it is. Resolves when all are on disk. The context, which a
 * device's events share, is stored once a day, so that pruning by day takes both together.
 */
export function createEventStore(
  database: Database,
): (events: readonly StoredEvent[], context: string) => Promise<void> {
  // One text of SQL for each size of a batch: compiling it anew would cost more than running it.
  const texts = new Map<number, string>()
  const known = new LRUCache<string, true>({ max: contextsKept })

  function insertOf(db: Kysely<Tables>, rows: ReadonlyArray<Tables['events']>): CompiledQuery {
    const sql =
      texts.get(rows.length) ??
      db
        .insertInto('events')
        .values(rows)
        .onConflict((conflict) => conflict.column('id').doNothing())
        .compile().sql
    texts.set(rows.length, sql)
    return CompiledQuery.raw(
      sql,
      rows.flatMap((row) => columns.map((name) => row[name])),
    )
  }

  return async function storeEvents(events, context) {
    if (events.length === 0) return
    const now = Date.now()
    const contextId = createHash('sha256')
      .update(`${new Date(now).toISOString().slice(0, 10)}\n${context}`)
      .digest('hex')
      .slice(0, 32)
    const rows = events.map(
      ({ id, ts, kind, op, locale, device_id, url, data }): Tables['events'] => ({
        id,
        received_at: now,
        ts,
        kind,
        op,
        locale,
        device_id,
        url,
        data,
        context_id: contextId,
      }),
    )
    await database.run(async (db) => {
      const stored = known.has(contextId)
        ? null
        : db
            .insertInto('event_contexts')
            .values({ id: contextId, received_at: now, data: context })
            .onConflict((conflict) => conflict.column('id').doNothing())
            .execute()
      // Side by side: on SQLite both share one commit.
      await Promise.all([stored, db.executeQuery(insertOf(db, rows))])
    })
    known.set(contextId, true)
  }
}
