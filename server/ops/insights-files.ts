import type { Request } from 'express'
import { LRUCache } from 'lru-cache'
import { consolePaths } from '../../shared/console/console-call'
import type { Database } from '../db/database'
import { SiteError } from '../errors'
import { splitTarget } from '../url/decode-path'
import { csvText } from './insights/csv-text'
import { filterQuery, readFilter, type InsightsFilter } from './insights/insights-filter'
import { makeInsights, type Insights } from './insights/make-insights'
import { PlainAnswer, type OpsHandler, type OpsServices } from './ops-call'

/** Results are reused for this time, so that several files of one range show the same moment. */
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
 * `GET /_ops/insights?format=csv&table=&from=&to=&locale=&country=`: one table about visitors as a
 * file (decision 60). Without a format the address leads to the console.
 */
export function insightsFiles({ database }: Pick<OpsServices, 'database'>): OpsHandler {
  const insightsFor = createInsightsCache(database)
  return async (request) => {
    const { query } = splitTarget(request.url ?? '')
    const parameters = new URLSearchParams(query)
    const filter = readFilter(query)
    if (parameters.get('format') !== 'csv') throw new SiteError('badRequest', 'format is csv')
    return csvAnswer(await insightsFor(filter), parameters.get('table'))
  }
}

/**
 * Where the address of the former insights page leads: to the console, with the same days, language
 * and country. Null for its files, and for other addresses.
 */
export function insightsRedirect({ method, url }: Pick<Request, 'method' | 'url'>): string | null {
  const { path, query } = splitTarget(url)
  const isRead = method === 'GET' || method === 'HEAD'
  if (path !== '/insights' || !isRead || new URLSearchParams(query).has('format')) return null
  return consolePaths.page + query
}
