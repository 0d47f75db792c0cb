import type { Collection } from '../../../shared/front-matter'
import type { Connection } from '../database'
import { entryColumns, type Chain, type Entry, type ListFilter, type OrderedEntry } from './entry'

/** Entries of a collection as a language shows them: its own texts, else those of its fallbacks. */
type Scope = { collection: Collection; chain: Chain }
type Values = Record<string, string | number>
type Select = <T>(select: string, scope: Scope, rest: string, values?: Values) => T[]

/**
 * Condition for the row that represents an entry in a language: the language's own, else that of
 * the first fallback that has one. Chains hold at most three languages, so there are three forms
 * of it, each prepared once.
 *
 * The plus in `= +@name` changes no value. It hides the parameter from SQLite's planner, which
 * (built with STAT4) would prepare a statement with ORDER BY again at each call, in case another
 * plan suits the new value better. Preparing takes 40 µs, running the statement 8 µs.
 */
function visibleRow(chainLength: number): string {
  const fallbacks = Array.from({ length: chainLength - 1 }, (_, index) => {
    const preferred = Array.from({ length: index + 1 }, (__, earlier) => `@l${earlier}`).join(', ')
    return `(a.locale = +@l${index + 1} AND NOT EXISTS (
      SELECT 1 FROM articles b WHERE b.collection = a.collection AND b.id = a.id
      AND b.live = 1 AND b.locale IN (${preferred})))`
  })
  const anyLocale = ['a.locale = +@l0', ...fallbacks].join(' OR ')
  return `a.collection = +@collection AND a.live = 1 AND (${anyLocale})`
}

const chainValues = (chain: Chain): Values =>
  Object.fromEntries(chain.map((code, index) => [`l${index}`, code]))

/**
 * Runs `select … WHERE (the entries of a scope) rest`. Each distinct statement is prepared once;
 * filters differ only in the number of their tags.
 */
function createSelect(db: Connection): Select {
  const statements = new Map<string, ReturnType<Connection['prepare']>>()
  return <T>(select: string, { collection, chain }: Scope, rest: string, values: Values = {}) => {
    const sql = `${select} WHERE ${visibleRow(chain.length)} ${rest}`
    const statement = statements.get(sql) ?? db.prepare(sql)
    statements.set(sql, statement)
    // The cast: rows of SQLite are untyped, and the caller names the columns.
    return statement.all({ collection, ...chainValues(chain), ...values }) as T[]
  }
}

const selectEntries = `SELECT ${entryColumns} FROM articles a`

function filterSql({ category, tags = [] }: ListFilter): { condition: string; values: Values } {
  const conditions = [
    ...(category === undefined ? [] : ['AND a.category = +@category']),
    ...tags.map(
      (_, index) =>
        `AND EXISTS (SELECT 1 FROM tags t WHERE t.article = a.key AND t.tag = @t${index})`,
    ),
  ]
  const values = {
    ...(category === undefined ? {} : { category }),
    ...Object.fromEntries(tags.map((tag, index) => [`t${index}`, tag])),
  }
  return { condition: conditions.join(' '), values }
}

/**
 * The entries before and after one by date; `previous` is the older. An entry without a date has
 * none. The first comparison of each condition is the range that SQLite reads from the index.
 */
function findNeighbors(
  select: Select,
  { collection, date, id }: Entry,
  chain: Chain,
): { previous: Entry | null; next: Entry | null } {
  if (date === null) return { previous: null, next: null }
  const scope = { collection, chain }
  const values = { date, id }
  const older = select<Entry>(
    selectEntries,
    scope,
    `AND a.date <= +@date AND (a.date < +@date OR a.id > @id) ORDER BY a.date DESC, a.id LIMIT 1`,
    values,
  )
  const newer = select<Entry>(
    selectEntries,
    scope,
    `AND a.date >= +@date AND (a.date > +@date OR a.id < @id) ORDER BY a.date, a.id DESC LIMIT 1`,
    values,
  )
  return { previous: older[0] ?? null, next: newer[0] ?? null }
}

/** Queries about the entries that a language shows, its fallbacks included. */
export function createListQueries(db: Connection) {
  const select = createSelect(db)
  return {
    newest(scope: Scope, filter: ListFilter, limit: number, offset: number): Entry[] {
      const { condition, values } = filterSql(filter)
      return select(
        selectEntries,
        scope,
        `${condition} ORDER BY a.date DESC, a.id LIMIT @limit OFFSET @offset`,
        { ...values, limit, offset },
      )
    },
    /** Reads every entry of the list. */
    count(scope: Scope, filter: ListFilter): number {
      const { condition, values } = filterSql(filter)
      const [row] = select<{ total: number }>(
        'SELECT count(*) AS total FROM articles a',
        scope,
        condition,
        values,
      )
      return row?.total ?? 0
    },
    ordered: (scope: Scope): OrderedEntry[] =>
      select(
        `SELECT ${entryColumns}, a.front ->> '$.icon' AS icon FROM articles a`,
        scope,
        'ORDER BY a.position IS NULL, a.position, a.date DESC, a.id',
      ),
    /** Parts of a series in order; entries without a part number follow by date. */
    series: (scope: Scope, series: string): Entry[] =>
      select(
        selectEntries,
        scope,
        `AND a.front ->> '$.series' = +@series
         ORDER BY a.front ->> '$.part' IS NULL, a.front ->> '$.part', a.date, a.id`,
        { series },
      ),
    byId: (scope: Scope, id: string): Entry | null =>
      select<Entry>(selectEntries, scope, 'AND a.id = @id', { id })[0] ?? null,
    neighbors: (entry: Entry, chain: Chain) => findNeighbors(select, entry, chain),
  }
}
