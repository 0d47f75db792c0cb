import Database from 'better-sqlite3'
import { assertSqliteVersion } from '../db/sqlite-version'
import { allLocales, type Locale } from '../../shared/i18n/locales'
import { searchTable } from './compile/write-search'

export type Connection = Database.Database

/** Change it with the tables below. It is part of the file's name (`data-files.ts`); a file whose tables are of another version all the same is emptied and compiled anew. */
export const schemaVersion = 5

/**
 * A language's full-text index. Its texts come folded and cut into words (`search-text.ts`), so the tokenizer has only to part them at spaces;
 * `unicode61` would cut Hindi at its vowel signs. Prefixes of the lengths that a search asks for are kept, so that typing stays fast.
 */
const searchIndex = ({ code, spaceless }: Locale): string =>
  `CREATE VIRTUAL TABLE ${searchTable(code)} USING fts5 (title, headings, about, body, place, content = '', contentless_delete = 1, tokenize = 'ascii', prefix = '${spaceless || code === 'ko' ? '1 2' : '2 3'}');`

const tables = `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE files (path TEXT PRIMARY KEY, modified REAL NOT NULL, size INTEGER NOT NULL, hash TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE articles (
    key INTEGER PRIMARY KEY, collection TEXT NOT NULL, id TEXT NOT NULL, locale TEXT NOT NULL, path TEXT NOT NULL UNIQUE, hash TEXT NOT NULL, digest TEXT NOT NULL DEFAULT '',
    title TEXT NOT NULL, description TEXT NOT NULL, date TEXT, updated TEXT, category TEXT, position INTEGER, live INTEGER NOT NULL, publish INTEGER,
    minutes INTEGER NOT NULL, front TEXT NOT NULL, html TEXT NOT NULL, headings TEXT NOT NULL, text TEXT NOT NULL, cover TEXT,
    UNIQUE (collection, id, locale)
  );
  CREATE INDEX articles_by_date ON articles (collection, live, date DESC, id);
  CREATE INDEX articles_by_category ON articles (collection, live, category, date DESC, id);
  CREATE INDEX articles_by_id ON articles (collection, locale, live, id, updated, date);
  CREATE INDEX articles_in_lists ON articles (collection, live, id, locale, category, updated, date);
  CREATE INDEX articles_in_series ON articles (collection, front ->> '$.series') WHERE front ->> '$.series' IS NOT NULL;
  CREATE INDEX articles_digests ON articles (path, live, digest);
  CREATE INDEX articles_scheduled ON articles (publish) WHERE publish IS NOT NULL;
  CREATE TABLE tags (article INTEGER NOT NULL, tag TEXT NOT NULL, PRIMARY KEY (tag, article)) WITHOUT ROWID;
  CREATE INDEX tags_by_article ON tags (article);
  CREATE TABLE terms (term TEXT NOT NULL, collection TEXT NOT NULL, locale TEXT NOT NULL, article INTEGER NOT NULL, PRIMARY KEY (term, collection, locale, article)) WITHOUT ROWID;
  CREATE TABLE article_terms (article INTEGER PRIMARY KEY, terms TEXT NOT NULL);
  ${allLocales.map(searchIndex).join('\n  ')}
  CREATE TABLE search_pages (key INTEGER PRIMARY KEY, locale TEXT NOT NULL, route TEXT NOT NULL, params TEXT NOT NULL, collection TEXT NOT NULL, id TEXT NOT NULL, title TEXT NOT NULL, description TEXT NOT NULL, text TEXT NOT NULL);
  CREATE INDEX search_pages_by_locale ON search_pages (locale);
  CREATE TABLE vocabulary (key INTEGER PRIMARY KEY, locale TEXT NOT NULL, word TEXT NOT NULL, UNIQUE (locale, word));
  CREATE TABLE markdown (article INTEGER PRIMARY KEY, source TEXT NOT NULL);
  CREATE TABLE outline (collection TEXT NOT NULL, locale TEXT NOT NULL, category TEXT NOT NULL, tag TEXT NOT NULL, total INTEGER NOT NULL, own INTEGER NOT NULL, PRIMARY KEY (collection, locale, category, tag)) WITHOUT ROWID;
  CREATE TABLE documents (name TEXT PRIMARY KEY, json TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE texts (locale TEXT NOT NULL, namespace TEXT NOT NULL, json TEXT NOT NULL, PRIMARY KEY (locale, namespace)) WITHOUT ROWID;
  CREATE TABLE problems (file TEXT NOT NULL, line INTEGER NOT NULL, reason TEXT NOT NULL);
  CREATE TABLE changes (generation INTEGER NOT NULL, tag TEXT NOT NULL);
  CREATE INDEX changes_by_generation ON changes (generation);
`

/** By its code and not by its class: the native module keeps the class of whoever loaded it first. */
export const isSqliteError = (error: unknown): error is { code: string } =>
  typeof error === 'object' &&
  error !== null &&
  'code' in error &&
  String(error.code).startsWith('SQLITE_')

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
      // Full-text tables first: each takes its own hidden tables along.
      const known = db
        .prepare(
          "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY sql NOT LIKE 'CREATE VIRTUAL%'",
        )
        .all() as Array<{ name: string }>
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
    if (!isSqliteError(error)) throw error
  }
  return null
}

/** Number of the last change; 0 before the first compile has ended. */
export function readGeneration(db: Connection): number {
  const row = db.prepare("SELECT value FROM meta WHERE key = 'generation'").get() as
    { value: string } | undefined
  return Number(row?.value ?? 0)
}
