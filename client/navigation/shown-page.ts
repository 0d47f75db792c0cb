import type { PageCarrying } from '../../shared/payload'
import type { AnyPage } from '../pages'
import type { ViewScope } from '../view-context'
import { createStore, type Store } from '../platform/store'

/** The page on the screen. `visit` differs from one navigation to the next, so that no state of one page lives on in another. */
export type Shown = { scope: ViewScope; page: AnyPage; visit: number }
export type ShownPage = Store<Shown>

export const createShownPage = (scope: ViewScope, page: AnyPage): ShownPage =>
  createStore<Shown>({ scope, page, visit: 0 })

/** Told on `window` once a page has been shown in the place of another; analytics counts it as a view. */
export const pageShownEvent = 'page-shown'
export type PageShown = {
  url: string
  referrer: string
  title: string
  route: string
  /** ms from the click to the page. */ duration: number
  trigger: 'push' | 'replace' | 'pop'
}

/** What the next page is rendered from: the payload, and what the pages of this host and language share, texts included. */
export function nextScope(
  { view, asset }: ViewScope,
  payload: PageCarrying,
  island: ViewScope['island'],
): ViewScope {
  const { islands: _islands, head: _head, ...page } = payload
  return { asset, island, view: { ...view, ...page, texts: { ...view.texts, ...page.texts } } }
}
