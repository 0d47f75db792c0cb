import { sql } from 'kysely'
import { z } from 'zod'
import type { Database } from './database'
import type { Tables } from './tables'

/** Rows of a person that one query reads or deletes. */
const batchRows = 1000
/** More rows of a table are not exported. */
const maxRows = 20_000

type Row = Record<string, unknown>
/** A table that holds a device id or an email address, and the condition of the rows. */
type PersonalTable = {
  table: keyof Tables
  /** Together unique among the rows of a person. */
  key: readonly string[]
  where: (subject: string) => ReturnType<typeof sql>
}

const byDevice = (table: keyof Tables, ...key: string[]): PersonalTable => ({
  table,
  key,
  where: (subject) => sql`device_id = ${subject}`,
})
const byEmail = (table: keyof Tables, ...key: string[]): PersonalTable => ({
  table,
  key,
  where: (subject) => sql`lower(email) = ${subject.toLowerCase()}`,
})

/** Rows that others reference come last. Contexts of events are handled separately. */
const deviceTables: readonly PersonalTable[] = [
  byDevice('events', 'id'),
  byDevice('visitor_days', 'start'),
  byDevice('sources', 'id'),
  byDevice('referrals', 'code'),
  byDevice('fingerprints', 'log_type', 'hash'),
]
const emailTables: readonly PersonalTable[] = [
  {
    table: 'tokens',
    key: ['hash'],
    where: (subject) =>
      sql`account_id in (select id from accounts where lower(email) = ${subject.toLowerCase()})`,
  },
  byEmail('accounts', 'id'),
  byEmail('messages', 'id'),
]
const tablesFor = (subject: string): readonly PersonalTable[] =>
  subject.includes('@') ? emailTables : deviceTables
/** The columns of the key as a list. */
const columnsOf = ({ key }: PersonalTable) => sql.join(key.map((name) => sql.ref(name)))

const contextSchema = z.object({ device_id: z.string() })
function deviceOfContext(data: string): string | null {
  try {
    return contextSchema.safeParse(JSON.parse(data)).data?.device_id ?? null
  } catch {
    return null
  }
}

/** The contexts of a device's events that hold its id. A device has one or two a day. */
async function contextsOf(
  database: Database,
  subject: string,
): Promise<Array<Tables['event_contexts']>> {
  if (subject.includes('@')) return []
  const rows = await database.report((db) =>
    db
      .selectFrom('event_contexts')
      .selectAll()
      .where('id', 'in', (query) =>
        query.selectFrom('events').select('context_id').where('device_id', '=', subject),
      )
      .limit(maxRows)
      .execute(),
  )
  return rows.filter(({ data }) => deviceOfContext(data) === subject)
}

/** Number of rows of a person by table. */
export async function countPersonalRows(
  database: Database,
  subject: string,
): Promise<Array<{ table: string; rows: number }>> {
  const counts: Array<{ table: string; rows: number }> = []
  for (const { table, where } of tablesFor(subject)) {
    const statement = sql<{ rows: number | string }>`
      select count(*) as rows from ${sql.table(table)} where ${where(subject)}`
    const { rows } = await database.report((db) => statement.execute(db))
    counts.push({ table, rows: Number(rows[0]?.rows ?? 0) })
  }
  const contexts = await contextsOf(database, subject)
  return subject.includes('@')
    ? counts
    : [...counts, { table: 'event_contexts', rows: contexts.length }]
}

/** The next rows of a person in a table, after `last`. */
async function readBatch(
  database: Database,
  table: PersonalTable,
  subject: string,
  last: Row | undefined,
): Promise<Row[]> {
  const columns = columnsOf(table)
  const after = last
    ? sql` and (${columns}) > (${sql.join(table.key.map((name) => last[name]))})`
    : sql``
  const statement = sql<Row>`
    select * from ${sql.table(table.table)} where ${table.where(subject)}${after}
    order by ${columns} limit ${batchRows}`
  return (await database.report((db) => statement.execute(db))).rows
}

/**
 * The rows of a person by table, at most 20,000 of each, in batches: visitors' requests are answered
 * between them. Every table comes at least once.
 */
export async function* readPersonalRows(
  database: Database,
  subject: string,
): AsyncGenerator<{ table: string; rows: Row[] }> {
  for (const table of tablesFor(subject)) {
    let rows: Row[] = []
    for (let read = 0; read < maxRows; read += batchRows) {
      rows = await readBatch(database, table, subject, rows.at(-1))
      yield { table: table.table, rows }
      if (rows.length < batchRows) break
    }
  }
  if (!subject.includes('@'))
    yield { table: 'event_contexts', rows: await contextsOf(database, subject) }
}

async function deleteRows(
  database: Database,
  personalTable: PersonalTable,
  subject: string,
): Promise<number> {
  const { table, where } = personalTable
  const columns = columnsOf(personalTable)
  let deleted = 0
  for (;;) {
    const condition = where(subject)
    // Small batches, so that visitors' writes run between them.
    const statement = sql`delete from ${sql.table(table)} where ${condition} and (${columns}) in
      (select ${columns} from ${sql.table(table)} where ${condition} limit ${batchRows})`
    const { numAffectedRows } = await database.run((db) => statement.execute(db))
    const count = Number(numAffectedRows ?? 0)
    deleted += count
    if (count === 0) return deleted
  }
}

/** Deletes all rows of a person. Returns the number of deleted rows by table. */
export async function deletePersonalRows(
  database: Database,
  subject: string,
): Promise<Array<{ table: string; rows: number }>> {
  // Contexts are found through the events, so they are read before the events are deleted.
  const contextIds = (await contextsOf(database, subject)).map(({ id }) => id)
  const deleted: Array<{ table: string; rows: number }> = []
  if (contextIds.length > 0)
    await database.run((db) =>
      db.deleteFrom('event_contexts').where('id', 'in', contextIds).execute(),
    )
  for (const table of tablesFor(subject))
    deleted.push({ table: table.table, rows: await deleteRows(database, table, subject) })
  return subject.includes('@')
    ? deleted
    : [...deleted, { table: 'event_contexts', rows: contextIds.length }]
}
