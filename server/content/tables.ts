import { createHash } from 'node:crypto'
import { allLocales, type Locale, type LocaleCode } from '../../shared/i18n/locales'

/** Name of a language's full-text table. */
export const searchTable = (locale: LocaleCode): string => `search_${locale}`

/**
 * One full-text table per language: a search reads no other language's rows, and word frequencies
 * are counted within one language. Rows of `articles` have their key as row number, rows of
 * `search_pages` their key negated.
 *
 * The texts are folded and cut into words before they are stored (`search-text.ts`), so the
 * tokenizer only splits at spaces; `unicode61` would split Hindi at its vowel signs. `prefix`
 * indexes the beginnings that a search asks for, so that search as you type stays fast.
 */
const createSearchTable = ({ code, spaceless }: Locale): string => `
  CREATE VIRTUAL TABLE ${searchTable(code)} USING fts5 (
    title, headings, summary, body, collection,
    content = '', contentless_delete = 1, tokenize = 'ascii',
    prefix = '${spaceless || code === 'ko' ? '1 2' : '2 3'}'
  );`

/** Definitions of all tables of the content database. */
export const createTables = `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE files (
    path TEXT PRIMARY KEY, modified REAL NOT NULL, size INTEGER NOT NULL, hash TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE articles (
    key INTEGER PRIMARY KEY, collection TEXT NOT NULL, id TEXT NOT NULL, locale TEXT NOT NULL,
    source TEXT NOT NULL, -- language that the text was converted from; '' where it was written
    path TEXT NOT NULL UNIQUE, hash TEXT NOT NULL, digest TEXT NOT NULL DEFAULT '',
    title TEXT NOT NULL, description TEXT NOT NULL, date TEXT, updated TEXT, category TEXT,
    position INTEGER, live INTEGER NOT NULL, publish INTEGER, minutes INTEGER NOT NULL,
    front TEXT NOT NULL, html TEXT NOT NULL, headings TEXT NOT NULL, text TEXT NOT NULL, cover TEXT,
    UNIQUE (collection, id, locale, source)
  );
  CREATE INDEX articles_by_date ON articles (collection, live, date DESC, id);
  CREATE INDEX articles_by_category ON articles (collection, live, category, date DESC, id);
  CREATE INDEX articles_by_id ON articles (collection, locale, live, source, id, updated, date);
  CREATE INDEX articles_in_lists
    ON articles (collection, live, id, locale, category, updated, date);
  CREATE INDEX articles_in_series
    ON articles (collection, front ->> '$.series') WHERE front ->> '$.series' IS NOT NULL;
  CREATE INDEX articles_digests ON articles (path, live, digest);
  CREATE INDEX articles_scheduled ON articles (publish) WHERE publish IS NOT NULL;
  CREATE TABLE tags (
    tag TEXT NOT NULL, collection TEXT NOT NULL, locale TEXT NOT NULL, article INTEGER NOT NULL,
    PRIMARY KEY (tag, collection, locale, article)
  ) WITHOUT ROWID;
  CREATE INDEX tags_by_article ON tags (article);
  CREATE TABLE terms (
    term TEXT NOT NULL, collection TEXT NOT NULL, locale TEXT NOT NULL, article INTEGER NOT NULL,
    PRIMARY KEY (term, collection, locale, article)
  ) WITHOUT ROWID;
  CREATE TABLE article_terms (article INTEGER PRIMARY KEY, terms TEXT NOT NULL);
  ${allLocales.map(createSearchTable).join('')}
  CREATE TABLE search_pages (
    key INTEGER PRIMARY KEY, locale TEXT NOT NULL, route TEXT NOT NULL, params TEXT NOT NULL,
    collection TEXT NOT NULL, id TEXT NOT NULL, title TEXT NOT NULL, description TEXT NOT NULL,
    text TEXT NOT NULL
  );
  CREATE INDEX search_pages_by_locale ON search_pages (locale);
  CREATE TABLE vocabulary (
    key INTEGER PRIMARY KEY, locale TEXT NOT NULL, word TEXT NOT NULL, UNIQUE (locale, word)
  );
  CREATE TABLE markdown (article INTEGER PRIMARY KEY, source TEXT NOT NULL);
  CREATE TABLE outline (
    collection TEXT NOT NULL, locale TEXT NOT NULL, category TEXT NOT NULL, tag TEXT NOT NULL,
    total INTEGER NOT NULL, translated INTEGER NOT NULL,
    PRIMARY KEY (collection, locale, category, tag)
  ) WITHOUT ROWID;
  CREATE TABLE documents ( -- site, product, redirects, openapi
    name TEXT PRIMARY KEY, json TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE texts (
    locale TEXT NOT NULL, namespace TEXT NOT NULL, json TEXT NOT NULL,
    -- Since 2026-11 the namespace menus holds names of pages that shell held.
    PRIMARY KEY (locale, namespace)
  ) WITHOUT ROWID;
  CREATE TABLE problems (file TEXT NOT NULL, line INTEGER NOT NULL, reason TEXT NOT NULL);
  CREATE TABLE changes (generation INTEGER NOT NULL, tag TEXT NOT NULL);
  CREATE INDEX changes_by_generation ON changes (generation);
`

/**
 * Version of the tables: a hash of their definitions, as a positive 32-bit integer because SQLite
 * stores it in `user_version`. It is part of the file's name (`data-files.ts`), so a program with
 * another set of tables, for example with one more language, compiles into its own file.
 * Where only the meaning of a column changes, edit its definition (an SQL comment is enough).
 */
export const tableVersion = createHash('sha256').update(createTables).digest().readUInt32BE() >>> 1
