import { createHash } from 'node:crypto'
import { CompiledQuery, type Kysely } from 'kysely'
import { LRUCache } from 'lru-cache'
import { utcDay } from '../../shared/utc-day'
import type { Database } from './database'
import type { Tables } from './tables'

export type StoredEvent = Omit<Tables['events'], 'received_at' | 'context_id'>

/** In the order in which Kysely names them: that of the properties of the rows below. */
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
/** Contexts that were stored lately. A device has one or two per day. */
const maxKnownContexts = 20_000
/** Then a context is stored again, because an operator may have deleted it with a person's data. */
const knownContextMs = 60_000

/**
 * Stores batches of analytics events; an event with a known id is skipped. Resolves when all are on
 * disk. The context, which the events of a device share, is stored once per day, so that events and
 * contexts of a day are pruned together.
 */
export function createEventStore(
  database: Database,
): (events: readonly StoredEvent[], context: string) => Promise<void> {
  // The SQL text by batch size (1 to 20). Compiling it again would cost more than running it.
  const sqlBySize = new Map<number, string>()
  const knownContexts = new LRUCache<string, true>({ max: maxKnownContexts, ttl: knownContextMs })

  function compileInsert(db: Kysely<Tables>, rows: ReadonlyArray<Tables['events']>): CompiledQuery {
    const sql =
      sqlBySize.get(rows.length) ??
      db
        .insertInto('events')
        .values(rows)
        .onConflict((conflict) => conflict.column('id').doNothing())
        .compile().sql
    sqlBySize.set(rows.length, sql)
    return CompiledQuery.raw(
      sql,
      rows.flatMap((row) => columns.map((name) => row[name])),
    )
  }

  return async function storeEvents(events, context) {
    if (events.length === 0) return
    const now = Date.now()
    const contextId = createHash('sha256')
      .update(`${utcDay(now)}\n${context}`)
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
      const contextStored = knownContexts.has(contextId)
        ? null
        : db
            .insertInto('event_contexts')
            .values({ id: contextId, received_at: now, data: context })
            .onConflict((conflict) => conflict.column('id').doNothing())
            .execute()
      // Concurrently, because on SQLite both then share one commit.
      await Promise.all([contextStored, db.executeQuery(compileInsert(db, rows))])
    })
    knownContexts.set(contextId, true)
  }
}
