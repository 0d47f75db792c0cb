import Database from 'better-sqlite3'
import { chmodSync, closeSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { enableWriteAheadLog } from '../write-ahead-log'
import { createFolder } from './data-folder'
import { assertSqliteVersion } from './sqlite-version'

/** How long a write waits for the lock of another process before it fails. */
const busyTimeoutMs = 2000

/**
 * Opens or creates the site's SQLite file. Only its owner can read it, because it holds secrets. A
 * commit returns when it is on disk.
 */
export function openSqlite(file: string): Database.Database {
  createFolder(dirname(file))
  // Created with its final mode, because SQLite creates the WAL file with the mode of the database.
  closeSync(openSync(file, 'a', 0o600))
  chmodSync(file, 0o600)
  const db = new Database(file, { timeout: busyTimeoutMs })
  assertSqliteVersion(db)
  enableWriteAheadLog(db)
  db.pragma('synchronous = FULL')
  db.pragma('foreign_keys = ON')
  // 16 MB between checkpoints, so that a busy page is copied to the database once instead of often.
  db.pragma('wal_autocheckpoint = 4000')
  return db
}
