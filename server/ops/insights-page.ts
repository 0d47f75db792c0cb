import { LRUCache } from 'lru-cache'
import { SiteError } from '../errors'
import { csvText } from './insights/csv-text'
import { filterQuery, readFilter, type InsightsFilter } from './insights/insights-filter'
import { insightsPolicy } from './insights/insights-style'
import { makeInsights, type Insights } from './insights/make-insights'
import { renderInsights } from './insights/render-insights'
import { splitTarget } from '../url/decode-path'
import { PlainAnswer, type OpsCall } from './ops-call'

/** How long what was counted is shown again (ms): the exports of a page hold what the page shows. */
const countedFor = 30_000
/** Results kept. Each holds a few thousand rows at most. */
const kept = 8

/**
 * `GET /_ops/insights?from=&to=&locale=&country=`: the owner's page of what visitors' events tell (decision 60); with `format=csv&table=` one of its
 * tables as a file. Counting is done once for all who ask at the same time, and for one filter after the other, so that it never takes
 * more than one share of the process.
 */
export const insightsPage: OpsCall['make'] = ({ database, store }) => {
  const counted = new LRUCache<string, Promise<Insights>>({ max: kept, ttl: countedFor })
  let queue: Promise<unknown> = Promise.resolve()

  function countOnce(filter: InsightsFilter): Promise<Insights> {
    const key = filterQuery(filter)
    const known = counted.get(key)
    if (known) return known
    const made = queue.then(() => makeInsights(database, filter))
    queue = made.catch(() => undefined)
    counted.set(key, made)
    made.catch(() => counted.delete(key))
    return made
  }

  return async (request) => {
    const { query } = splitTarget(request.url ?? '')
    const asked = new URLSearchParams(query)
    const filter = readFilter(query)
    const format = asked.get('format') ?? 'html'
    if (format !== 'html' && format !== 'csv')
      throw new SiteError('badRequest', 'format is html or csv')
    const insights = await countOnce(filter)
    if (format === 'html')
      return new PlainAnswer('html', renderInsights(insights, store.site().brand), {
        'Content-Security-Policy': insightsPolicy,
        'Referrer-Policy': 'no-referrer',
      })
    const table = insights.tables.find(({ id }) => id === asked.get('table'))
    if (!table)
      throw new SiteError(
        'badRequest',
        `table is one of ${insights.tables.map(({ id }) => id).join(', ')}`,
      )
    return new PlainAnswer('text/csv', csvText(table), {
      'Content-Disposition': `attachment; filename="insights-${table.id}-${filter.from}-${filter.to}.csv"`,
    })
  }
}
