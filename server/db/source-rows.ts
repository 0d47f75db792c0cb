import type { Selectable } from 'kysely'
import type { Database } from './database'
import type { Tables } from './tables'

export type UncountedSource = Pick<
  Selectable<Tables['sources']>,
  'id' | 'at' | 'referer' | 'source' | 'utm_source' | 'utm_campaign'
>

/**
 * Where visits came from, after the row with this id and up to the first one that is not older than
 * `until`. Rows of two processes may have ids and times in a different order, and a row that is
 * passed over now would never be read.
 */
export async function readUncountedSources(
  database: Database,
  afterId: number,
  until: number,
  maxRows: number,
): Promise<UncountedSource[]> {
  const rows = await database.run((db) =>
    db
      .selectFrom('sources')
      .select(['id', 'at', 'referer', 'source', 'utm_source', 'utm_campaign'])
      .where('id', '>', afterId)
      .orderBy('id')
      .limit(maxRows)
      .execute(),
  )
  const end = rows.findIndex(({ at }) => at >= until)
  return end === -1 ? rows : rows.slice(0, end)
}
