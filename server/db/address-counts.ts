import type { Database } from './database'
import type { Tables } from './tables'

export type AddressCount = Tables['address_counts']

/** Addresses are chosen by visitors, so a day has only so many rows. */
const maxRowsPerDay = 5000
const maxRowsPerInsert = 200

/** Adds counts to those of their day. Counts of new addresses are dropped when the day is full. */
export async function addAddressCounts(
  database: Database,
  rows: readonly AddressCount[],
): Promise<void> {
  const [first] = rows
  if (!first) return
  await database.run(async (db) => {
    const { total } = await db
      .selectFrom('address_counts')
      .select(({ fn }) => fn.countAll<number | string>().as('total'))
      .where('day', '=', first.day)
      .executeTakeFirstOrThrow()
    const kept = rows.slice(0, Math.max(0, maxRowsPerDay - Number(total)))
    for (let start = 0; start < kept.length; start += maxRowsPerInsert)
      await db
        .insertInto('address_counts')
        .values(kept.slice(start, start + maxRowsPerInsert))
        .onConflict((conflict) =>
          conflict
            .columns(['day', 'status', 'host', 'path', 'referrer'])
            .doUpdateSet((expression) => ({
              count: expression('address_counts.count', '+', expression.ref('excluded.count')),
            })),
        )
        .execute()
  })
}

/** Counts of addresses since a day, most frequent first: of missing pages, or of redirects. */
export async function readAddressCounts(
  database: Database,
  since: string,
  kind: 'missing' | 'redirects',
  limit: number,
): Promise<Array<Omit<AddressCount, 'day' | 'status'> & { lastDay: string }>> {
  const rows = await database.report((db) =>
    db
      .selectFrom('address_counts')
      .select(({ fn }) => [
        'host',
        'path',
        'referrer',
        fn.sum<number | string>('count').as('total'),
        fn.max('day').as('lastDay'),
      ])
      .where('day', '>=', since)
      .where('status', kind === 'missing' ? '=' : '!=', 404)
      .groupBy(['host', 'path', 'referrer'])
      .orderBy('total', 'desc')
      .orderBy('path')
      .limit(limit)
      .execute(),
  )
  return rows.map(({ total, ...row }) => ({ ...row, count: Number(total) }))
}
