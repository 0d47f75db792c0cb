import type { LocaleCode } from '../../../shared/i18n/locales'
import type { Connection } from '../database'
import { fullColumns, type FullRow } from './entry'

export type EntryQueries = ReturnType<typeof createEntryQueries>

/** Statements about entries in one given language. */
export function createEntryQueries(db: Connection) {
  return {
    entry: db.prepare<[string, string, string], FullRow>(
      `SELECT ${fullColumns} FROM articles a
       WHERE a.collection = ? AND a.id = ? AND a.locale = ? AND a.live = 1`,
    ),
    /** Also finds drafts and scheduled texts. */
    unpublished: db.prepare<[string, string, string], FullRow>(
      `SELECT ${fullColumns} FROM articles a
       WHERE a.collection = ? AND a.id = ? AND a.locale = ?`,
    ),
    localesOf: db.prepare<[string, string], { locale: LocaleCode }>(
      'SELECT locale FROM articles WHERE collection = ? AND id = ? AND live = 1',
    ),
    tagsOf: db.prepare<[number], { tag: string }>(
      'SELECT tag FROM tags WHERE article = ? ORDER BY tag',
    ),
    markdown: db.prepare<[number], { source: string }>(
      'SELECT source FROM markdown WHERE article = ?',
    ),
    newestTranslated: db.prepare<[string, string, number], FullRow>(
      `SELECT ${fullColumns} FROM articles a
       WHERE a.collection = ? AND a.locale = ? AND a.live = 1
       ORDER BY a.date DESC, a.id LIMIT ?`,
    ),
    /** `locales`: all languages of an entry, separated by commas. */
    translated: db.prepare<
      [string, string, number, number],
      { id: string; modified: string | null; locales: string }
    >(
      `SELECT a.id, coalesce(a.updated, a.date) AS modified,
         (SELECT group_concat(b.locale) FROM articles b
          WHERE b.collection = a.collection AND b.id = a.id AND b.live = 1) AS locales
       FROM articles a WHERE a.collection = ? AND a.locale = ? AND a.live = 1
       ORDER BY a.id LIMIT ? OFFSET ?`,
    ),
  }
}
