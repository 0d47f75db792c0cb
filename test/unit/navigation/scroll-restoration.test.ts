import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { createScrollRestoration } from '../../../client/navigation/scroll-restoration'
import { fakeClock } from '../../../testing/fake-clock'

/** Told by a test that the page has grown. */
let sizeObservers: Array<() => void> = []
class FakeResizeObserver {
  constructor(private readonly onResize: () => void) {}
  observe(): void {
    sizeObservers.push(this.onResize)
  }
  disconnect(): void {
    sizeObservers = sizeObservers.filter((other) => other !== this.onResize)
  }
}
const globals = globalThis as { ResizeObserver?: unknown }
beforeEach(() => {
  sizeObservers = []
  globals.ResizeObserver = FakeResizeObserver
})
afterEach(() => {
  delete globals.ResizeObserver
})

const firstState = { key: 'first', idx: 0 }

/**
 * A tab with a page of `height` px that can be scrolled to its end. It is at the first entry of its
 * history; the page on the screen belongs to the entry with `shownState`.
 */
function openTab(stored: string | null = null, shownState = firstState) {
  const clock = fakeClock()
  const entries = new Map(stored === null ? [] : [['scroll', stored]])
  const cancels = new Map<number, () => void>()
  const tab = Object.assign(new EventTarget(), {
    height: 300,
    scrollY: 0,
    history: {
      state: firstState,
      scrollRestoration: 'auto',
      replaceState: (state: { key: string; idx: number }) => void (tab.history.state = state),
    },
    location: { pathname: '/', search: '' },
    document: { body: {} },
    scrollTo({ top }: { top: number }) {
      tab.scrollY = Math.min(top, tab.height)
    },
    setTimeout(run: () => void, ms: number) {
      cancels.set(cancels.size, clock.after(ms, run))
      return cancels.size - 1
    },
    clearTimeout: (id: number) => cancels.get(id)?.(),
  })
  const storage = {
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => void entries.set(key, value),
  }
  // A fake of the members that are used.
  const restoration = createScrollRestoration({
    window: tab as unknown as Window,
    storage,
    shown: { address: '/', state: shownState },
  })
  const dispatch = (type: string): boolean => tab.dispatchEvent(new Event(type))
  const grow = (height: number): void => {
    tab.height = height
    for (const tell of sizeObservers) tell()
  }
  return { clock, entries, tab, restoration, dispatch, grow, stop: restoration.start() }
}
type Tab = ReturnType<typeof openTab>
const positionOfFirst = JSON.stringify([['first', 1000]])

describe('the scroll position', () => {
  it('is restored again whenever the page grows, until it is reached', () => {
    const { tab, grow } = openTab(positionOfFirst)
    expect(tab.scrollY).toBe(300)
    grow(700)
    expect(tab.scrollY).toBe(700)
    grow(1200)
    expect([tab.scrollY, sizeObservers.length]).toEqual([1000, 0])
  })

  it.each<[string, (tab: Tab) => unknown]>([
    ["the visitor's wheel", ({ dispatch }) => dispatch('wheel')],
    ["the visitor's touch", ({ dispatch }) => dispatch('touchstart')],
    ["the visitor's key", ({ dispatch }) => dispatch('keydown')],
    ['2 s have passed', ({ clock }) => clock.pass(2000)],
    ['the next history entry', ({ restoration }) => restoration.onEntryChange()],
    ['it is stopped', ({ stop }) => stop()],
  ])('stays where it is when the page grows after %s', async (_name, act) => {
    const opened = openTab(positionOfFirst)
    await act(opened)
    opened.grow(1200)
    expect([opened.tab.scrollY, sizeObservers.length]).toEqual([300, 0])
  })

  it('is still waited for after 1.9 s', async () => {
    const { clock, grow, tab } = openTab(positionOfFirst)
    await clock.pass(1900)
    grow(1200)
    expect(tab.scrollY).toBe(1000)
  })

  it.each([
    ['text that is not JSON', '['],
    ['something other than a list', '{}'],
    ['other rows', '[["first","1000"],[1,1000],null]'],
  ])('is the top when the storage holds %s', (_name, stored) => {
    const { tab, restoration } = openTab(stored)
    expect([restoration.restore(), tab.scrollY]).toEqual([false, 0])
  })

  it('of the page on the screen is kept when the tab has left its entry before the start', () => {
    const { tab, entries, dispatch, restoration } = openTab(null, { key: 'left', idx: 3 })
    expect(restoration.shownIndex()).toBe(3)
    tab.scrollY = 70
    dispatch('pagehide')
    expect(entries.get('scroll')).toBe('[["left",70]]')
    restoration.onEntryChange()
    expect(restoration.shownIndex()).toBe(0)
  })

  it('is stored for each entry when the page is left, and the browser restores then', () => {
    const { tab, entries, dispatch, restoration, stop } = openTab()
    expect(tab.history.scrollRestoration).toBe('manual')
    tab.scrollY = 120
    dispatch('scroll')
    tab.history.state = { key: 'second', idx: 1 }
    restoration.onEntryChange()
    tab.scrollY = 50
    dispatch('pagehide')
    const stored = '[["first",120],["second",50]]'
    expect([entries.get('scroll'), tab.history.scrollRestoration]).toEqual([stored, 'auto'])
    dispatch('pageshow')
    expect(tab.history.scrollRestoration).toBe('manual')
    stop()
    tab.scrollY = 70
    tab.history.scrollRestoration = 'auto'
    for (const type of ['scroll', 'pagehide', 'pageshow']) dispatch(type)
    expect([entries.get('scroll'), tab.history.scrollRestoration]).toEqual([stored, 'auto'])
    restoration.restore()
    expect(tab.scrollY).toBe(50)
  })
})
