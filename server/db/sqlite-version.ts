import type { Database } from 'better-sqlite3'

/** SQLite before 3.51.3 can corrupt a WAL file that two processes check-point at once. */
const oldestSqlite = [3, 51, 3] as const

/** Throws when the SQLite of this program is too old for files that several processes write. */
export function assertSqliteVersion(db: Database): void {
  const { version } = db.prepare('SELECT sqlite_version() AS version').get() as { version: string }
  const parts = version.split('.').map(Number)
  const difference =
    oldestSqlite
      .map((wanted, index) => (parts[index] ?? 0) - wanted)
      .find((value) => value !== 0) ?? 0
  if (difference < 0) throw new Error(`SQLite ${version} is older than ${oldestSqlite.join('.')}`)
}
