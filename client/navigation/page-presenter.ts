import { flushSync } from 'react-dom'
import { sessionStorageOrNull } from '../platform/browser-storage'
import {
  pageShownEvent,
  pageWillShowEvent,
  scopeFromPayload,
  type CurrentPageStore,
  type PageShownDetail,
} from './current-page'
import { updateDocumentHead } from './document-head'
import { addressOf, currentEntry, entryIndex, entryKey, type HistoryEntry } from './history-entry'
import { createIslandLoader } from './island-loader'
import type { FetchedPage } from './navigation'
import { createScrollRestoration } from './scroll-restoration'

type Options = {
  window: Window
  /** The clock of the navigation (ms). */
  now: () => number
  current: CurrentPageStore
  /** The history entry of the page that was loaded. */
  loadedEntry: HistoryEntry
  /** Changes the address without a load; `replace` keeps the current history entry. */
  changeAddress: (address: string, replace: boolean) => void
  /** Announces the title of a new page to screen readers. */
  announce: (title: string) => void
}
export type PagePresenter = {
  /** Shows a page that has been fetched. */
  show: (page: FetchedPage) => void
  /** The address changed to another heading of the page on the screen, or back from it. */
  showCurrentHash: () => void
  /** Path and query of the page on the screen. */
  address: () => string
  /** False after the browser's buttons, until the page of their entry is shown. */
  isAtShownEntry: () => boolean
  /** Goes back to the history entry of the page on the screen, after a navigation that failed. */
  returnToShownEntry: () => void
  /** Adds a listener that runs after each page that is shown. */
  onShown: (listener: () => void) => void
  stop: () => void
}

/**
 * The element that a hash names; null when there is none or the hash is not valid percent-encoding.
 */
function hashTarget(document: Document, hash: string): HTMLElement | null {
  try {
    return hash.length > 1 ? document.getElementById(decodeURIComponent(hash.slice(1))) : null
  } catch {
    return null
  }
}

/**
 * Scrolls to the target of the hash, else to the top, unless the scroll position has been restored.
 * Moves the focus to the target or the heading, where keyboard and screen reader then continue.
 */
function moveToContent(window: Window, hash: string, isScrollRestored: boolean): void {
  const target = hashTarget(window.document, hash)
  if (!isScrollRestored) {
    if (target) target.scrollIntoView({ behavior: 'instant' })
    else window.scrollTo({ top: 0, behavior: 'instant' })
  }
  const focused = target ?? window.document.querySelector<HTMLElement>('main h1')
  if (!focused) return
  if (!focused.hasAttribute('tabindex')) focused.tabIndex = -1
  focused.focus({ preventScroll: true })
}

function dispatchPageShown(
  window: Window,
  { url, action, payload }: FetchedPage,
  referrer: string,
  duration: number,
): void {
  const detail: PageShownDetail = {
    url: url.href,
    referrer,
    title: window.document.title,
    route: payload.route,
    duration,
    trigger: action,
  }
  window.dispatchEvent(new CustomEvent(pageShownEvent, { detail }))
}

/** Shows fetched pages: address, content, head, scroll position, focus and announcement. */
export function createPagePresenter({
  window,
  now,
  current,
  loadedEntry,
  changeAddress,
  announce,
}: Options): PagePresenter {
  const { document } = window
  const scroll = createScrollRestoration({
    window,
    storage: sessionStorageOrNull(),
    shown: loadedEntry,
  })
  const stopScroll = scroll.start()
  const listeners = new Set<() => void>()
  let { address } = loadedEntry
  /** How many entries the tab's history is away from the entry of the page on the screen. */
  const distance = (): number => scroll.shownIndex() - entryIndex(currentEntry(window))

  function updateHistory({ url, action }: FetchedPage): void {
    address = addressOf(url)
    const target = address + url.hash
    if (action === 'push' || addressOf(window.location) + window.location.hash !== target)
      changeAddress(target, action !== 'push')
    scroll.onEntryChange()
  }
  function render({ payload, component }: FetchedPage): void {
    const { scope, visit } = current.get()
    const nextScope = scopeFromPayload(scope, payload, createIslandLoader(payload.islands))
    window.dispatchEvent(new Event(pageWillShowEvent))
    // Synchronously: scroll position and focus are set on the new page.
    flushSync(() => current.set({ scope: nextScope, component, visit: visit + 1 }))
    updateDocumentHead(document, nextScope.view, payload.head)
  }
  function show(page: FetchedPage): void {
    const referrer = window.location.origin + address
    updateHistory(page)
    render(page)
    moveToContent(window, page.url.hash, page.action === 'pop' && scroll.restore())
    announce(document.title)
    for (const listener of listeners) listener()
    dispatchPageShown(window, page, referrer, now() - page.startedAt)
  }
  return {
    address: () => address,
    onShown: (listener) => void listeners.add(listener),
    stop: stopScroll,
    show,
    showCurrentHash() {
      // An entry without a key is new: the browser made it and has scrolled to the target itself.
      const isKnownEntry = entryKey(currentEntry(window)) !== null
      scroll.onEntryChange()
      if (isKnownEntry && !scroll.restore())
        hashTarget(document, window.location.hash)?.scrollIntoView({ behavior: 'instant' })
    },
    isAtShownEntry: () => distance() === 0,
    returnToShownEntry() {
      if (distance() !== 0) window.history.go(distance())
    },
  }
}
