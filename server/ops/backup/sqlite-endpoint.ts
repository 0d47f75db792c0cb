import Database from 'better-sqlite3'
import { batchSize, quoteName, type CopyEndpoint, type Row } from './copy-endpoint'

const openFile = (file: string, mode: 'read' | 'write'): Database.Database =>
  new Database(file, { readonly: mode === 'read', fileMustExist: true })

/**
 * Opens a SQLite file for a copy. Reading uses a snapshot, so a running site can write meanwhile
 * and neither of the two waits.
 */
export function openSqliteEndpoint(file: string, mode: 'read' | 'write'): CopyEndpoint {
  const db = openFile(file, mode)
  db.exec(mode === 'read' ? 'BEGIN' : 'BEGIN IMMEDIATE')

  return {
    *read(table) {
      let batch: Row[] = []
      for (const row of db.prepare<[], Row>(`SELECT * FROM ${quoteName(table)}`).iterate()) {
        if (batch.push(row) < batchSize) continue
        yield batch
        batch = []
      }
      if (batch.length > 0) yield batch
    },
    insert(table, rows) {
      const columns = Object.keys(rows[0] ?? {})
      const names = columns.map(quoteName).join(', ')
      const statement = db.prepare(
        `INSERT INTO ${quoteName(table)} (${names}) VALUES (${columns.map(() => '?').join(', ')})`,
      )
      for (const row of rows) statement.run(...columns.map((name) => row[name]))
    },
    clear: (table) => void db.exec(`DELETE FROM ${quoteName(table)}`),
    isEmpty: (table) => db.prepare(`SELECT 1 FROM ${quoteName(table)} LIMIT 1`).get() === undefined,
    // SQLite derives the next id from the rows.
    resetSequences: () => undefined,
    commit: () => void db.exec('COMMIT'),
    close: () => void db.close(),
  }
}

/**
 * The tables of a site's SQLite file whose rows are copied; each comes after the tables that it
 * references. Triggers of the target fill `search_totals`.
 */
export function listTables(file: string): string[] {
  const db = openFile(file, 'read')
  try {
    const tables = db
      .prepare<[], { name: string }>(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT IN ('migrations', 'search_totals') ORDER BY name",
      )
      .all()
    const references = db.prepare<[string], { table: string }>(
      'SELECT "table" FROM pragma_foreign_key_list(?)',
    )
    const ordered: string[] = []
    const add = (name: string): void => {
      if (ordered.includes(name)) return
      for (const { table } of references.all(name)) if (table !== name) add(table)
      ordered.push(name)
    }
    for (const { name } of tables) add(name)
    return ordered
  } finally {
    db.close()
  }
}
