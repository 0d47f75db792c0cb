import { flushSync } from 'react-dom'
import { createIslandSource } from './island-source'
import type { AnyPage } from '../pages'
import { nextScope, pageShownEvent, type PageShown, type ShownPage } from './shown-page'
import { sessionMemory } from './chunk-reload'
import { showInHead } from './document-head'
import type { Arrival } from './navigation'
import { createScrollMemory, entryIndex } from './scroll-memory'

type Options = {
  page: Window
  shown: ShownPage
  /** Changes the address. */ go: (address: string, replace: boolean) => void
  announce: (title: string) => void
}
export type Arrivals = {
  /** Shows a page that has been fetched. */
  show: (arrival: Arrival<AnyPage>) => void
  /** The visitor moved within the page: to one of its headings, or back from it. */
  within: () => void
  /** Path and query of the page on the screen. */
  address: () => string
  /** Goes back to the entry of the page on the screen, after a journey that led nowhere. */
  undo: () => void
  /** Runs after each page. */
  onShown: (listener: () => void) => void
  stop: () => void
}

const addressOf = ({ pathname, search }: Pick<Location, 'pathname' | 'search'>): string =>
  pathname + search

/** What React does not own: address, head, scroll position, focus, open menus, the announcement. */
export function createArrival({ page, shown, go, announce }: Options): Arrivals {
  const { document } = page
  const scroll = createScrollMemory({ page, storage: sessionMemory(page) })
  const stopScroll = scroll.start()
  const listeners = new Set<() => void>()
  let address = addressOf(page.location)
  let index = entryIndex(page)

  const placeOf = (hash: string): HTMLElement | null => {
    try {
      return hash.length > 1 ? document.getElementById(decodeURIComponent(hash.slice(1))) : null
    } catch {
      return null
    }
  }
  /** Reading goes on at the new page's heading, or at the place that the link names. */
  function focus(target: HTMLElement | null): void {
    if (!target) return
    if (!target.hasAttribute('tabindex')) target.tabIndex = -1
    target.focus({ preventScroll: true })
  }
  function settle({ url, how, payload, duration }: Arrival<AnyPage>, referrer: string): void {
    const { view } = shown.get().scope
    showInHead(document, view, payload.head)
    for (const menu of document.querySelectorAll<HTMLDetailsElement>('header details[open]'))
      menu.open = false
    const place = placeOf(url.hash)
    if (how !== 'pop' || !scroll.restore()) {
      if (place) place.scrollIntoView({ behavior: 'instant' })
      else page.scrollTo({ top: 0, behavior: 'instant' })
    }
    focus(place ?? document.querySelector<HTMLElement>('main h1'))
    announce(document.title)
    for (const listener of listeners) listener()
    const detail: PageShown = {
      url: url.href,
      referrer,
      title: document.title,
      route: view.route,
      duration,
      trigger: how,
    }
    page.dispatchEvent(new CustomEvent(pageShownEvent, { detail }))
  }
  function commit(arrival: Arrival<AnyPage>): void {
    const { url, how, payload, code } = arrival
    const referrer = page.location.origin + address
    address = addressOf(url)
    if (how === 'push' || addressOf(page.location) + page.location.hash !== address + url.hash)
      go(address + url.hash, how !== 'push')
    index = entryIndex(page)
    scroll.moved()
    const { scope, visit } = shown.get()
    flushSync(() =>
      shown.set({
        scope: nextScope(scope, payload, createIslandSource(payload.islands)),
        page: code,
        visit: visit + 1,
      }),
    )
    settle(arrival, referrer)
  }
  return {
    address: () => address,
    onShown: (listener) => void listeners.add(listener),
    stop: stopScroll,
    show(arrival) {
      const still = page.matchMedia('(prefers-reduced-motion: reduce)').matches
      if (still || !('startViewTransition' in document)) return commit(arrival)
      // Refused where the tab is hidden or another one begins: the page has changed all the same.
      document.startViewTransition(() => commit(arrival)).ready.catch(() => undefined)
    },
    within() {
      const known = typeof (page.history.state as { key?: unknown } | null)?.key === 'string'
      scroll.moved()
      index = entryIndex(page)
      // A new entry was made by the browser, which has gone to the place itself.
      if (known && !scroll.restore())
        placeOf(page.location.hash)?.scrollIntoView({ behavior: 'instant' })
    },
    undo() {
      const distance = index - entryIndex(page)
      if (distance !== 0) page.history.go(distance)
    },
  }
}
