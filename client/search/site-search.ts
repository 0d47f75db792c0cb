import { search as limits } from '../../shared/constants'
import type { SearchResult } from '../../shared/search-result'
import type { Clock } from '../platform/clock'
import { createStore, type Store } from '../platform/store'

export type SearchView = {
  query: string
  state: 'idle' | 'loading' | 'done' | 'failed'
  result: SearchResult | null
}
/** Asks the server; rejects when there is no answer, and when `signal` aborts. */
export type AskSearch = (query: string, signal: AbortSignal) => Promise<SearchResult>
export type SiteSearch = {
  view: Pick<Store<SearchView>, 'get' | 'subscribe'>
  type: (query: string) => void
  retry: () => void
  stop: () => void
}

/**
 * Searches while somebody types: asks after a pause of 150 ms, takes back a question that has been overtaken, and keeps showing the results
 * before until there are new ones.
 */
export function createSiteSearch({
  ask,
  clock,
}: {
  ask: AskSearch
  clock: Pick<Clock, 'after'>
}): SiteSearch {
  const view = createStore<SearchView>({ query: '', state: 'idle', result: null })
  let cancel = (): void => undefined
  let asked: AbortController | null = null

  const drop = (): void => {
    cancel()
    asked?.abort()
    asked = null
  }
  const send = (query: string): void => {
    const own = new AbortController()
    asked = own
    const settle = (next: Omit<SearchView, 'query'>): void => {
      if (asked === own) view.set({ query: view.get().query, ...next })
    }
    ask(query, own.signal).then(
      (result) => settle({ state: 'done', result }),
      () => settle({ state: 'failed', result: null }),
    )
  }
  const start = (query: string, pause: number): void => {
    drop()
    const wanted = query.trim()
    if (wanted === '') return view.set({ query, state: 'idle', result: null })
    view.set({ query, state: 'loading', result: view.get().result })
    cancel = clock.after(pause, () => send(wanted))
  }
  return {
    view,
    type: (query) => start(query, limits.typingPause),
    retry: () => start(view.get().query, 0),
    stop: drop,
  }
}
