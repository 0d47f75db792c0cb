import { dayMs } from '../../../shared/constants'
import type { Database } from '../../db/database'
import type { Lease } from '../../db/leases'
import { readVitalsBefore, replaceRouteVitals } from '../../db/route-vitals'
import { createVitalCounts } from '../insights/web-vitals'

const days = 30
/** The newest measurements, which are enough for a percentile. */
const maxMeasurements = 100_000

/**
 * Computes the web vitals of each route and language, so that a view of the console need not read
 * the measurements. Visitors' writes run between the batches.
 */
export async function summarizeVitals(
  database: Database,
  lease: Lease,
  batchRows: number,
): Promise<void> {
  const since = Date.now() - days * dayMs
  const counts = createVitalCounts()
  let beforeId: number | null = null
  for (let read = 0; read < maxMeasurements; read += batchRows) {
    const rows: Awaited<ReturnType<typeof readVitalsBefore>> = await readVitalsBefore(
      database,
      beforeId,
      batchRows,
    )
    rows.filter(({ at }) => at >= since).forEach(counts.add)
    const oldest = rows.at(-1)
    if (!oldest || oldest.at < since) break
    beforeId = oldest.id
  }
  await replaceRouteVitals(database, lease, counts.summaries())
}
