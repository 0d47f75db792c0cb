import { sql, type RawBuilder } from 'kysely'
import { z } from 'zod'
import type { Database } from './database'
import { deviceEvents, isEmail, personalTables, type PersonalTable } from './personal-tables'
import type { Tables } from './tables'

/** Rows of a person that one query reads or deletes. Visitors' queries run between the batches. */
const batchRows = 1000

type Row = Record<string, unknown>
type ContextRow = Tables['event_contexts']
type TableCount = { table: string; rows: number }

const columnsOf = ({ key }: PersonalTable) => sql.join(key.map((name) => sql.ref(name)))

/** A person's rows of a table in batches. `columns` are selected, and always the table's key. */
async function* readRows(
  database: Database,
  table: PersonalTable,
  columns: RawBuilder<unknown> = sql`*`,
): AsyncGenerator<Row[]> {
  const key = columnsOf(table)
  let after = sql``
  for (;;) {
    const statement = sql<Row>`
      select ${key}, ${columns} from ${sql.table(table.table)} where ${table.where}${after}
      order by ${key} limit ${batchRows}`
    const { rows } = await database.report((db) => statement.execute(db))
    const last = rows.at(-1)
    if (!last) return
    yield rows
    after = sql` and (${key}) > (${sql.join(table.key.map((name) => last[name]))})`
  }
}

const contextSchema = z.object({ device_id: z.string() })
const deviceOfContext = (data: string): string | undefined =>
  contextSchema.safeParse(JSON.parse(data)).data?.device_id

/** Reads the events of a device in batches, with the contexts that hold its id, each once. */
async function* readContexts(
  database: Database,
  device: string,
): AsyncGenerator<{ events: number; contexts: ContextRow[] }> {
  const known = new Set<string>()
  const table = deviceEvents(device, database.dialect)
  for await (const rows of readRows(database, table, sql.ref('context_id'))) {
    const ids = new Set(rows.map((row) => String(row['context_id'])))
    const newIds = [...ids].filter((id) => !known.has(id))
    newIds.forEach((id) => known.add(id))
    const contexts =
      newIds.length === 0
        ? []
        : await database.report((db) =>
            db.selectFrom('event_contexts').selectAll().where('id', 'in', newIds).execute(),
          )
    const own = contexts.filter(({ data }) => deviceOfContext(data) === device)
    yield { events: rows.length, contexts: own }
  }
}

async function countRows(database: Database, { table, where }: PersonalTable): Promise<TableCount> {
  const statement = sql<{ rows: number | string }>`
    select count(*) as rows from ${sql.table(table)} where ${where}`
  const { rows } = await database.report((db) => statement.execute(db))
  return { table, rows: Number(rows[0]?.rows ?? 0) }
}

/** Number of rows of a person by table. */
export async function countPersonalRows(
  database: Database,
  subject: string,
): Promise<TableCount[]> {
  const counts: TableCount[] = []
  const tables = personalTables(subject, database.dialect)
  for (const table of tables)
    if (table.table !== 'events') counts.push(await countRows(database, table))
  if (isEmail(subject)) return counts
  const [events, contexts] = [
    { table: 'events', rows: 0 },
    { table: 'event_contexts', rows: 0 },
  ]
  for await (const batch of readContexts(database, subject)) {
    events.rows += batch.events
    contexts.rows += batch.contexts.length
  }
  return [events, ...counts, contexts]
}

/** All rows of a person by table, in batches. Every table comes at least once. */
export async function* readPersonalRows(
  database: Database,
  subject: string,
): AsyncGenerator<{ table: string; rows: readonly Row[] }> {
  for (const table of personalTables(subject, database.dialect)) {
    yield { table: table.table, rows: [] }
    for await (const rows of readRows(database, table))
      // SQLite's row number is no column of the table.
      yield { table: table.table, rows: rows.map(({ rowid: _none, ...row }) => row) }
  }
  if (isEmail(subject)) return
  yield { table: 'event_contexts', rows: [] }
  for await (const { contexts } of readContexts(database, subject))
    yield { table: 'event_contexts', rows: contexts }
}

async function deleteRows(database: Database, table: PersonalTable): Promise<TableCount> {
  const [name, key] = [sql.table(table.table), columnsOf(table)]
  for (let deleted = 0; ;) {
    const statement = sql`delete from ${name} where (${key}) in
      (select ${key} from ${name} where ${table.where} limit ${batchRows})`
    const { numAffectedRows } = await database.run((db) => statement.execute(db))
    const count = Number(numAffectedRows ?? 0)
    if (count === 0) return { table: table.table, rows: deleted }
    deleted += count
  }
}

/** Contexts are found through the events, so they are deleted before the events. */
async function deleteContexts(database: Database, device: string): Promise<TableCount> {
  let deleted = 0
  for await (const { contexts } of readContexts(database, device)) {
    const ids = contexts.map(({ id }) => id)
    deleted += ids.length
    if (ids.length > 0)
      await database.run((db) => db.deleteFrom('event_contexts').where('id', 'in', ids).execute())
  }
  return { table: 'event_contexts', rows: deleted }
}

/** Deletes all rows of a person. Returns the number of deleted rows by table. */
export async function deletePersonalRows(
  database: Database,
  subject: string,
): Promise<TableCount[]> {
  const contexts = isEmail(subject) ? [] : [await deleteContexts(database, subject)]
  const deleted: TableCount[] = []
  for (const table of personalTables(subject, database.dialect))
    deleted.push(await deleteRows(database, table))
  return [...deleted, ...contexts]
}
