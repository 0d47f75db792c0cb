import pg from 'pg'
import { batchSize, quoteName, type CopyEndpoint, type Row } from './copy-endpoint'

const connectTimeoutMs = 5000

/** Reads 64-bit integers as numbers instead of strings: ids and times in ms fit a number. */
const types = new pg.TypeOverrides()
types.setTypeParser(pg.types.builtins.INT8, Number)

/** Opens a PostgreSQL database for a copy, in one transaction. */
export async function openPostgresEndpoint(
  url: string,
  mode: 'read' | 'write',
): Promise<CopyEndpoint> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: connectTimeoutMs,
    types,
  })
  // If the connection breaks, the query that runs rejects; the event would end the process, and the
  // caller could not delete its temporary files.
  client.on('error', () => undefined)
  await client.connect()
  await client.query(mode === 'read' ? 'BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY' : 'BEGIN')
  let cursors = 0

  return {
    async *read(table) {
      const cursor = `copy_${(cursors += 1)}`
      await client.query(`DECLARE ${cursor} NO SCROLL CURSOR FOR SELECT * FROM ${quoteName(table)}`)
      for (;;) {
        const { rows } = await client.query<Row>(`FETCH ${batchSize} FROM ${cursor}`)
        if (rows.length === 0) break
        yield rows
      }
      await client.query(`CLOSE ${cursor}`)
    },
    async insert(table, rows) {
      const columns = Object.keys(rows[0] ?? {})
      const names = columns.map(quoteName).join(', ')
      const values = rows.flatMap((row) => columns.map((name) => row[name]))
      const tuples = rows.map((_, row) => {
        const first = row * columns.length + 1
        return `(${columns.map((__, column) => `$${first + column}`).join(', ')})`
      })
      await client.query(
        `INSERT INTO ${quoteName(table)} (${names}) VALUES ${tuples.join(', ')}`,
        values,
      )
    },
    clear: async (table) => void (await client.query(`DELETE FROM ${quoteName(table)}`)),
    isEmpty: async (table) =>
      (await client.query(`SELECT 1 FROM ${quoteName(table)} LIMIT 1`)).rows.length === 0,
    async resetSequences(table) {
      const { rows } = await client.query<{ name: string }>(
        "SELECT column_name AS name FROM information_schema.columns WHERE table_schema = current_schema() AND table_name = $1 AND column_default LIKE 'nextval(%'",
        [table],
      )
      for (const { name } of rows)
        await client.query(
          `SELECT setval(pg_get_serial_sequence($1, $2), coalesce((SELECT max(${quoteName(name)}) FROM ${quoteName(table)}), 0) + 1, false)`,
          [quoteName(table), name],
        )
    },
    commit: async () => void (await client.query('COMMIT')),
    close: () => client.end(),
  }
}
