import Database from 'better-sqlite3'
import { assertSqliteVersion } from '../db/sqlite-version'

export type Connection = Database.Database

/** Change it with the tables below: a file of another version is emptied and compiled anew. */
const schemaVersion = 2

const tables = `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE files (path TEXT PRIMARY KEY, modified REAL NOT NULL, size INTEGER NOT NULL, hash TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE articles (
    key INTEGER PRIMARY KEY, collection TEXT NOT NULL, id TEXT NOT NULL, locale TEXT NOT NULL, path TEXT NOT NULL UNIQUE, hash TEXT NOT NULL,
    title TEXT NOT NULL, description TEXT NOT NULL, date TEXT, updated TEXT, category TEXT, position INTEGER, live INTEGER NOT NULL, publish INTEGER,
    minutes INTEGER NOT NULL, front TEXT NOT NULL, html TEXT NOT NULL, headings TEXT NOT NULL, text TEXT NOT NULL, cover TEXT,
    UNIQUE (collection, id, locale)
  );
  CREATE INDEX articles_by_date ON articles (collection, live, date DESC, id);
  CREATE INDEX articles_by_category ON articles (collection, live, category, date DESC, id);
  CREATE INDEX articles_scheduled ON articles (publish) WHERE publish IS NOT NULL;
  CREATE TABLE tags (article INTEGER NOT NULL, tag TEXT NOT NULL, PRIMARY KEY (tag, article)) WITHOUT ROWID;
  CREATE INDEX tags_by_article ON tags (article);
  CREATE VIRTUAL TABLE search USING fts5 (title, body, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2');
  CREATE TABLE documents (name TEXT PRIMARY KEY, json TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE texts (locale TEXT NOT NULL, namespace TEXT NOT NULL, json TEXT NOT NULL, PRIMARY KEY (locale, namespace)) WITHOUT ROWID;
  CREATE TABLE problems (file TEXT NOT NULL, line INTEGER NOT NULL, reason TEXT NOT NULL);
  CREATE TABLE changes (generation INTEGER NOT NULL, tag TEXT NOT NULL);
  CREATE INDEX changes_by_generation ON changes (generation);
`

const versionOf = (db: Connection): number => db.pragma('user_version', { simple: true }) as number

/** Opens the content database for the one process that writes it, making its tables where they are missing or of another version. */
export function openForWriting(file: string): Connection {
  const db = new Database(file, { timeout: 5000 })
  assertSqliteVersion(db)
  db.pragma('journal_mode = WAL')
  // Everything in it can be compiled again from the files, so a lost last transaction costs nothing.
  db.pragma('synchronous = NORMAL')
  if (versionOf(db) !== schemaVersion) {
    db.transaction(() => {
      const known = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'search_%'").all() as Array<{ name: string }>
      for (const { name } of known) db.exec(`DROP TABLE IF EXISTS "${name}"`)
      db.exec(tables)
      db.pragma(`user_version = ${schemaVersion}`)
    })()
  }
  return db
}

/** Opens it for a server; null while it is not there yet, or was left by another version of this program. */
export function openForReading(file: string): Connection | null {
  try {
    const db = new Database(file, { readonly: true, fileMustExist: true, timeout: 1000 })
    if (versionOf(db) === schemaVersion && readGeneration(db) > 0) return db
    db.close()
  } catch (error) {
    if (!(error instanceof Database.SqliteError)) throw error
  }
  return null
}

/** Number of the last change; 0 before the first compile has ended. */
export function readGeneration(db: Connection): number {
  const row = db.prepare("SELECT value FROM meta WHERE key = 'generation'").get() as { value: string } | undefined
  return Number(row?.value ?? 0)
}
