import { LRUCache } from 'lru-cache'
import { readOverview, type Overview } from '../../../shared/console/overview'
import type { Database } from '../../db/database'
import { filterQuery, resolveFilter, type InsightsFilter } from '../insights/insights-filter'
import { implementCall, type ConsoleCallRow } from './define-console-call'
import { makeOverview } from './make-overview'

/** Counts change every 15 s at most. */
const resultTtlMs = 15_000
const maxResults = 20

/** Returns a function that makes an overview once for requests with the same filter. */
function createOverviewCache(database: Database): (filter: InsightsFilter) => Promise<Overview> {
  const results = new LRUCache<string, Promise<Overview>>({ max: maxResults, ttl: resultTtlMs })
  return (filter) => {
    const key = filterQuery(filter)
    const result = results.get(key) ?? makeOverview(database, filter)
    results.set(key, result, { noUpdateTTL: true })
    result.catch(() => results.delete(key))
    return result
  }
}

export const overviewCalls: readonly ConsoleCallRow[] = [
  implementCall(readOverview, {
    createHandler: ({ database }) => {
      const overviewFor = createOverviewCache(database)
      return (input) => overviewFor(resolveFilter(input))
    },
  }),
]
