/**
 * The set of `console-set.ts` with its counts in a private PostgreSQL server, which has the
 * settings of its package. It is kept beside the SQLite file.
 */
import { createWriteStream, existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import Sqlite from 'better-sqlite3'
import pg from 'pg'
import { listTables } from '../server/ops/backup/sqlite-endpoint'
import { openPostgresEndpoint } from '../server/ops/backup/postgres-endpoint'
import { openTestDatabase } from '../testing/console-data'
import { needProgram } from '../testing/debian-program'
import { startPostgres } from '../testing/postgres'
import { consoleSet, countAnew, readCounted, setFolder, type ConsoleSet } from './console-set'

const rowsPerPart = 2000

/** A value in the text format of COPY. */
function copyValue(value: string | number | null): string {
  if (value === null) return '\\N'
  const text = String(value)
  return /[\\\t\n\r]/.test(text)
    ? text.replace(
        /[\\\t\n\r]/g,
        (found) => ({ '\t': '\\t', '\n': '\\n', '\r': '\\r' })[found] ?? '\\\\',
      )
    : text
}

function* copyParts(db: Sqlite.Database, table: string, columns: string): Generator<string> {
  const rows = db.prepare(`SELECT ${columns} FROM ${table}`).raw().iterate() as Iterable<
    Array<string | number | null>
  >
  let part = ''
  let count = 0
  for (const row of rows) {
    part += `${row.map(copyValue).join('\t')}\n`
    if ((count += 1) % rowsPerPart > 0) continue
    yield part
    part = ''
  }
  yield part
}

/** Copies a table by a file that the server reads. */
async function copyTable(
  client: pg.Client,
  folder: string,
  db: Sqlite.Database,
  table: string,
): Promise<void> {
  const names = db
    .prepare(`SELECT * FROM ${table}`)
    .columns()
    .map(({ name }) => `"${name}"`)
    .join(', ')
  const file = join(folder, 'copied-table')
  await pipeline(Readable.from(copyParts(db, table, names)), createWriteStream(file))
  await client.query(`COPY ${table} (${names}) FROM '${file}'`)
  rmSync(file)
}

/** Runs `fill` while the table has no indexes, which is many times faster, and makes them again. */
async function withoutIndexes(
  client: pg.Client,
  table: string,
  fill: () => Promise<void>,
): Promise<void> {
  const keys = await client.query<{ name: string; definition: string }>(
    `SELECT conname AS name, pg_get_constraintdef(oid) AS definition FROM pg_constraint
     WHERE conrelid = '${table}'::regclass AND contype = 'p'`,
  )
  for (const { name } of keys.rows)
    await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`)
  const indexes = await client.query<{ name: string; definition: string }>(
    `SELECT indexname AS name, indexdef AS definition FROM pg_indexes WHERE tablename = '${table}'`,
  )
  for (const { name } of indexes.rows) await client.query(`DROP INDEX ${name}`)
  await fill()
  await client.query(`SET maintenance_work_mem = '1GB'`)
  for (const { definition } of indexes.rows) await client.query(definition)
  for (const { name, definition } of keys.rows)
    await client.query(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`)
}

async function loadSet(folder: string, url: string, file: string): Promise<void> {
  console.error('copying the set to PostgreSQL')
  const database = openTestDatabase(url)
  // The first query creates the tables.
  await database.run((db) => db.selectFrom('events').select('id').limit(1).execute())
  await database.close()
  const db = new Sqlite(file, { readonly: true })
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const tables = listTables(file)
  for (const table of tables) {
    const copy = (): Promise<void> => copyTable(client, folder, db, table)
    await (table === 'events' ? withoutIndexes(client, table, copy) : copy())
  }
  db.close()
  const endpoint = await openPostgresEndpoint(url, 'write')
  for (const table of tables) await endpoint.resetSequences(table)
  await endpoint.commit()
  await endpoint.close()
  // As the server does by itself soon after so many new rows.
  await client.query('VACUUM ANALYZE')
  await client.end()
}

async function sizeOf(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ bytes: string }>(
    'SELECT pg_database_size(current_database()) AS bytes',
  )
  await client.end()
  return Number(rows[0]?.bytes)
}

/** Returns the set in PostgreSQL. `isCountedAnew`: with the counting measured. */
export async function postgresSet(count: number, isCountedAnew: boolean): Promise<ConsoleSet> {
  const set = await consoleSet(count, false)
  const folder = join(setFolder(count), 'postgres')
  const [loadedRecord, countedRecord] = [
    join(setFolder(count), 'loaded.json'),
    join(setFolder(count), 'counted-postgres.json'),
  ]
  const isLoaded = existsSync(loadedRecord)
  if (!isLoaded)
    for (const old of [folder, countedRecord]) rmSync(old, { recursive: true, force: true })
  const server = await startPostgres(needProgram('postgres'), folder)
  try {
    const url = isLoaded
      ? `postgres://postgres@127.0.0.1:${server.port}/site_1`
      : await server.makeDatabase()
    if (!isLoaded) {
      await loadSet(folder, url, set.url.slice('file:'.length))
      writeFileSync(loadedRecord, '{}')
    }
    const counted = isCountedAnew
      ? await countAnew(url, countedRecord)
      : (readCounted(countedRecord) ?? { countSeconds: null })
    return { ...set, url, bytes: await sizeOf(url), ...counted, stop: server.stop }
  } catch (error) {
    await server.stop()
    throw error
  }
}
