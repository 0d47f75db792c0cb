import { onPageShown, type PageShownDetail } from '../navigation/current-page'
import type { EarlyNavigations } from './early-navigations'

type Listener = (shown: PageShownDetail) => void
type Navigations = {
  /** Adds a listener for navigations in place; returns the function that removes it. */
  onNavigation: (listener: Listener) => () => void
  /**
   * Passes on the navigations from before the services were loaded. Called once all of them listen:
   * they report the page that was loaded first, and then those that followed it.
   */
  replayEarly: () => void
}

/** Passes each navigation in place to the listeners, in the order in which they were added. */
export function followNavigations(
  window: Pick<Window, 'addEventListener' | 'removeEventListener'>,
  earlyNavigations: EarlyNavigations,
): Navigations {
  const listeners = new Set<Listener>()
  const notify: Listener = (shown) => listeners.forEach((listener) => listener(shown))
  const early = earlyNavigations.take()
  onPageShown(window, notify)
  return {
    onNavigation(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    replayEarly: () => early.forEach(notify),
  }
}
