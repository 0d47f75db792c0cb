import Database from 'better-sqlite3'
import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { assertSqliteVersion } from './sqlite-version'

/** How long a write waits for another process's before it is given up (ms). */
export const busyTimeout = 2000

/** Opens or creates the site's SQLite file: readable by its owner alone, as it holds secrets; a commit is on disk when it returns. */
export function openSqlite(file: string): Database.Database {
  mkdirSync(dirname(file), { recursive: true })
  // Made with its final mode: SQLite gives its log the mode of the file.
  closeSync(openSync(file, 'a', 0o600))
  chmodSync(file, 0o600)
  const db = new Database(file, { timeout: busyTimeout })
  assertSqliteVersion(db)
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = FULL')
  db.pragma('foreign_keys = ON')
  // 16 MB between checkpoints: a busy page is copied to the file once instead of often.
  db.pragma('wal_autocheckpoint = 4000')
  return db
}
