import type { Connection } from '../database'

/** An English text. `isOpen`: without a translation (`missing`), or with an older one. */
type SourceArticle = { id: string; title: string; minutes: number; missing: 0 | 1; isOpen: 0 | 1 }

export type TranslationQueries = ReturnType<typeof createTranslationQueries>

/** Statements about what is to be translated. A converted text is no translation. */
export function createTranslationQueries(db: Connection) {
  return {
    /** `limit` English texts after an id, in order. */
    openAfter: db.prepare<[string, string, number, string], SourceArticle>(
      `SELECT s.id, s.title, s.minutes, t.key IS NULL AS missing,
         t.key IS NULL OR
         coalesce(t.updated, t.date, '') < coalesce(s.updated, s.date, '') AS isOpen
       FROM (SELECT id, title, minutes, updated, date, collection FROM articles
             WHERE collection = ? AND locale = 'en' AND live = 1 AND id > ?
             ORDER BY id LIMIT ?) s
       LEFT JOIN articles t
         ON t.collection = s.collection AND t.id = s.id AND t.locale = ? AND t.source = ''
       ORDER BY s.id`,
    ),
  }
}
