import Database from 'better-sqlite3'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { enableWriteAheadLog } from '../write-ahead-log'

export type ImageDatabase = Database.Database

/**
 * Opens the database of the image proxy, which all processes of the machine share: which variants
 * are on disk and when each was last used, which keys are being encoded, and which content a remote
 * URL had. Column `url` of `remotes` holds the SHA-256 of the URL, because a visitor can choose a
 * URL of 8 KB. The file may be deleted at any time.
 */
export function openImageDatabase(folder: string): ImageDatabase {
  mkdirSync(folder, { recursive: true })
  const db = new Database(join(folder, 'images.db'), { timeout: 500 })
  enableWriteAheadLog(db)
  // Losing the last transactions costs a few repeated encodes.
  db.pragma('synchronous = OFF')
  db.exec(`
    CREATE TABLE IF NOT EXISTS variants (key TEXT PRIMARY KEY, bytes INTEGER NOT NULL, used INTEGER NOT NULL) WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS variants_by_use ON variants (used, bytes);
    CREATE TABLE IF NOT EXISTS jobs (key TEXT PRIMARY KEY, until INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS remotes (url TEXT PRIMARY KEY, hash TEXT NOT NULL, until INTEGER NOT NULL) WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS remotes_by_end ON remotes (until);
  `)
  return db
}
