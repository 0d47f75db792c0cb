import { toRecord } from '../platform/to-record'
import { currentEntry, entryIndex, entryKey, type HistoryEntry } from './history-entry'

type Options = {
  window: Window
  storage: Pick<Storage, 'getItem' | 'setItem'> | null
  /** The entry of the page on the screen when it starts. */
  shown: HistoryEntry
}
type ScrollRestoration = {
  start: () => () => void
  /** The router or the browser has moved to another history entry. */
  onEntryChange: () => void
  /** Scrolls to the position last seen in this history entry; false when it is not known. */
  restore: () => boolean
  /** Index in the tab's history of the entry that is on the screen. */
  shownIndex: () => number
}

const storageKey = 'scroll'
const maxStoredPositions = 100
/**
 * How long a page may take to reach its former height: pictures and islands arrive after the text.
 */
const maxGrowthMs = 2000
const tolerancePx = 2

const isPosition = (row: unknown): row is [key: string, top: number] =>
  Array.isArray(row) && typeof row[0] === 'string' && typeof row[1] === 'number'

/** Scroll positions by the key of their history entry, oldest first. */
function readPositions(storage: Options['storage']): Map<string, number> {
  try {
    const value: unknown = JSON.parse(storage?.getItem(storageKey) ?? '[]')
    return new Map(Array.isArray(value) ? value.filter(isPosition) : [])
  } catch {
    return new Map()
  }
}

/**
 * Key of the current entry. An entry without one gets a key and an index as React Router writes
 * them.
 */
function ensureHistoryKey(window: Window, index: number): string {
  const existing = entryKey(currentEntry(window))
  if (existing !== null) return existing
  const key = Math.random().toString(36).slice(2, 10)
  const state = { usr: null, idx: index, ...toRecord(window.history.state), key }
  window.history.replaceState(state, '')
  return key
}

/**
 * Scrolls to `top`, again whenever the page grows, until it is high enough, the visitor scrolls, or
 * 2 s have passed. Returns the function that ends it.
 */
function scrollWhileGrowing(window: Window, top: number): () => void {
  const inputs = ['wheel', 'touchstart', 'keydown'] as const
  const scroll = (): boolean => {
    window.scrollTo({ top, behavior: 'instant' })
    return Math.abs(window.scrollY - top) < tolerancePx
  }
  if (scroll()) return () => undefined
  const observer = new ResizeObserver(() => {
    if (scroll()) stop()
  })
  const timer = window.setTimeout(stop, maxGrowthMs)
  function stop(): void {
    observer.disconnect()
    window.clearTimeout(timer)
    for (const type of inputs) window.removeEventListener(type, stop)
  }
  for (const type of inputs) window.addEventListener(type, stop, { passive: true })
  observer.observe(window.document.body)
  return stop
}

/**
 * Remembers the scroll position of each entry of the tab's history. While the page is open we
 * restore positions ourselves, because only we know when the content is there. When the tab leaves
 * the page, the browser takes over again: it restores before the first paint.
 */
export function createScrollRestoration({ window, storage, shown }: Options): ScrollRestoration {
  const positions = readPositions(storage)
  let key = ''
  let index = 0
  let stopScrolling = (): void => undefined

  const savePosition = (): void => {
    // Deleted first, so that the most recent position is the last of the map.
    positions.delete(key)
    positions.set(key, window.scrollY)
  }
  const restore = (): boolean => {
    const top = positions.get(key)
    if (top === undefined) return false
    stopScrolling()
    stopScrolling = scrollWhileGrowing(window, top)
    return true
  }
  const onPageHide = (): void => {
    savePosition()
    window.history.scrollRestoration = 'auto'
    try {
      storage?.setItem(storageKey, JSON.stringify([...positions].slice(-maxStoredPositions)))
    } catch {
      // The storage is full; the browser still restores the page that is left.
    }
  }
  const onPageShow = (): void => {
    window.history.scrollRestoration = 'manual'
  }
  return {
    start() {
      key = entryKey(shown) ?? ensureHistoryKey(window, 0)
      index = entryIndex(shown)
      onPageShow()
      // The browser has restored a reloaded page already, unless this runs first.
      if (window.scrollY === 0) restore()
      window.addEventListener('scroll', savePosition, { passive: true })
      window.addEventListener('pagehide', onPageHide)
      window.addEventListener('pageshow', onPageShow)
      return () => {
        stopScrolling()
        window.removeEventListener('scroll', savePosition)
        window.removeEventListener('pagehide', onPageHide)
        window.removeEventListener('pageshow', onPageShow)
      }
    },
    onEntryChange() {
      stopScrolling()
      key = ensureHistoryKey(window, index + 1)
      index = entryIndex(currentEntry(window))
    },
    restore,
    shownIndex: () => index,
  }
}
