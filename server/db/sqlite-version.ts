import type { Database } from 'better-sqlite3'

/** Older versions can corrupt a WAL file that two processes checkpoint at once. */
const minimumVersion = [3, 51, 3] as const

/** Throws when the bundled SQLite is too old for files that several processes write. */
export function assertSqliteVersion(db: Database): void {
  const { version } = db.prepare('SELECT sqlite_version() AS version').get() as { version: string }
  const parts = version.split('.').map(Number)
  const difference =
    minimumVersion
      .map((required, index) => (parts[index] ?? 0) - required)
      .find((value) => value !== 0) ?? 0
  if (difference < 0) throw new Error(`SQLite ${version} is older than ${minimumVersion.join('.')}`)
}
