import { sql, type Transaction } from 'kysely'
import type { Database } from './database'
import type { Lease } from './leases'
import type { EventCountRow, Tables } from './tables'

export type CountCursor = Pick<Tables['count_cursors'], 'at' | 'id'>

/** Rows of one INSERT. */
const maxRowsPerInsert = 100
/** Visitors choose keys (addresses, messages), so a day has only so many of a kind. */
const maxKeysPerDay = 5000
const otherKeys = '(others)'

/** The last row of `name` that was counted; null before the first. */
export async function readCountCursor(
  database: Database,
  name: string,
): Promise<CountCursor | null> {
  const cursor = await database.run((db) =>
    db.selectFrom('count_cursors').select(['at', 'id']).where('name', '=', name).executeTakeFirst(),
  )
  return cursor ?? null
}

/** The steps of devices on a day. */
export const readVisitorSteps = (
  database: Database,
  start: number,
  deviceIds: readonly string[],
): Promise<Array<Tables['visitor_days']>> =>
  database.run((db) =>
    db
      .selectFrom('visitor_days')
      .selectAll()
      .where('start', '=', start)
      .where('device_id', 'in', deviceIds)
      .execute(),
  )

const chunks = <T>(rows: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(rows.length / maxRowsPerInsert) }, (_, index) =>
    rows.slice(index * maxRowsPerInsert, (index + 1) * maxRowsPerInsert),
  )

async function addCounts(
  transaction: Transaction<Tables>,
  table: 'event_hours' | 'event_days',
  rows: readonly EventCountRow[],
): Promise<void> {
  for (const chunk of chunks(rows))
    await transaction
      .insertInto(table)
      .values(chunk)
      .onConflict((conflict) =>
        conflict
          .columns(['metric', 'start', 'locale', 'country', 'device'])
          .doUpdateSet({ count: sql`${sql.ref(`${table}.count`)} + excluded.count` }),
      )
      .execute()
}

/**
 * Which keys of the given rows, all of one kind and day, the day has already. Null while the day
 * has room for more.
 */
async function knownKeys(
  transaction: Transaction<Tables>,
  rows: ReadonlyArray<Tables['event_keys']>,
): Promise<ReadonlySet<string> | null> {
  const [first] = rows
  if (!first) return null
  const ofDay = transaction
    .selectFrom('event_keys')
    .where('kind', '=', first.kind)
    .where('start', '=', first.start)
  const rowAtLimit = ofDay
    .select('start')
    .limit(1)
    .offset(maxKeysPerDay - 1)
  if (!(await rowAtLimit.executeTakeFirst())) return null
  const known = new Set<string>()
  for (const chunk of chunks([...new Set(rows.map(({ key }) => key))])) {
    const found = await ofDay.select('key').distinct().where('key', 'in', chunk).execute()
    for (const { key } of found) known.add(key)
  }
  return known
}

/** Keys beyond the limit of their day and kind are counted together. */
async function withinLimit(
  transaction: Transaction<Tables>,
  rows: ReadonlyArray<Tables['event_keys']>,
): Promise<Array<Tables['event_keys']>> {
  const groups = new Map<string, Array<Tables['event_keys']>>()
  for (const row of rows) {
    const name = `${row.kind} ${row.start}`
    const ofDay = groups.get(name)
    if (ofDay) ofDay.push(row)
    else groups.set(name, [row])
  }
  const limited = new Map<string, Tables['event_keys']>()
  for (const ofDay of groups.values()) {
    const known = await knownKeys(transaction, ofDay)
    for (const row of ofDay) {
      const key = known && !known.has(row.key) ? otherKeys : row.key
      const id = [row.kind, row.start, key, row.locale].join('\n')
      limited.set(id, { ...row, key, count: row.count + (limited.get(id)?.count ?? 0) })
    }
  }
  return [...limited.values()]
}

type StoredIncrements = {
  hours: readonly EventCountRow[]
  days: readonly EventCountRow[]
  keys: ReadonlyArray<Tables['event_keys']>
  errors: ReadonlyArray<Tables['error_groups']>
  visitors: ReadonlyArray<Tables['visitor_days']>
}

async function addKeys(
  transaction: Transaction<Tables>,
  keys: ReadonlyArray<Tables['event_keys']>,
): Promise<void> {
  for (const chunk of chunks(await withinLimit(transaction, keys)))
    await transaction
      .insertInto('event_keys')
      .values(chunk)
      .onConflict((conflict) =>
        conflict
          .columns(['kind', 'start', 'key', 'locale'])
          .doUpdateSet({ count: sql`event_keys.count + excluded.count` }),
      )
      .execute()
}

/**
 * Adds counts and moves the cursor in one transaction, so that every row is counted once. False
 * when another process has taken the lease: then nothing is written.
 */
export const storeIncrements = (
  database: Database,
  lease: Lease,
  name: string,
  cursor: CountCursor,
  { hours, days, keys, errors, visitors }: StoredIncrements,
): Promise<boolean> =>
  database.run((db) =>
    db.transaction().execute(async (transaction) => {
      if (!(await lease.renewIn(transaction))) return false
      await addCounts(transaction, 'event_hours', hours)
      await addCounts(transaction, 'event_days', days)
      await addKeys(transaction, keys)
      for (const chunk of chunks(errors))
        await transaction
          .insertInto('error_groups')
          .values(chunk)
          .onConflict((conflict) =>
            conflict.column('id').doUpdateSet({ last_at: sql`excluded.last_at` }),
          )
          .execute()
      for (const chunk of chunks(visitors))
        await transaction
          .insertInto('visitor_days')
          .values(chunk)
          .onConflict((conflict) =>
            conflict.columns(['start', 'device_id']).doUpdateSet({ steps: sql`excluded.steps` }),
          )
          .execute()
      await transaction
        .insertInto('count_cursors')
        .values({ name, ...cursor })
        .onConflict((conflict) => conflict.column('name').doUpdateSet(cursor))
        .execute()
      return true
    }),
  )
