import type { Selectable } from 'kysely'
import type { Database } from './database'
import type { Tables } from './tables'

export type UncountedSource = Pick<
  Selectable<Tables['sources']>,
  'id' | 'at' | 'referer' | 'source' | 'utm_source' | 'utm_campaign'
>

/** Where visits came from, after the row with this id and before a time. */
export const readUncountedSources = (
  database: Database,
  afterId: number,
  until: number,
  maxRows: number,
): Promise<UncountedSource[]> =>
  database.run((db) =>
    db
      .selectFrom('sources')
      .select(['id', 'at', 'referer', 'source', 'utm_source', 'utm_campaign'])
      .where('id', '>', afterId)
      .where('at', '<', until)
      .orderBy('id')
      .limit(maxRows)
      .execute(),
  )
