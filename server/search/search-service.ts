import { LRUCache } from 'lru-cache'
import type { LocaleCode } from '../../shared/i18n/locales'
import type { SearchResult } from '../../shared/search-result'
import { createSearchThread, type SearchThreadOptions } from './search-thread'
import type { SearchRequest } from './searcher'

export type SearchOptions = SearchThreadOptions & {
  /** Called for a query without results, so that an operator learns what visitors miss. */
  onMiss: (locale: LocaleCode, query: string) => void
}
export type SearchService = ReturnType<typeof createSearchService>

/** Visitors type the same words, and backspacing repeats a query. */
const maxCachedResults = 500
/** With more searches than this in the queue, a page is rendered without suggestions. */
const maxQueueForSuggestions = 4

/** The search as the server uses it: a cache of results in front of the search thread. */
export function createSearchService({ onMiss, ...threadOptions }: SearchOptions) {
  const thread = createSearchThread(threadOptions)
  const results = new LRUCache<string, SearchResult>({ max: maxCachedResults })
  let generation = 0

  async function findCached(request: SearchRequest, signal?: AbortSignal): Promise<SearchResult> {
    const key = JSON.stringify(request)
    const cached = results.get(key)
    if (cached) return cached
    const startedIn = generation
    const result = await thread.search(request, signal)
    // The content may have changed during the search.
    if (startedIn === generation) results.set(key, result)
    return result
  }

  return {
    /**
     * Rejects with a `SiteError` (503) when the search is busy or fails. When `signal` aborts
     * before the search has started, the promise never settles.
     */
    async search(request: SearchRequest, signal?: AbortSignal): Promise<SearchResult> {
      const result = await findCached(request, signal)
      if (result.total === 0) onMiss(request.locale, request.query)
      return result
    },
    /**
     * Pages whose name is similar to some words. None when the search is busy, fails or takes
     * longer than `timeoutMs`.
     */
    async suggestPages(
      request: Omit<SearchRequest, 'namesOnly'>,
      timeoutMs: number,
    ): Promise<SearchResult['hits']> {
      if (thread.queueLength() >= maxQueueForSuggestions) return []
      const abort = new AbortController()
      let timer: NodeJS.Timeout | undefined
      const timedOut = new Promise<SearchResult['hits']>((resolve) => {
        timer = setTimeout(() => {
          abort.abort()
          resolve([])
        }, timeoutMs)
      })
      const found = findCached({ ...request, namesOnly: true }, abort.signal).then(
        ({ hits }) => hits,
        () => [],
      )
      const hits = await Promise.race([found, timedOut])
      clearTimeout(timer)
      return hits
    },
    /** Searches that wait or run. */
    pendingCount: thread.pendingCount,
    /** Forgets all results, because the content has changed. */
    clearResults(): void {
      generation += 1
      results.clear()
    },
    close: (): Promise<void> => thread.close(),
  }
}
