import type { Database } from './database'
import type { Tables } from './tables'

/** The last event of a batch. Events that arrived at the same time follow each other by id. */
export type EventCursor = { at: number; id: string }
export type StoredEventRow = Pick<
  Tables['events'],
  'received_at' | 'id' | 'kind' | 'locale' | 'device_id' | 'url' | 'data' | 'context_id'
>
type Batch = {
  /** Arrival in ms: `since` is included, `until` is not. */
  since: number
  until: number
  /** The batch continues after this event; null begins at the end that `order` names. */
  cursor: EventCursor | null
  /** `asc`: oldest first. */
  order: 'asc' | 'desc'
  maxRows: number
}

/**
 * The next events of a range. `run` is `Database.run` or `Database.report`. The cursor narrows the
 * range, instead of adding a condition: SQLite searches its index for one lower and one upper
 * limit, and would otherwise read again what was read before.
 */
export const readEventBatch = (
  run: Database['run'],
  { since, until, cursor, order, maxRows }: Batch,
): Promise<StoredEventRow[]> =>
  run((db) => {
    const isOldestFirst = order === 'asc'
    const query = db
      .selectFrom('events')
      .select(['received_at', 'id', 'kind', 'locale', 'device_id', 'url', 'data', 'context_id'])
      .where('received_at', '>=', cursor && isOldestFirst ? Math.max(since, cursor.at) : since)
      .where('received_at', '<', cursor && !isOldestFirst ? Math.min(until, cursor.at + 1) : until)
    const beyond = isOldestFirst ? '>' : '<'
    const rest = cursor
      ? query.where((where) =>
          where.or([where('received_at', beyond, cursor.at), where('id', beyond, cursor.id)]),
        )
      : query
    return rest.orderBy('received_at', order).orderBy('id', order).limit(maxRows).execute()
  })
