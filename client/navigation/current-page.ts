import type { PagePayload } from '../../shared/payload'
import type { AnyPage } from '../pages'
import type { ViewScope } from '../view-context'
import { createStore, type Store } from '../platform/store'

/**
 * The page on the screen. `visit` changes with every navigation and is React's key of the page, so
 * one page never inherits the state of another.
 */
export type CurrentPage = { scope: ViewScope; component: AnyPage; visit: number }
export type CurrentPageStore = Store<CurrentPage>

export const createCurrentPageStore = (scope: ViewScope, component: AnyPage): CurrentPageStore =>
  createStore<CurrentPage>({ scope, component, visit: 0 })

/**
 * Dispatched on `window` before a navigation without a load renders its page. What covers the page
 * closes then: behind an open dialog or drawer the new page is inert and could not take the focus.
 */
export const pageWillShowEvent = 'page-will-show'
/** Dispatched on `window` after a navigation without a load; analytics counts it as a view. */
export const pageShownEvent = 'page-shown'
export type PageShownDetail = {
  url: string
  referrer: string
  title: string
  route: string
  /** ms from the click until the page was shown. */
  duration: number
  trigger: 'push' | 'replace' | 'pop'
}

/**
 * Calls a listener each time the router has shown a page without a page load. Returns the function
 * that removes the listener.
 */
export function onPageShown(
  window: Pick<Window, 'addEventListener' | 'removeEventListener'>,
  listener: (shown: PageShownDetail) => void,
): () => void {
  // Cast: only the page presenter dispatches this event.
  const onEvent = (event: Event): void => listener((event as CustomEvent<PageShownDetail>).detail)
  window.addEventListener(pageShownEvent, onEvent)
  return () => window.removeEventListener(pageShownEvent, onEvent)
}

/** What the next page is rendered from: its payload, and what all pages of this language share. */
export function scopeFromPayload(
  { view, asset, menus }: ViewScope,
  payload: PagePayload,
  island: ViewScope['island'],
): ViewScope {
  const { islands: _islands, head: _head, ...page } = payload
  return {
    asset,
    island,
    menus,
    view: { ...view, ...page, texts: { ...view.texts, ...page.texts } },
  }
}
