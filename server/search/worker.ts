/**
 * The search thread. SQLite calls are synchronous and would delay other requests in the server's
 * own thread. It reads the content database and answers one search at a time.
 */
import { parentPort, workerData } from 'node:worker_threads'
import type { SearchResult } from '../../shared/search-result'
import { openForReading } from '../content/database'
import { createSearcher, type SearchRequest } from './searcher'

export type Question = { id: number; request: SearchRequest }
export type Reply = { id: number; result: SearchResult } | { id: number; error: string }

let searcher: ReturnType<typeof createSearcher> | null = null

/** Opens the database at the first search, and again at the next one where that failed. */
function useSearcher(): ReturnType<typeof createSearcher> {
  if (searcher) return searcher
  const db = openForReading(String(workerData))
  if (!db) throw new Error('the content database is not ready')
  searcher = createSearcher(db)
  return searcher
}

parentPort?.on('message', ({ id, request }: Question) => {
  let reply: Reply
  try {
    reply = { id, result: useSearcher()(request) }
  } catch (error) {
    reply = { id, error: error instanceof Error ? error.message : String(error) }
  }
  parentPort?.postMessage(reply)
})
