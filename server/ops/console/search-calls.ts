import { dayMs } from '../../../shared/constants'
import { listSearches } from '../../../shared/console/search'
import { topSearchClicks } from '../../db/overview-rows'
import { topSearches } from '../../db/search-counts'
import { implementCall, type ConsoleCallRow } from './define-console-call'

const maxRows = 500

/** What visitors search for. */
export const searchCalls: readonly ConsoleCallRow[] = [
  implementCall(listSearches, {
    createHandler:
      ({ database }) =>
      async ({ from, to, locale = null }) => {
        const times = { since: Date.parse(from), until: Date.parse(to) + dayMs, locale }
        const [{ searches, misses }, clicks] = await Promise.all([
          topSearches(database, { from, to }, locale, maxRows),
          topSearchClicks(database, times, maxRows),
        ])
        return { searches, clicks, misses }
      },
  }),
]
