/**
 * The search process. SQLite calls are synchronous and cannot be interrupted: in the server's own
 * thread they would delay other requests, and a thread cannot be ended during one. It reads the
 * content database and answers one search at a time.
 */
import { constants, getPriority, setPriority } from 'node:os'
import type { SearchResult } from '../../shared/search-result'
import { openForReading } from '../content/database'
import { createSearcher, type SearchRequest } from './searcher'

export type Reply = { result: SearchResult } | { error: string }

// Pages go first. A site that was started with a lower priority keeps it.
if (getPriority() < constants.priority.PRIORITY_BELOW_NORMAL)
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL)

let searcher: ReturnType<typeof createSearcher> | null = null

/** Opens the database, and tries again at the next search where that failed. */
function useSearcher(): ReturnType<typeof createSearcher> {
  if (searcher) return searcher
  const db = openForReading(process.argv[2] ?? '')
  if (!db) throw new Error('the content database is not ready')
  searcher = createSearcher(db)
  return searcher
}

function answer(request: SearchRequest): Reply {
  try {
    return { result: useSearcher()(request) }
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) }
  }
}

/**
 * Opens the database and runs the code of a search once, which takes 50 ms of processor time. On a
 * busy machine, a process of low priority waits seconds for that, and it is no part of the 2 s that
 * a search may take. A failure is reported by the first search.
 */
function prepare(): void {
  answer({ query: 'first', locale: 'en', collection: null, limit: 1, disabledRoutes: [] })
}

process.on('message', (request: SearchRequest) => process.send?.(answer(request)))
// The channel closes when the server exits, even when it was killed.
process.on('disconnect', () => process.exit(0))
// Ctrl-C in a terminal reaches this process too. The server ends it when running searches are done.
process.on('SIGINT', () => undefined)
prepare()
process.send?.('started')
