import { sql, type RawBuilder } from 'kysely'
import type { Database } from './database'
import type { Tables } from './tables'

/** A search of a day. `results`: what the last one found. */
export type SearchCount = Tables['search_terms']
type SearchTable = 'search_terms' | 'search_misses'
type Period = { from: string; to: string }

/** Words are chosen by visitors, so a table has only so many of a day. */
const maxRowsPerDay = 2000
const maxRowsPerInsert = 200

/** The rows that a table takes: when its day is full, only those that it has already. */
async function withinLimit(
  database: Database,
  table: SearchTable,
  rows: readonly SearchCount[],
): Promise<SearchCount[]> {
  const [first] = rows
  if (!first) return []
  const counted = sql<{ total: number | string }>`
    select count(*) as total from ${sql.table(table)} where day = ${first.day}`
  const total = Number((await database.run((db) => counted.execute(db))).rows[0]?.total ?? 0)
  const room = Math.max(0, maxRowsPerDay - total)
  if (rows.length <= room) return [...rows]
  const listed = sql<{ locale: string; query: string }>`
    select locale, query from ${sql.table(table)} where day = ${first.day}`
  const { rows: known } = await database.run((db) => listed.execute(db))
  const keys = new Set(known.map(({ locale, query }) => `${locale} ${query}`))
  const isKnown = ({ locale, query }: SearchCount): boolean => keys.has(`${locale} ${query}`)
  return [...rows.filter(isKnown), ...rows.filter((row) => !isKnown(row)).slice(0, room)]
}

async function addFound(database: Database, rows: readonly SearchCount[]): Promise<void> {
  await database.run((db) =>
    db
      .insertInto('search_terms')
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(['day', 'locale', 'query']).doUpdateSet((where) => ({
          count: where('search_terms.count', '+', where.ref('excluded.count')),
          results: where.ref('excluded.results'),
        })),
      )
      .execute(),
  )
}

async function addMisses(database: Database, rows: readonly SearchCount[]): Promise<void> {
  await database.run((db) =>
    db
      .insertInto('search_misses')
      .values(rows.map(({ day, locale, query, count }) => ({ day, locale, query, count })))
      .onConflict((conflict) =>
        conflict.columns(['day', 'locale', 'query']).doUpdateSet((where) => ({
          count: where('search_misses.count', '+', where.ref('excluded.count')),
        })),
      )
      .execute(),
  )
}

async function addCountsOfDay(database: Database, rows: readonly SearchCount[]): Promise<void> {
  const found = await withinLimit(
    database,
    'search_terms',
    rows.filter(({ results }) => results > 0),
  )
  const misses = await withinLimit(
    database,
    'search_misses',
    rows.filter(({ results }) => results === 0),
  )
  for (let start = 0; start < found.length; start += maxRowsPerInsert)
    await addFound(database, found.slice(start, start + maxRowsPerInsert))
  for (let start = 0; start < misses.length; start += maxRowsPerInsert)
    await addMisses(database, misses.slice(start, start + maxRowsPerInsert))
}

/** Adds searches with and without results to those of their day. */
export async function addSearchCounts(
  database: Database,
  rows: readonly SearchCount[],
): Promise<void> {
  for (const day of new Set(rows.map((row) => row.day)))
    await addCountsOfDay(
      database,
      rows.filter((row) => row.day === day),
    )
}

type SearchSum = Omit<SearchCount, 'day'>
type SearchMissSum = Omit<Tables['search_misses'], 'day'>

/**
 * Sums by language and query from both tables. Both are read in the order of their indexes by query;
 * otherwise SQLite would sort a year's rows and PostgreSQL would hash them on disk, which takes two
 * to three times as long.
 */
function sumsByQuery({ dialect }: Database, where: RawBuilder<unknown>): RawBuilder<unknown> {
  const rowsInOrder = (table: SearchTable): RawBuilder<unknown> =>
    dialect === 'postgres'
      ? sql`(select * from ${sql.table(table)} where ${where} order by locale, query) as in_order`
      : sql`${sql.table(table)} indexed by ${sql.ref(`${table}_by_query`)} where ${where}`
  return sql`
    select locale, query, coalesce(found, 0) as found, coalesce(missed, 0) as missed,
      coalesce(results, 0) as results
    from (
      select locale, query, sum(count) as found, max(results) as results
      from ${rowsInOrder('search_terms')} group by locale, query
    ) as terms
    full join (
      select locale, query, sum(count) as missed
      from ${rowsInOrder('search_misses')} group by locale, query
    ) as without_results using (locale, query)`
}

/**
 * The most frequent searches of a period (`YYYY-MM-DD`), and those without results. `results`: the
 * most that one found. Both lists come from one query, because a year holds hundreds of thousands of
 * rows.
 */
export async function topSearches(
  database: Database,
  { from, to }: Period,
  locale: string | null,
  maxRows: number,
): Promise<{ searches: SearchSum[]; misses: SearchMissSum[] }> {
  const inPeriod = sql`day >= ${from} and day <= ${to}`
  const where = locale === null ? inPeriod : sql`${inPeriod} and locale = ${locale}`
  type Row = { list: 'searches' | 'misses'; locale: string; query: string } & Record<
    'count' | 'results',
    number | string
  >
  const statement = sql<Row>`
    with sums as materialized (${sumsByQuery(database, where)})
    select * from (
      select 'searches' as list, locale, query, found + missed as count, results from sums
      order by 4 desc, query, locale limit ${maxRows}
    ) as searches
    union all select * from (
      select 'misses' as list, locale, query, missed as count, 0 as results from sums
      where missed > 0 order by 4 desc, query, locale limit ${maxRows}
    ) as misses`
  const { rows } = await database.report((db) => statement.execute(db))
  const rowsOf = (list: Row['list']): SearchSum[] =>
    rows
      .filter((row) => row.list === list)
      // PostgreSQL's client may return a sum, which is a 64-bit number, as text.
      .map(({ locale: code, query, count, results }) => ({
        ...{ locale: code, query, count: Number(count), results: Number(results) },
      }))
      .sort((one, two) => two.count - one.count)
  return {
    searches: rowsOf('searches'),
    misses: rowsOf('misses').map(({ results: _none, ...row }) => row),
  }
}

/** The most frequent searches without results of a period. */
export async function topSearchMisses(
  database: Database,
  { from, to }: Period,
  locale: string | null,
  maxRows: number,
): Promise<Array<Omit<Tables['search_misses'], 'day'>>> {
  const rows = await database.report((db) => {
    const query = db
      .selectFrom('search_misses')
      .select(({ fn }) => ['locale', 'query', fn.sum<number | string>('count').as('count')])
      .where('day', '>=', from)
      .where('day', '<=', to)
    return (locale === null ? query : query.where('locale', '=', locale))
      .groupBy(['locale', 'query'])
      .orderBy('count', 'desc')
      .orderBy('query')
      .limit(maxRows)
      .execute()
  })
  return rows.map(({ count, ...row }) => ({ ...row, count: Number(count) }))
}
