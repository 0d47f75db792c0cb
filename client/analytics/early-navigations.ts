import { onPageShown, type PageShownDetail } from '../navigation/current-page'

export type EarlyNavigations = {
  /** Returns the navigations so far and stops collecting: the caller listens from now on. */
  take: () => readonly PageShownDetail[]
}

/** Collects the navigations in place until analytics has loaded: links can be clicked earlier. */
export function collectEarlyNavigations(
  window: Pick<Window, 'addEventListener' | 'removeEventListener'>,
): EarlyNavigations {
  const navigations: PageShownDetail[] = []
  const stop = onPageShown(window, (shown) => void navigations.push(shown))
  return {
    take() {
      stop()
      return navigations
    },
  }
}
