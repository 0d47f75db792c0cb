import { sql, type RawBuilder } from 'kysely'
import { dayMs } from '../../shared/constants'
import { addDailyCounts } from './daily-counts'
import type { Database } from './database'
import type { Tables } from './tables'

/** A search of a day. `results`: what the last one found. */
export type SearchCount = Tables['search_terms']
type SearchTable = 'search_terms' | 'search_misses'
type Period = { from: string; to: string }

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

/** Adds searches with and without results to those of their day. */
export async function addSearchCounts(
  database: Database,
  rows: readonly SearchCount[],
): Promise<void> {
  const limits = { key: ['locale', 'query'], maxRowsPerDay: 2000 } as const
  const found = rows.filter(({ results }) => results > 0)
  const misses = rows.filter(({ results }) => results === 0)
  await addDailyCounts(database, found, {
    ...limits,
    table: 'search_terms',
    add: (some) => addFound(database, some),
  })
  await addDailyCounts(database, misses, {
    ...limits,
    table: 'search_misses',
    add: (some) => addMisses(database, some),
  })
}

type SearchSum = Omit<SearchCount, 'day'>
type SearchMissSum = Omit<Tables['search_misses'], 'day'>

const daysOf = ({ from, to }: Period): number =>
  Math.max(0, (Date.parse(to) - Date.parse(from)) / dayMs + 1)

/**
 * The counts of a long period are the totals of all stored days, minus the days outside of the
 * period. That is faster than adding its days when there are at least this many of them for each
 * day outside, because subtracting a day takes longer than adding one.
 */
const daysPerOtherDay = 8

/** Whether almost all stored days are in a period. */
async function hasMostDays(database: Database, { from, to }: Period): Promise<boolean> {
  // Each is one step in an index; SQLite would read the table for both in one query.
  const end = (of: 'min' | 'max') => sql`
    select ${sql.raw(of)}(day) as day from search_terms
    union all select ${sql.raw(of)}(day) from search_misses`
  const statement = sql<{ first: string | null; last: string | null }>`
    select (select min(day) from (${end('min')}) as days) as first,
      (select max(day) from (${end('max')}) as days) as last`
  const { rows } = await database.report((db) => statement.execute(db))
  const [first, last] = [rows[0]?.first ?? to, rows[0]?.last ?? from]
  const inPeriod = { from: from > first ? from : first, to: to < last ? to : last }
  const otherDays = daysOf({ from: first, to: last }) - daysOf(inPeriod)
  return daysOf(inPeriod) >= daysPerOtherDay * otherDays
}

/** Common table expressions, and the names of those with the sums of each list. */
type Sums = { expressions: RawBuilder<unknown>; searches: string; misses: string }

/**
 * Sums of a period by language and query. Both tables are read in the order of their indexes by
 * query; otherwise SQLite would sort all rows and PostgreSQL would hash them on disk, which takes
 * two to three times as long.
 */
function sumsOfDays(
  { dialect }: Database,
  { from, to }: Period,
  inLocale: RawBuilder<unknown>,
): Sums {
  const where = sql`day >= ${from} and day <= ${to}${inLocale}`
  const rowsInOrder = (table: SearchTable): RawBuilder<unknown> =>
    sql`(select * from ${sql.table(table)} where ${where} order by locale, query) as in_order`
  const indexed = (table: SearchTable): RawBuilder<unknown> =>
    sql`${sql.table(table)} indexed by ${sql.ref(`${table}_by_query`)} where ${where}`
  // SQLite merges the two indexes. Of a join it would compare each row with all of the other table.
  const expressions =
    dialect === 'sqlite'
      ? sql`
    sums as materialized (
      select locale, query, sum(found) as found, sum(missed) as missed
      from (
        select locale, query, count as found, 0 as missed from ${indexed('search_terms')}
        union all select locale, query, 0, count from ${indexed('search_misses')}
        order by locale, query
      ) as counts group by locale, query
    )`
      : sql`
    sums as materialized (
      select locale, query, coalesce(found, 0) as found, coalesce(missed, 0) as missed
      from (
        select locale, query, sum(count) as found
        from ${rowsInOrder('search_terms')} group by locale, query
      ) as terms
      full join (
        select locale, query, sum(count) as missed
        from ${rowsInOrder('search_misses')} group by locale, query
      ) as without_results using (locale, query)
    )`
  return { expressions, searches: 'sums', misses: 'sums' }
}

/**
 * The highest sums of a period: the totals of all days without the days outside of the period.
 * These days lower some totals, so as many further totals are read, in the order of an index.
 */
function highestTotals({ from, to }: Period, inLocale: RawBuilder<unknown>, maxRows: number): Sums {
  const outside = sql`(day < ${from} or day > ${to})${inLocale}`
  const highest = (order: RawBuilder<unknown>): RawBuilder<unknown> => sql`
    select locale, query, totals.found - coalesce(outside.found, 0) as found,
      totals.missed - coalesce(outside.missed, 0) as missed
    from (
      select * from search_totals where true${inLocale} order by ${order} desc, query, locale
      limit cast(${maxRows} as integer) + (select count(*) from outside)
    ) as totals left join outside using (locale, query)`
  const expressions = sql`
    outside as materialized (
      select locale, query, sum(found) as found, sum(missed) as missed from (
        select locale, query, count as found, 0 as missed from search_terms where ${outside}
        union all select locale, query, 0, count from search_misses where ${outside}
      ) as counts group by locale, query
    ),
    by_count as (${highest(sql`found + missed`)}),
    by_misses as (${highest(sql`missed`)})`
  return { expressions, searches: 'by_count', misses: 'by_misses' }
}

/**
 * The most frequent searches of a period (`YYYY-MM-DD`), and those without results. `results`: the
 * most that one found. For a year the totals of all days are read, because the days of a year hold
 * up to 1.5 million rows.
 */
export async function topSearches(
  database: Database,
  period: Period,
  locale: string | null,
  maxRows: number,
): Promise<{ searches: SearchSum[]; misses: SearchMissSum[] }> {
  const inLocale = locale === null ? sql`` : sql` and locale = ${locale}`
  const { expressions, ...sums } = (await hasMostDays(database, period))
    ? highestTotals(period, inLocale, maxRows)
    : sumsOfDays(database, period, inLocale)
  type Row = { list: 'searches' | 'misses'; locale: string; query: string } & Record<
    'count' | 'results',
    number | string
  >
  const statement = sql<Row>`
    with ${expressions}
    select 'searches' as list, locale, query, count, coalesce((
      select max(results) from search_terms
      where search_terms.locale = searches.locale and search_terms.query = searches.query
      and day >= ${period.from} and day <= ${period.to}
    ), 0) as results
    from (
      select locale, query, found + missed as count from ${sql.table(sums.searches)}
      where found + missed > 0 order by 3 desc, query, locale limit ${maxRows}
    ) as searches
    union all select 'misses', locale, query, count, 0
    from (
      select locale, query, missed as count from ${sql.table(sums.misses)}
      where missed > 0 order by 3 desc, query, locale limit ${maxRows}
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
