import type { Collection } from '../../../shared/front-matter'
import type { Connection } from '../database'

/**
 * A list of a collection in one language; `category` and `tag` are '' where the list is not limited
 * by them. `total` counts the entries it shows, `translated` those of them with a text in that
 * language.
 */
export type OutlineRow = {
  collection: Collection
  category: string
  tag: string
  total: number
  translated: number
}

export type DocumentQueries = ReturnType<typeof createDocumentQueries>

/**
 * Statements for what is not an article or another entry: interface texts, `site.yaml` and the
 * like, the lengths of lists, and what has changed. The plus in `= +?` spares SQLite from preparing
 * the statement again at each call (why: `list-queries.ts`).
 */
export function createDocumentQueries(db: Connection) {
  return {
    text: db.prepare<[string, string], { json: string }>(
      'SELECT json FROM texts WHERE locale = ? AND namespace = ?',
    ),
    document: db.prepare<[string], { json: string }>('SELECT json FROM documents WHERE name = ?'),
    problems: db.prepare<[], { file: string; line: number; reason: string }>(
      'SELECT * FROM problems ORDER BY file, line',
    ),
    outline: db.prepare<[string], OutlineRow>(
      `SELECT collection, category, tag, total, translated FROM outline
       WHERE locale = +? ORDER BY collection, category, tag`,
    ),
    listSize: db.prepare<[string, string, string, string], { total: number }>(
      `SELECT total FROM outline
       WHERE collection = ? AND locale = ? AND category = ? AND tag = ?`,
    ),
    categories: db.prepare<[string, string], { category: string }>(
      `SELECT category FROM outline
       WHERE collection = +? AND locale = +? AND category <> '' AND tag = '' ORDER BY category`,
    ),
    tagsOfCategory: db.prepare<[string, string, string], { tag: string }>(
      `SELECT tag FROM outline
       WHERE collection = +? AND locale = +? AND category = +? AND tag <> '' ORDER BY tag`,
    ),
    /** A hash for each collection, of what its lists and sitemaps show. */
    digests: db.prepare<[], { value: string }>(
      "SELECT value FROM meta WHERE key LIKE 'digest:%' ORDER BY key",
    ),
    state: db.prepare<[], { value: string }>("SELECT value FROM meta WHERE key = 'state'"),
    /** Surrogate tags that changed after a generation. */
    tagsSince: db.prepare<[number], { tag: string }>(
      'SELECT DISTINCT tag FROM changes WHERE generation > ?',
    ),
  }
}
