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
 * Opens the database and runs one search. Without that, the first visitor's search takes 50 ms of
 * processor time instead of about 10. On a busy machine this process, whose priority is low, can
 * wait longer than the 2 s of a search for 50 ms. A failure here is reported by the next search.
 */
function prepare(): void {
  answer({ query: 'how to start', locale: 'en', collection: null, limit: 8, disabledRoutes: [] })
}

process.on('message', (request: SearchRequest) => process.send?.(answer(request)))
// The channel closes when the server exits, even when it was killed.
process.on('disconnect', () => process.exit(0))
// Ctrl-C in a terminal reaches this process too. The server ends it when running searches are done.
process.on('SIGINT', () => undefined)
prepare()
process.send?.('started')
