import { LRUCache } from 'lru-cache'
import type { Database } from '../db/database'
import { SiteError } from '../errors'
import { splitTarget } from '../url/decode-path'
import { csvText } from './insights/csv-text'
import { filterQuery, readFilter, type InsightsFilter } from './insights/insights-filter'
import { insightsPolicy } from './insights/insights-style'
import { makeInsights, type Insights } from './insights/make-insights'
import { renderInsights } from './insights/render-insights'
import { PlainAnswer, type OpsHandler, type OpsServices } from './ops-call'

/** Results are reused for this time, so that the CSV files hold what the page shows. */
const resultTtlMs = 30_000
/** Each result holds a few thousand rows at most. */
const maxResults = 8

/**
 * Returns a function that counts once for requests with the same filter, and one filter after the
 * other, so that insights never take more than one part of the process.
 */
function createInsightsCache(database: Database): (filter: InsightsFilter) => Promise<Insights> {
  const results = new LRUCache<string, Promise<Insights>>({ max: maxResults, ttl: resultTtlMs })
  let lastRun: Promise<unknown> = Promise.resolve()
  return (filter) => {
    const key = filterQuery(filter)
    const cached = results.get(key)
    if (cached) return cached
    const result = lastRun.then(() => makeInsights(database, filter))
    lastRun = result.catch(() => undefined)
    results.set(key, result)
    result.catch(() => results.delete(key))
    return result
  }
}

function csvAnswer({ tables, filter }: Insights, id: string | null): PlainAnswer {
  const table = tables.find((candidate) => candidate.id === id)
  if (!table)
    throw new SiteError(
      'badRequest',
      `table is one of ${tables.map((candidate) => candidate.id).join(', ')}`,
    )
  const fileName = `insights-${table.id}-${filter.from}-${filter.to}.csv`
  return new PlainAnswer('text/csv', csvText(table), {
    'Content-Disposition': `attachment; filename="${fileName}"`,
  })
}

/**
 * `GET /_ops/insights?from=&to=&locale=&country=`: the owner's page about visitors (decision 60);
 * with `format=csv&table=` one of its tables as a file.
 */
export function insightsPage({
  database,
  store,
}: Pick<OpsServices, 'database' | 'store'>): OpsHandler {
  const insightsFor = createInsightsCache(database)
  return async (request) => {
    const { query } = splitTarget(request.url ?? '')
    const parameters = new URLSearchParams(query)
    const format = parameters.get('format') ?? 'html'
    const filter = readFilter(query)
    if (format !== 'html' && format !== 'csv')
      throw new SiteError('badRequest', 'format is html or csv')
    const insights = await insightsFor(filter)
    if (format === 'csv') return csvAnswer(insights, parameters.get('table'))
    return new PlainAnswer('html', renderInsights(insights, store.siteConfig().brand), {
      'Content-Security-Policy': insightsPolicy,
      'Referrer-Policy': 'no-referrer',
    })
  }
}
