import Database from 'better-sqlite3'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

export type ImageDatabase = Database.Database

/**
 * The ledger of the picture store, shared by all processes of the machine: what lies on disk and when it was last used,
 * who is making what, and which remote address has which content. It may be deleted at any time.
 */
export function openImageDatabase(folder: string): ImageDatabase {
  mkdirSync(folder, { recursive: true })
  const db = new Database(join(folder, 'images.db'), { timeout: 500 })
  db.pragma('journal_mode = WAL')
  // Everything can be computed again: a lost last transaction costs one computation.
  db.pragma('synchronous = OFF')
  db.exec(`
    CREATE TABLE IF NOT EXISTS variants (key TEXT PRIMARY KEY, bytes INTEGER NOT NULL, used INTEGER NOT NULL) WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS variants_by_use ON variants (used, bytes);
    CREATE TABLE IF NOT EXISTS jobs (key TEXT PRIMARY KEY, until INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS remotes (url TEXT PRIMARY KEY, hash TEXT NOT NULL, until INTEGER NOT NULL) WITHOUT ROWID;
  `)
  return db
}
