import type { Collection } from '../../../shared/content'
import type { LocaleCode } from '../../../shared/i18n/locales'
import type { Connection } from '../database'
import type { Entry, ListFilter, OrderedEntry } from './entry'
import { createRelated } from './related'

type FullRow = Entry & { front: string; html: string; headings: string }
/** A list of a collection in a language: '' where it is not by category or not by tag. */
export type OutlineRow = {
  collection: Collection
  category: string
  tag: string
  total: number
  own: number
}
export type WrittenRow = { id: string; modified: string | null; locales: string }
type Chain = readonly LocaleCode[]

const brief =
  'a.key, a.collection, a.id, a.locale, a.title, a.description, a.date, a.updated, a.category, a.position, a.minutes, a.cover'
const whole = `${brief}, a.front, a.html, a.headings`

/**
 * Which row stands for an entry in a language: its own, or that of the first fallback that has one. Chains hold at most
 * three languages, so each form is one prepared statement.
 */
function visible(length: number): string {
  const own = 'a.locale = @l0'
  const later = Array.from({ length: length - 1 }, (_, index) => {
    const better = Array.from({ length: index + 1 }, (__, earlier) => `@l${earlier}`).join(', ')
    return `(a.locale = @l${index + 1} AND NOT EXISTS (SELECT 1 FROM articles b WHERE b.collection = a.collection AND b.id = a.id AND b.live = 1 AND b.locale IN (${better})))`
  })
  return `a.collection = @collection AND a.live = 1 AND (${[own, ...later].join(' OR ')})`
}

const bind = (chain: Chain): Record<string, string> =>
  Object.fromEntries(chain.map((code, index) => [`l${index}`, code]))

function filterSql({ category, tags = [] }: ListFilter): {
  sql: string
  values: Record<string, string>
} {
  const parts = [
    ...(category === undefined ? [] : ['a.category = @category']),
    ...tags.map(
      (_, index) => `EXISTS (SELECT 1 FROM tags t WHERE t.article = a.key AND t.tag = @t${index})`,
    ),
  ]
  const values = {
    ...(category === undefined ? {} : { category }),
    ...Object.fromEntries(tags.map((tag, index) => [`t${index}`, tag])),
  }
  return { sql: parts.map((part) => ` AND ${part}`).join(''), values }
}

export type Statements = ReturnType<typeof createStatements>

/** Every query of the content store. Statements are prepared once for each form that is asked. */
export function createStatements(db: Connection) {
  const related = createRelated(db)
  const prepared = new Map<string, ReturnType<Connection['prepare']>>()
  function all<T>(sql: string, values: Record<string, string | number>): T[] {
    const statement = prepared.get(sql) ?? db.prepare(sql)
    prepared.set(sql, statement)
    return statement.all(values) as T[]
  }

  return {
    entry: db.prepare<[string, string, string], FullRow>(
      `SELECT ${whole} FROM articles a WHERE a.collection = ? AND a.id = ? AND a.locale = ? AND a.live = 1`,
    ),
    localesOf: db.prepare<[string, string], { locale: LocaleCode }>(
      'SELECT locale FROM articles WHERE collection = ? AND id = ? AND live = 1',
    ),
    tagsOf: db.prepare<[number], { tag: string }>(
      'SELECT tag FROM tags WHERE article = ? ORDER BY tag',
    ),
    tagsSince: db.prepare<[number], { tag: string }>(
      'SELECT DISTINCT tag FROM changes WHERE generation > ?',
    ),
    text: db.prepare<[string, string], { json: string }>(
      'SELECT json FROM texts WHERE locale = ? AND namespace = ?',
    ),
    document: db.prepare<[string], { json: string }>('SELECT json FROM documents WHERE name = ?'),
    problems: db.prepare<[], { file: string; line: number; reason: string }>(
      'SELECT * FROM problems ORDER BY file, line',
    ),

    markdown: db.prepare<[number], { source: string }>(
      'SELECT source FROM markdown WHERE article = ?',
    ),
    outline: db.prepare<[string], OutlineRow>(
      'SELECT collection, category, tag, total, own FROM outline WHERE locale = ? ORDER BY collection, category, tag',
    ),
    listed: db.prepare<[string, string, string, string], { total: number }>(
      'SELECT total FROM outline WHERE collection = ? AND locale = ? AND category = ? AND tag = ?',
    ),
    state: db.prepare<[], { value: string }>("SELECT value FROM meta WHERE key = 'state'"),
    digests: db.prepare<[], { value: string }>(
      "SELECT value FROM meta WHERE key LIKE 'digest:%' ORDER BY key",
    ),
    /** Entries with a text of their own in a language, by id, each with all languages it is written in. */
    written: db.prepare<
      [string, string, number, number],
      WrittenRow
    >(`SELECT a.id, coalesce(a.updated, a.date) AS modified,
      (SELECT group_concat(b.locale) FROM articles b WHERE b.collection = a.collection AND b.id = a.id AND b.live = 1) AS locales
      FROM articles a WHERE a.collection = ? AND a.locale = ? AND a.live = 1 ORDER BY a.id LIMIT ? OFFSET ?`),
    newestOwn: db.prepare<[string, string, number], FullRow>(
      `SELECT ${whole} FROM articles a WHERE a.collection = ? AND a.locale = ? AND a.live = 1 ORDER BY a.date DESC, a.id LIMIT ?`,
    ),
    /** Also what is not public yet: for previews. */
    unpublished: db.prepare<[string, string, string], FullRow>(
      `SELECT ${whole} FROM articles a WHERE a.collection = ? AND a.id = ? AND a.locale = ?`,
    ),

    /** Parts of a series in their order; entries without a part come by date. */
    series: (collection: Collection, chain: Chain, series: string): Entry[] =>
      all(
        `SELECT ${brief} FROM articles a WHERE ${visible(chain.length)} AND a.front ->> '$.series' = @series ORDER BY a.front ->> '$.part' IS NULL, a.front ->> '$.part', a.date, a.id`,
        { collection, ...bind(chain), series },
      ),

    newest(
      collection: Collection,
      chain: Chain,
      filter: ListFilter,
      limit: number,
      offset: number,
    ): Entry[] {
      const { sql, values } = filterSql(filter)
      return all(
        `SELECT ${brief} FROM articles a WHERE ${visible(chain.length)}${sql} ORDER BY a.date DESC, a.id LIMIT @limit OFFSET @offset`,
        { collection, ...bind(chain), ...values, limit, offset },
      )
    },
    count(collection: Collection, chain: Chain, filter: ListFilter): number {
      const { sql, values } = filterSql(filter)
      return (
        all<{ n: number }>(
          `SELECT count(*) AS n FROM articles a WHERE ${visible(chain.length)}${sql}`,
          { collection, ...bind(chain), ...values },
        )[0]?.n ?? 0
      )
    },
    ordered: (collection: Collection, chain: Chain): OrderedEntry[] =>
      all(
        `SELECT ${brief}, a.front ->> '$.icon' AS icon FROM articles a WHERE ${visible(chain.length)} ORDER BY a.position IS NULL, a.position, a.date DESC, a.id`,
        { collection, ...bind(chain) },
      ),
    categories: (collection: Collection, chain: Chain): string[] =>
      all<{ category: string }>(
        `SELECT DISTINCT a.category FROM articles a WHERE ${visible(chain.length)} AND a.category IS NOT NULL ORDER BY a.category`,
        { collection, ...bind(chain) },
      ).map((row) => row.category),
    tagsIn: (collection: Collection, chain: Chain, category: string): string[] =>
      all<{ tag: string }>(
        `SELECT DISTINCT t.tag FROM articles a JOIN tags t ON t.article = a.key WHERE ${visible(chain.length)} AND a.category = @category ORDER BY t.tag`,
        { collection, ...bind(chain), category },
      ).map((row) => row.tag),
    /** The entries before and after one by date; `previous` is the older. */
    neighbours(entry: Entry, chain: Chain): { previous: Entry | null; next: Entry | null } {
      const values = {
        collection: entry.collection,
        ...bind(chain),
        date: entry.date ?? '',
        id: entry.id,
      }
      const older = all<Entry>(
        `SELECT ${brief} FROM articles a WHERE ${visible(chain.length)} AND (a.date < @date OR (a.date = @date AND a.id > @id)) ORDER BY a.date DESC, a.id LIMIT 1`,
        values,
      )
      const newer = all<Entry>(
        `SELECT ${brief} FROM articles a WHERE ${visible(chain.length)} AND (a.date > @date OR (a.date = @date AND a.id < @id)) ORDER BY a.date, a.id DESC LIMIT 1`,
        values,
      )
      return { previous: older[0] ?? null, next: newer[0] ?? null }
    },
    /** Entries that belong to one by tags and text, best first. */
    related: (collection: Collection, id: string, chain: Chain, limit: number): Entry[] =>
      related(collection, id, chain, limit).flatMap((found) =>
        all<Entry>(
          `SELECT ${brief} FROM articles a WHERE ${visible(chain.length)} AND a.id = @id`,
          { collection, ...bind(chain), id: found },
        ),
      ),
  }
}
