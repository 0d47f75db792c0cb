import type { Database } from './database'
import type { VitalsRow } from './insight-rows'
import type { Lease } from './leases'
import type { Tables } from './tables'

type RouteVitals = Tables['route_vitals']

/** Measurements before a row, newest first. Rows get their ids in the order of their arrival. */
export const readVitalsBefore = (
  database: Database,
  beforeId: number | null,
  maxRows: number,
): Promise<Array<VitalsRow & { id: number; at: number }>> =>
  database.run((db) => {
    const query = db
      .selectFrom('vitals')
      .select(['id', 'at', 'route', 'locale', 'lcp', 'inp', 'cls', 'fcp', 'ttfb'])
    const rest = beforeId === null ? query : query.where('id', '<', beforeId)
    return rest.orderBy('id', 'desc').limit(maxRows).execute()
  })

/** Replaces what was known of all routes, unless another process has the lease. */
export const replaceRouteVitals = (
  database: Database,
  lease: Lease,
  rows: readonly RouteVitals[],
): Promise<void> =>
  database.run((db) =>
    db.transaction().execute(async (transaction) => {
      if (!(await lease.renewIn(transaction))) return
      await transaction.deleteFrom('route_vitals').execute()
      if (rows.length > 0) await transaction.insertInto('route_vitals').values(rows).execute()
    }),
  )

/** Web vitals of all routes in all languages: a few hundred rows. */
export const readRouteVitals = (database: Database): Promise<RouteVitals[]> =>
  database.run((db) => db.selectFrom('route_vitals').selectAll().execute())
