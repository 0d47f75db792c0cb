import { sql } from 'kysely'
import { dayMs } from '../../shared/constants'
import { utcDay } from '../../shared/utc-day'
import type { Database } from './database'
import type { Tables } from './tables'

/**
 * Rows are deleted `days` after `since`: a column with a time in ms since 1970, or the text of a
 * day.
 */
type Rule<Row> = {
  /** The columns of the primary key: they select the rows of a batch. */
  key: ReadonlyArray<keyof Row & string>
  since: keyof Row & string
  days: number
  /** Only rows in which this column is null are deleted. */
  onlyWithout?: keyof Row & string
}

/**
 * How long the rows of each table are kept. Rows that reference others come first. The doctor and
 * docs/operations.md list these times.
 */
export const retention: { readonly [Table in keyof Tables]: Rule<Tables[Table]> | 'always' } = {
  tokens: { key: ['hash'], since: 'expires_at', days: 0 },
  used_nonces: { key: ['hash'], since: 'expires_at', days: 0 },
  operator_sessions: { key: ['id'], since: 'expires_at', days: 0 },
  fingerprints: { key: ['device_id', 'log_type', 'hash'], since: 'at', days: 30 },
  // Someone who never reached the application. An account that was used belongs to a person.
  accounts: { key: ['id'], since: 'signed_in_at', days: 30, onlyWithout: 'used_at' },
  events: { key: ['id'], since: 'received_at', days: 90 },
  // A context is shared by the events of one day, so it must outlive the last of them.
  event_contexts: { key: ['id'], since: 'received_at', days: 91 },
  vitals: { key: ['id'], since: 'at', days: 90 },
  sources: { key: ['id'], since: 'at', days: 90 },
  search_terms: { key: ['day', 'locale', 'query'], since: 'day', days: 365 },
  search_misses: { key: ['day', 'locale', 'query'], since: 'day', days: 365 },
  // A total is deleted with the last of its days.
  search_totals: 'always',
  helpful_votes: { key: ['id'], since: 'at', days: 365 },
  // As long as the device id that they contain.
  referrals: { key: ['device_id', 'code'], since: 'at', days: 360 },
  // People expect an answer to what they wrote, and may come back to it.
  messages: { key: ['id'], since: 'at', days: 730 },
  announcements: { key: ['id'], since: 'at', days: 90 },
  announcement_batches: { key: ['id'], since: 'at', days: 90 },
  address_counts: { key: ['day', 'status', 'host', 'path', 'referrer'], since: 'day', days: 90 },
  translation_sources: { key: ['path', 'unit', 'version'], since: 'at', days: 1100 },
  announced_pages: 'always',
  leases: 'always',
  // Counts name no visitor, so that years can be compared.
  event_hours: {
    key: ['metric', 'start', 'locale', 'country', 'device'],
    since: 'start',
    days: 14,
  },
  event_days: {
    key: ['metric', 'start', 'locale', 'country', 'device'],
    since: 'start',
    days: 1100,
  },
  event_keys: { key: ['kind', 'start', 'key', 'locale'], since: 'start', days: 1100 },
  error_groups: { key: ['id'], since: 'last_at', days: 90 },
  visitor_days: { key: ['start', 'device_id'], since: 'start', days: 3 },
  route_vitals: 'always',
  count_cursors: 'always',
  prune_results: 'always',
  secrets: 'always',
}

/** Small batches, so that no other write waits long for the lock. */
const maxBatchRows = 5000

const rules = Object.entries(retention).flatMap(([table, rule]) =>
  rule === 'always' ? [] : [{ table, ...rule }],
)
type TableRule = (typeof rules)[number]

/** Rows of a table that were due before a time. */
function dueRows({ since, days, onlyWithout }: TableRule, now: number) {
  const before = now - days * dayMs
  const due = sql`${sql.ref(since)} < ${since === 'day' ? utcDay(before) : before}`
  return onlyWithout ? sql`${due} and ${sql.ref(onlyWithout)} is null` : due
}

/** Deletes rows that are past their retention. Returns the number of deleted rows by table. */
export async function prune(database: Database, now = Date.now()): Promise<Record<string, number>> {
  const deletedRows: Record<string, number> = {}
  for (const rule of rules) {
    let total = 0
    for (;;) {
      const deleted = await deleteBatch(database, rule, now)
      if (deleted === 0) break
      total += deleted
    }
    deletedRows[rule.table] = total
    await recordPrune(database, { table_name: rule.table, at: now, deleted: total })
  }
  return deletedRows
}

async function deleteBatch(database: Database, rule: TableRule, now: number): Promise<number> {
  const [table, due] = [sql.table(rule.table), dueRows(rule, now)]
  const key = sql.join(rule.key.map((column) => sql.ref(column)))
  // The second condition spares a row that another process renews meanwhile: PostgreSQL checks it
  // again once the row is no longer locked.
  const statement = sql`delete from ${table} where (${key}) in
    (select ${key} from ${table} where ${due} limit ${maxBatchRows}) and ${due}`
  const { numAffectedRows } = await database.run((db) => statement.execute(db))
  return Number(numAffectedRows ?? 0)
}

/** Tables with rows that were due before `now`. */
export async function tablesToPrune(database: Database, now: number): Promise<string[]> {
  const tables = await Promise.all(
    rules.map(async (rule) => {
      const statement = sql`select 1 from ${sql.table(rule.table)} where ${dueRows(rule, now)} limit 1`
      const { rows } = await database.run((db) => statement.execute(db))
      return rows.length > 0 ? [rule.table] : []
    }),
  )
  return tables.flat()
}

async function recordPrune(database: Database, result: Tables['prune_results']): Promise<void> {
  await database.run((db) =>
    db
      .insertInto('prune_results')
      .values(result)
      .onConflict((conflict) =>
        conflict.column('table_name').doUpdateSet({ at: result.at, deleted: result.deleted }),
      )
      .execute(),
  )
}

/** When rows of each table were deleted last, and how many. */
export const readPruneResults = (database: Database): Promise<Array<Tables['prune_results']>> =>
  database.run((db) => db.selectFrom('prune_results').selectAll().execute())
