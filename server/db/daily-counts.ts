import { sql } from 'kysely'
import type { Database } from './database'
import type { Tables } from './tables'

type DailyTable = 'search_terms' | 'search_misses' | 'address_counts'
type DailyCounts<Row> = {
  table: DailyTable
  /** The columns that tell the rows of a day apart. */
  key: ReadonlyArray<keyof Row & string>
  /** Visitors choose the keys, so a day has only so many rows. */
  maxRowsPerDay: number
  /** Adds some rows in one statement. */
  add: (rows: readonly Row[]) => Promise<unknown>
}

const maxRowsPerInsert = 200

/** The rows that a day takes: when it is full, only those that it has already. */
async function withinLimit<Row>(
  database: Database,
  { table, key, maxRowsPerDay }: DailyCounts<Row>,
  day: string,
  rows: readonly Row[],
  keyOf: (row: Row) => string,
): Promise<readonly Row[]> {
  const ofDay = sql`from ${sql.table(table)} where day = ${day}`
  const counted = sql<{ total: number | string }>`select count(*) as total ${ofDay}`
  const total = Number((await database.run((db) => counted.execute(db))).rows[0]?.total ?? 0)
  let room = Math.max(0, maxRowsPerDay - total)
  if (rows.length <= room) return rows
  const listed = sql<Row>`select ${sql.join(key.map((column) => sql.ref(column)))} ${ofDay}`
  const known = new Set((await database.run((db) => listed.execute(db))).rows.map(keyOf))
  return rows.filter((row) => known.has(keyOf(row)) || room-- > 0)
}

/** Adds counts to those of their day. Rows of new keys are dropped when the day is full. */
export async function addDailyCounts<Row extends Pick<Tables[DailyTable], 'day' | 'count'>>(
  database: Database,
  rows: readonly Row[],
  counts: DailyCounts<Row>,
): Promise<void> {
  const keyOf = (row: Row): string => counts.key.map((column) => row[column]).join('\n')
  for (const day of new Set(rows.map((row) => row.day))) {
    // Processes that lock the same rows in different orders would wait for each other.
    const inOrder = rows
      .filter((row) => row.day === day)
      .sort((one, two) => (keyOf(one) < keyOf(two) ? -1 : 1))
    const kept = await withinLimit(database, counts, day, inOrder, keyOf)
    for (let start = 0; start < kept.length; start += maxRowsPerInsert)
      await counts.add(kept.slice(start, start + maxRowsPerInsert))
  }
}
