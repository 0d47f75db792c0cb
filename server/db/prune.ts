import { sql } from 'kysely'
import { retention } from '../../shared/constants'
import type { Database } from './database'
import type { Tables } from './tables'

/** Rows of `table` whose `timeColumn` is older than `before` (ms since 1970) are deleted. */
type RetentionRule = {
  [Table in keyof Tables]: {
    table: Table
    /** The column by which rows of a batch are selected. */
    key: keyof Tables[Table] & string
    timeColumn: keyof Tables[Table] & string
    before: number
  }
}[keyof Tables]

const dayMs = 24 * 60 * 60 * 1000

function retentionRules(now: number): readonly RetentionRule[] {
  const eventsBefore = now - retention.eventDays * dayMs
  return [
    { table: 'events', key: 'id', timeColumn: 'received_at', before: eventsBefore },
    // A context is shared by the events of one day, so it must outlive the last of them.
    { table: 'event_contexts', key: 'id', timeColumn: 'received_at', before: eventsBefore - dayMs },
    {
      table: 'fingerprints',
      key: 'hash',
      timeColumn: 'at',
      before: now - retention.fingerprintDays * dayMs,
    },
    { table: 'tokens', key: 'hash', timeColumn: 'expires_at', before: now },
    { table: 'used_nonces', key: 'hash', timeColumn: 'expires_at', before: now },
  ]
}

/** Deletes rows that are past their retention. Returns the number of deleted rows by table. */
export async function prune(database: Database, now = Date.now()): Promise<Record<string, number>> {
  const deletedRows: Record<string, number> = {}
  for (const rule of retentionRules(now)) {
    let total = 0
    // In batches, so that no other write waits long for the lock.
    for (;;) {
      const deleted = await deleteBatch(database, rule)
      if (deleted === 0) break
      total += deleted
    }
    deletedRows[rule.table] = total
  }
  return deletedRows
}

async function deleteBatch(database: Database, rule: RetentionRule): Promise<number> {
  const [table, key, time] = [sql.table(rule.table), sql.ref(rule.key), sql.ref(rule.timeColumn)]
  // The second condition spares newer rows with the same key, which a fingerprint's hash may have.
  const statement = sql`delete from ${table} where ${key} in
    (select ${key} from ${table} where ${time} < ${rule.before} limit ${retention.deleteBatchRows})
    and ${time} < ${rule.before}`
  const { numAffectedRows } = await database.run((db) => statement.execute(db))
  return Number(numAffectedRows ?? 0)
}
