/**
 * The search thread: SQLite calls are synchronous and must not hold up cached pages. It opens the content database for reading, answers one
 * request at a time in the order in which they come, and lives as long as the server.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { openForReading } from '../content/database'
import type { SearchResult } from '../../shared/search-result'
import { createSearcher, type SearchRequest } from './search-content'

export type Question = { id: number; request: SearchRequest }
export type Reply = { id: number; result: SearchResult } | { id: number; error: string }

let searcher: ReturnType<typeof createSearcher> | null = null
function search(request: SearchRequest): SearchResult {
  if (!searcher) {
    const db = openForReading(String(workerData))
    if (!db) throw new Error('the content database is not ready')
    searcher = createSearcher(db)
  }
  return searcher(request)
}

parentPort?.on('message', ({ id, request }: Question) => {
  let reply: Reply
  try {
    reply = { id, result: search(request) }
  } catch (error) {
    reply = { id, error: error instanceof Error ? error.message : String(error) }
  }
  parentPort?.postMessage(reply)
})
