import { addDailyCounts } from './daily-counts'
import type { Database } from './database'
import type { Tables } from './tables'

export type AddressCount = Tables['address_counts']

/** Adds counts to those of their day. */
export const addAddressCounts = (
  database: Database,
  rows: readonly AddressCount[],
): Promise<void> =>
  addDailyCounts(database, rows, {
    table: 'address_counts',
    key: ['status', 'host', 'path', 'referrer'],
    maxRowsPerDay: 5000,
    add: (some) =>
      database.run((db) =>
        db
          .insertInto('address_counts')
          .values(some)
          .onConflict((conflict) =>
            conflict
              .columns(['day', 'status', 'host', 'path', 'referrer'])
              .doUpdateSet((expression) => ({
                count: expression('address_counts.count', '+', expression.ref('excluded.count')),
              })),
          )
          .execute(),
      ),
  })

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
