import { search as limits } from '../../shared/constants'
import type { SearchResult } from '../../shared/search-result'
import type { Clock } from '../platform/clock'
import { createStore, type Store } from '../platform/store'

export type SearchView = {
  query: string
  state: 'idle' | 'loading' | 'done' | 'failed'
  result: SearchResult | null
}
/** Queries the server. Rejects when the server does not answer and when `signal` aborts. */
export type FetchSearchResult = (query: string, signal: AbortSignal) => Promise<SearchResult>
export type SiteSearch = {
  view: Pick<Store<SearchView>, 'get' | 'subscribe'>
  setQuery: (query: string) => void
  retry: () => void
  stop: () => void
}

/**
 * Searches while the visitor types: queries the server after a pause of 150 ms, aborts requests
 * that newer input has overtaken, and keeps the previous results until new ones arrive.
 */
export function createSiteSearch({
  fetchResult,
  clock,
}: {
  fetchResult: FetchSearchResult
  clock: Pick<Clock, 'after'>
}): SiteSearch {
  const view = createStore<SearchView>({ query: '', state: 'idle', result: null })
  let cancelTimer = (): void => undefined
  let pendingRequest: AbortController | null = null

  const cancel = (): void => {
    cancelTimer()
    pendingRequest?.abort()
    pendingRequest = null
  }
  const send = (query: string): void => {
    const request = new AbortController()
    pendingRequest = request
    const settle = (next: Omit<SearchView, 'query'>): void => {
      if (pendingRequest === request) view.set({ query: view.get().query, ...next })
    }
    fetchResult(query, request.signal).then(
      (result) => settle({ state: 'done', result }),
      () => settle({ state: 'failed', result: null }),
    )
  }
  const start = (query: string, delayMs: number): void => {
    cancel()
    const trimmed = query.trim()
    if (trimmed === '') return view.set({ query, state: 'idle', result: null })
    view.set({ query, state: 'loading', result: view.get().result })
    cancelTimer = clock.after(delayMs, () => send(trimmed))
  }
  return {
    view,
    setQuery: (query) => start(query, limits.debounceMs),
    retry: () => start(view.get().query, 0),
    stop: cancel,
  }
}
