type Options = { page: Window; storage: Pick<Storage, 'getItem' | 'setItem'> | null }
export type ScrollMemory = {
  start: () => () => void
  /** A new history entry, which the router or the browser has just made, is the one being shown. */
  moved: () => void
  /** Goes where the visitor was in this entry; false when that is not known. */
  restore: () => boolean
}

const storageKey = 'scroll'
/** Positions kept: more than anybody goes back. */
const kept = 100
/** How long a page may take to grow to the height that it had (ms): pictures and late islands come after the text. */
const growth = 2000

function stored(storage: Options['storage']): Map<string, number> {
  try {
    const value: unknown = JSON.parse(storage?.getItem(storageKey) ?? '[]')
    return new Map(
      Array.isArray(value)
        ? value.filter(
            (row): row is [string, number] =>
              Array.isArray(row) && typeof row[0] === 'string' && typeof row[1] === 'number',
          )
        : [],
    )
  } catch {
    return new Map()
  }
}

/** Each history entry bears a key and its number in the tab's row, as React Router writes them; those that the browser makes (a first page, a place on the page) have none yet. */
function entryKey(page: Window, index: number): string {
  const state = page.history.state as { key?: unknown } | null
  if (typeof state?.key === 'string') return state.key
  const key = Math.random().toString(36).slice(2, 10)
  page.history.replaceState({ usr: null, idx: index, ...state, key }, '')
  return key
}

/** The number of the entry being shown in the tab's row. */
export const entryIndex = (page: Window): number =>
  Number((page.history.state as { idx?: unknown } | null)?.idx ?? 0)

/**
 * Where the visitor stood in each entry of the tab's history. Within the app we restore, since only we know when the page is
 * there; before the tab leaves it the browser is given that task back, which does it before the first paint.
 */
export function createScrollMemory({ page, storage }: Options): ScrollMemory {
  const positions = stored(storage)
  let key = ''
  let index = 0
  let stopGrowing = (): void => undefined

  const note = (): void => {
    positions.delete(key)
    positions.set(key, page.scrollY)
  }
  const scrollTo = (top: number): void => page.scrollTo({ top, behavior: 'instant' })
  /** Follows a page that is not yet as high as it was, until it is, or the visitor scrolls. */
  function follow(top: number): void {
    stopGrowing()
    scrollTo(top)
    if (Math.abs(page.scrollY - top) < 2) return
    const observer = new ResizeObserver(() => {
      scrollTo(top)
      if (Math.abs(page.scrollY - top) < 2) stopGrowing()
    })
    const timer = page.setTimeout(() => stopGrowing(), growth)
    const mine = ['wheel', 'touchstart', 'keydown'] as const
    stopGrowing = () => {
      observer.disconnect()
      page.clearTimeout(timer)
      for (const type of mine) page.removeEventListener(type, stopGrowing)
      stopGrowing = () => undefined
    }
    for (const type of mine) page.addEventListener(type, stopGrowing, { passive: true })
    observer.observe(page.document.body)
  }
  const restore = (): boolean => {
    const top = positions.get(key)
    if (top === undefined) return false
    follow(top)
    return true
  }
  const leave = (): void => {
    note()
    page.history.scrollRestoration = 'auto'
    try {
      storage?.setItem(storageKey, JSON.stringify([...positions].slice(-kept)))
    } catch {
      // A full storage: the browser restores what it can.
    }
  }
  const shown = (): void => {
    page.history.scrollRestoration = 'manual'
  }
  return {
    start() {
      key = entryKey(page, 0)
      index = entryIndex(page)
      shown()
      // The browser restores a loaded page by itself, unless this comes first.
      if (page.scrollY === 0) restore()
      page.addEventListener('scroll', note, { passive: true })
      page.addEventListener('pagehide', leave)
      page.addEventListener('pageshow', shown)
      return () => {
        stopGrowing()
        page.removeEventListener('scroll', note)
        page.removeEventListener('pagehide', leave)
        page.removeEventListener('pageshow', shown)
      }
    },
    moved() {
      stopGrowing()
      key = entryKey(page, index + 1)
      index = entryIndex(page)
    },
    restore,
  }
}
