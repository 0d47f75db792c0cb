import type { LocaleCode } from '../../../shared/i18n/locales'
import type { Connection } from '../database'
import { fullColumns, type FullRow } from './entry'

/** A text of an entry, published or not. `source`: for converted texts, the original language. */
export type EntryText = {
  key: number
  locale: LocaleCode
  source: string
  live: 0 | 1
  /** When it will be published (ms since 1970); null for drafts and published texts. */
  publish: number | null
  date: string | null
  updated: string | null
}
export type EntryQueries = ReturnType<typeof createEntryQueries>

/**
 * The index by which these statements find an entry. By itself, SQLite takes `articles_by_id`,
 * which holds every column that they read, but finds only the collection by it: among 100,000
 * articles it reads all of them, which takes 10 ms.
 */
const byCollectionAndId = 'INDEXED BY articles_in_lists'

/**
 * Statements about entries in one given language. Texts that were converted from Simplified to
 * Traditional Chinese are found by `entry` only. The plus in `= +?` spares SQLite from preparing
 * the statement again at each call (why: `list-queries.ts`).
 */
export function createEntryQueries(db: Connection) {
  return {
    entry: db.prepare<[string, string, string], FullRow>(
      `SELECT ${fullColumns} FROM articles a
       WHERE a.collection = ? AND a.id = ? AND a.locale = ? AND a.live = 1`,
    ),
    /** Also finds drafts and scheduled texts. */
    unpublished: db.prepare<[string, string, string], FullRow>(
      `SELECT ${fullColumns} FROM articles a
       WHERE a.collection = ? AND a.id = ? AND a.locale = ? AND a.source = ''`,
    ),
    localesOf: db.prepare<[string, string], { locale: LocaleCode }>(
      `SELECT locale FROM articles ${byCollectionAndId}
       WHERE collection = ? AND id = ? AND live = 1 AND source = ''`,
    ),
    /** Published texts of an entry, with a hash of each. */
    digestsOf: db.prepare<[string, string], { locale: LocaleCode; digest: string }>(
      `SELECT locale, digest FROM articles
       WHERE collection = +? AND id = +? AND live = 1 AND source = '' ORDER BY locale`,
    ),
    idsAfter: db.prepare<[string, string, number], { id: string }>(
      `SELECT DISTINCT id FROM articles
       WHERE collection = +? AND live = 1 AND id > ? ORDER BY id LIMIT ?`,
    ),
    /** Like `idsAfter`, with unpublished entries. */
    allIdsAfter: db.prepare<[string, string, number], { id: string }>(
      `SELECT DISTINCT id FROM articles
       WHERE collection = +? AND id > ? ORDER BY id LIMIT ?`,
    ),
    textsOf: db.prepare<[string, string], EntryText>(
      `SELECT key, locale, source, live, publish, date, updated FROM articles
       WHERE collection = ? AND id = ?`,
    ),
    plainText: db.prepare<[number], { text: string }>('SELECT text FROM articles WHERE key = ?'),
    tagsOf: db.prepare<[number], { tag: string }>(
      'SELECT tag FROM tags WHERE article = +? ORDER BY tag',
    ),
    markdown: db.prepare<[number], { source: string }>(
      'SELECT source FROM markdown WHERE article = ?',
    ),
    newestTranslated: db.prepare<[string, string, number], FullRow>(
      `SELECT ${fullColumns} FROM articles a
       WHERE a.collection = +? AND a.locale = +? AND a.live = 1 AND a.source = ''
       ORDER BY a.date DESC, a.id LIMIT ?`,
    ),
    /** `locales`: all languages of an entry, separated by commas. */
    translated: db.prepare<
      [string, string, number, number],
      { id: string; modified: string | null; locales: string }
    >(
      `SELECT a.id, coalesce(a.updated, a.date) AS modified,
         (SELECT group_concat(b.locale) FROM articles b ${byCollectionAndId}
          WHERE b.collection = a.collection AND b.id = a.id AND b.live = 1
          AND b.source = '') AS locales
       FROM articles a
       WHERE a.collection = +? AND a.locale = +? AND a.live = 1 AND a.source = ''
       ORDER BY a.id LIMIT ? OFFSET ?`,
    ),
  }
}
