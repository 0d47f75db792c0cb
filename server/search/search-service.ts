import { LRUCache } from 'lru-cache'
import { search as limits } from '../../shared/constants'
import type { LocaleCode } from '../../shared/i18n/locales'
import type { SearchResult } from '../../shared/search-result'
import { createFairRunner } from '../request/fair-runner'
import { createSearchRunner, type SearchRunnerOptions } from './search-runner'
import type { SearchRequest } from './searcher'

type SearchOptions = SearchRunnerOptions & {
  /** Called for each search of a visitor, so that an operator learns what visitors look for. */
  onSearch: (group: string, search: { locale: LocaleCode; query: string; results: number }) => void
}
export type SearchService = ReturnType<typeof createSearchService>

/** Who searches: an address group, or a part of the site. `signal`: the client has disconnected. */
type Searching = { group: string; signal?: AbortSignal }

/** Visitors type the same words, and backspacing repeats a query. */
const maxCachedResults = 500
/** With more searches than this in the queue, a page is rendered without suggestions. */
const maxQueueForSuggestions = 4
const suggestionsGroup = 'suggestions'

const keyOf = (request: SearchRequest): string => JSON.stringify(request)

const queueOptions = {
  maxWaiting: limits.maxQueued,
  maxInFlight: limits.maxInFlight,
  busy: 'searchBusy',
  retryAfterSeconds: 1,
} as const

/** The hits of a search; none when it fails or takes longer than `timeoutMs`. */
async function hitsWithin(
  find: (signal: AbortSignal) => Promise<SearchResult>,
  timeoutMs: number,
): Promise<SearchResult['hits']> {
  const abort = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const timedOut = new Promise<SearchResult['hits']>((resolve) => {
    timer = setTimeout(() => {
      abort.abort()
      resolve([])
    }, timeoutMs)
  })
  const found = find(abort.signal).then(
    ({ hits }) => hits,
    () => [],
  )
  const hits = await Promise.race([found, timedOut])
  clearTimeout(timer)
  return hits
}

/** The search as the server uses it: a cache of results in front of the search process. */
export function createSearchService({ onSearch, ...runnerOptions }: SearchOptions) {
  const runner = createSearchRunner(runnerOptions)
  const queue = createFairRunner(queueOptions)
  const results = new LRUCache<string, SearchResult>({ max: maxCachedResults })
  let generation = 0

  async function findCached(
    request: SearchRequest,
    { group, signal }: Searching,
  ): Promise<SearchResult> {
    const key = keyOf(request)
    const cached = results.get(key)
    if (cached) return cached
    const startedIn = generation
    const result = await queue.run(group, () => runner.run(request), signal)
    // The content may have changed during the search.
    if (startedIn === generation) results.set(key, result)
    return result
  }

  return {
    /**
     * Rejects with a `SiteError`: 429 when the group has two searches in flight, 503 when the
     * search is busy or fails. When `signal` aborts before the search has started, the promise
     * never settles.
     */
    async search(request: SearchRequest, searching: Searching): Promise<SearchResult> {
      const result = await findCached(request, searching)
      const { locale, query } = request
      onSearch(searching.group, { locale, query, results: result.total })
      return result
    },
    /**
     * Pages whose name is similar to some words; a promise where they must be searched. None when
     * the search is busy, fails or takes longer than `timeoutMs`.
     */
    suggestPages(
      words: Omit<SearchRequest, 'namesOnly'>,
      timeoutMs: number,
    ): SearchResult['hits'] | Promise<SearchResult['hits']> {
      const request = { ...words, namesOnly: true }
      const cached = results.get(keyOf(request))
      if (cached) return cached.hits
      const isBusy = queue.length() >= maxQueueForSuggestions || !queue.hasRoom(suggestionsGroup)
      if (isBusy) return []
      const find = (signal: AbortSignal) => findCached(request, { group: suggestionsGroup, signal })
      return hitsWithin(find, timeoutMs)
    },
    /** Searches that wait or run. */
    pendingCount: queue.pendingCount,
    /** Forgets all results, because the content has changed. */
    clearResults(): void {
      generation += 1
      results.clear()
    },
    close(): Promise<void> {
      queue.close()
      return runner.close()
    },
  }
}
