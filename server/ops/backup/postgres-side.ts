import pg from 'pg'
import { portion, quoted, type Row, type StoreSide } from './store-side'

/** Numbers of 64 bits come as text by default; moments fit a number. */
const types = {
  getTypeParser: (type: number, format?: 'text' | 'binary') =>
    type === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(type, format),
} as pg.CustomTypesConfig

/** A PostgreSQL database as one side of a copy. */
export async function openPostgresSide(url: string, mode: 'read' | 'write'): Promise<StoreSide> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000, types })
  await client.connect()
  await client.query(mode === 'read' ? 'BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY' : 'BEGIN')
  let cursors = 0

  return {
    async *read(table) {
      const cursor = `copy_${(cursors += 1)}`
      await client.query(`DECLARE ${cursor} NO SCROLL CURSOR FOR SELECT * FROM ${quoted(table)}`)
      for (;;) {
        const { rows } = await client.query<Row>(`FETCH ${portion} FROM ${cursor}`)
        if (rows.length === 0) break
        yield rows
      }
      await client.query(`CLOSE ${cursor}`)
    },
    async insert(table, rows) {
      const columns = Object.keys(rows[0] ?? {})
      const values = rows.flatMap((row) => columns.map((name) => row[name]))
      const places = rows.map(
        (_, row) =>
          `(${columns.map((__, column) => `$${row * columns.length + column + 1}`).join(', ')})`,
      )
      await client.query(
        `INSERT INTO ${quoted(table)} (${columns.map(quoted).join(', ')}) VALUES ${places.join(', ')}`,
        values,
      )
    },
    clear: async (table) => void (await client.query(`DELETE FROM ${quoted(table)}`)),
    isEmpty: async (table) =>
      (await client.query(`SELECT 1 FROM ${quoted(table)} LIMIT 1`)).rows.length === 0,
    async continueCounting(table) {
      const { rows } = await client.query<{ name: string }>(
        "SELECT column_name AS name FROM information_schema.columns WHERE table_schema = current_schema() AND table_name = $1 AND column_default LIKE 'nextval(%'",
        [table],
      )
      for (const { name } of rows)
        await client.query(
          `SELECT setval(pg_get_serial_sequence($1, $2), coalesce((SELECT max(${quoted(name)}) FROM ${quoted(table)}), 0) + 1, false)`,
          [quoted(table), name],
        )
    },
    commit: async () => void (await client.query('COMMIT')),
    close: () => client.end(),
  }
}
