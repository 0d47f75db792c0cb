import { sql, type RawBuilder } from 'kysely'
import type { Database } from './database'
import type { EventKeyKind } from './tables'

/** `country` is `-` for visitors whose country is unknown; null is all. */
export type CountFilter = {
  since: number
  until: number
  locale: string | null
  country: string | null
}
export type SpanTable = 'event_hours' | 'event_days'

/** The condition of a filter on one of the tables of counts. */
function conditions({ since, until, locale, country }: CountFilter): RawBuilder<unknown> {
  const inLocale = locale === null ? sql`` : sql` and locale = ${locale}`
  const code = country === '-' ? '' : country
  const inCountry = code === null ? sql`` : sql` and country = ${code}`
  return sql`start >= ${since} and start < ${until}${inLocale}${inCountry}`
}

/**
 * Sums of counts by metric and by hour or day. The tables hold a few thousand rows a day, however
 * many events there were.
 */
export async function sumByStart(
  database: Database,
  table: SpanTable,
  metrics: readonly string[],
  filter: CountFilter,
): Promise<Array<{ metric: string; start: number; count: number }>> {
  const statement = sql<{ metric: string; start: number; count: number | string }>`
    select metric, start, sum(count) as count from ${sql.table(table)}
    where metric in (${sql.join(metrics)}) and ${conditions(filter)} group by metric, start`
  const { rows } = await database.report((db) => statement.execute(db))
  return rows.map((row) => ({ ...row, count: Number(row.count) }))
}

/**
 * Sums of counts by metric and by each of several columns. `groups` is made once and used for every
 * column, so the counts of the period are read once.
 */
export async function sumByColumns<Column extends 'locale' | 'country' | 'device'>(
  database: Database,
  columns: readonly Column[],
  metrics: readonly string[],
  filter: CountFilter,
): Promise<Array<{ column: Column; metric: string; key: string; count: number }>> {
  const names = sql.join(columns.map((column) => sql.ref(column)))
  const parts = columns.map(
    (column) => sql`
      select ${sql.lit(column)} as name, metric, ${sql.ref(column)} as key, sum(count) as count
      from groups group by metric, ${sql.ref(column)}`,
  )
  const statement = sql<{ name: Column; metric: string; key: string; count: number | string }>`
    with groups as (
      select metric, ${names}, sum(count) as count from event_days
      where metric in (${sql.join(metrics)}) and ${conditions(filter)} group by metric, ${names}
    ) ${sql.join(parts, sql` union all `)}`
  const { rows } = await database.report((db) => statement.execute(db))
  return rows.map(({ name, count, ...row }) => ({ ...row, column: name, count: Number(count) }))
}

/** The most frequent keys of a kind in a period, with their counts. */
export async function topKeys(
  database: Database,
  kind: EventKeyKind,
  { since, until, locale }: CountFilter,
  maxRows: number,
): Promise<Array<{ key: string; count: number }>> {
  const inLocale = locale === null ? sql`` : sql` and locale in (${locale}, '')`
  const statement = sql<{ key: string; count: number | string }>`
    select key, sum(count) as count from event_keys
    where kind = ${kind} and start >= ${since} and start < ${until}${inLocale}
    group by key order by 2 desc, key limit ${maxRows}`
  const { rows } = await database.report((db) => statement.execute(db))
  return rows.map(({ key, count }) => ({ key, count: Number(count) }))
}

/** Counts of the given keys in a period. */
export async function countsOfKeys(
  database: Database,
  kind: EventKeyKind,
  keys: readonly string[],
  { since, until, locale }: CountFilter,
): Promise<ReadonlyMap<string, number>> {
  if (keys.length === 0) return new Map()
  const inLocale = locale === null ? sql`` : sql` and locale in (${locale}, '')`
  const statement = sql<{ key: string; count: number | string }>`
    select key, sum(count) as count from event_keys
    where kind = ${kind} and start >= ${since} and start < ${until}${inLocale}
    and key in (${sql.join(keys)}) group by key`
  const { rows } = await database.report((db) => statement.execute(db))
  return new Map(rows.map(({ key, count }) => [key, Number(count)]))
}

/** Number of rows of a small table in a period. */
async function countRows(
  database: Database,
  table: 'referrals' | 'messages' | 'accounts',
  { since, until, locale }: CountFilter,
): Promise<number> {
  const at = sql.ref(table === 'accounts' ? 'created_at' : 'at')
  const localeColumn = { referrals: null, messages: 'locale', accounts: 'language' }[table]
  const inLocale =
    locale === null || localeColumn === null
      ? sql``
      : sql` and ${sql.ref(localeColumn)} = ${locale}`
  const statement = sql<{ count: number | string }>`
    select count(*) as count from ${sql.table(table)}
    where ${at} >= ${since} and ${at} < ${until}${inLocale}`
  const { rows } = await database.report((db) => statement.execute(db))
  return Number(rows[0]?.count ?? 0)
}

/** Referrals, messages and new accounts of a period. They have no country. */
export async function countSmallTables(
  database: Database,
  filter: CountFilter,
): Promise<Record<'referrals' | 'messages' | 'accounts', number>> {
  const [referrals, messages, accounts] = await Promise.all([
    countRows(database, 'referrals', filter),
    countRows(database, 'messages', filter),
    countRows(database, 'accounts', filter),
  ])
  return { referrals, messages, accounts }
}

/** Groups of errors by their ids. */
export const readErrorGroups = (database: Database, ids: readonly string[]) =>
  ids.length === 0
    ? Promise.resolve([])
    : database.report((db) =>
        db.selectFrom('error_groups').selectAll().where('id', 'in', ids).execute(),
      )

type PageCountKind = Extract<EventKeyKind, 'page' | 'search-click'>
/** Counts of pages by kind, path and language. */
type PageCounts = (kind: PageCountKind, path: string, locale: string) => number

/** Views of pages, and clicks on them in the search's results, since a day. */
export async function countPages(
  database: Database,
  paths: readonly string[],
  since: number,
): Promise<PageCounts> {
  if (paths.length === 0) return () => 0
  const statement = sql<{
    kind: PageCountKind
    key: string
    locale: string
    count: number | string
  }>`
    select kind, key, locale, sum(count) as count from event_keys
    where kind in ('page', 'search-click') and key in (${sql.join(paths)}) and start >= ${since}
    group by kind, key, locale`
  const { rows } = await database.report((db) => statement.execute(db))
  const idOf = (kind: string, path: string, locale: string): string =>
    [kind, path, locale].join('\n')
  const counts = new Map(
    rows.map(({ kind, key, locale, count }) => [idOf(kind, key, locale), Number(count)]),
  )
  return (kind, path, locale) => counts.get(idOf(kind, path, locale)) ?? 0
}

/** The results of the search that visitors opened most in a period, by path and language. */
export async function topSearchClicks(
  database: Database,
  { since, until, locale }: Omit<CountFilter, 'country'>,
  maxRows: number,
): Promise<Array<{ path: string; locale: string; count: number }>> {
  const inLocale = locale === null ? sql`` : sql` and locale = ${locale}`
  const statement = sql<{ path: string; locale: string; count: number | string }>`
    select key as path, locale, sum(count) as count from event_keys
    where kind = 'search-click' and start >= ${since} and start < ${until}${inLocale}
    group by key, locale order by 3 desc, key, locale limit ${maxRows}`
  const { rows } = await database.report((db) => statement.execute(db))
  return rows.map((row) => ({ ...row, count: Number(row.count) }))
}
