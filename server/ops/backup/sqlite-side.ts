import Database from 'better-sqlite3'
import { portion, quoted, type Row, type StoreSide } from './store-side'

/** A SQLite file as one side of a copy. Reading is a snapshot: a site that writes meanwhile neither waits nor disturbs. */
export function openSqliteSide(file: string, mode: 'read' | 'write'): StoreSide {
  const db = new Database(
    file,
    mode === 'read' ? { readonly: true, fileMustExist: true } : { fileMustExist: true },
  )
  db.exec(mode === 'read' ? 'BEGIN' : 'BEGIN IMMEDIATE')

  return {
    async *read(table) {
      let rows: Row[] = []
      for (const row of db.prepare<[], Row>(`SELECT * FROM ${quoted(table)}`).iterate()) {
        if (rows.push(row) < portion) continue
        yield rows
        rows = []
      }
      if (rows.length > 0) yield rows
    },
    async insert(table, rows) {
      const columns = Object.keys(rows[0] ?? {})
      const statement = db.prepare(
        `INSERT INTO ${quoted(table)} (${columns.map(quoted).join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
      )
      for (const row of rows) statement.run(...columns.map((name) => row[name]))
    },
    clear: async (table) => void db.exec(`DELETE FROM ${quoted(table)}`),
    isEmpty: async (table) =>
      db.prepare(`SELECT 1 FROM ${quoted(table)} LIMIT 1`).get() === undefined,
    // SQLite keeps the highest number by itself.
    continueCounting: async () => undefined,
    commit: async () => void db.exec('COMMIT'),
    close: async () => void db.close(),
  }
}

/** Tables of a site's SQLite file, in an order in which a table comes after those that it refers to. */
export function tablesOf(file: string): string[] {
  const db = new Database(file, { readonly: true, fileMustExist: true })
  try {
    const names = (
      db
        .prepare(
          "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'migrations' ORDER BY name",
        )
        .all() as Array<{ name: string }>
    ).map(({ name }) => name)
    const ordered: string[] = []
    const add = (name: string): void => {
      if (ordered.includes(name)) return
      for (const { table } of db.pragma(`foreign_key_list(${quoted(name)})`) as Array<{
        table: string
      }>)
        if (table !== name) add(table)
      ordered.push(name)
    }
    names.forEach(add)
    return ordered
  } finally {
    db.close()
  }
}
