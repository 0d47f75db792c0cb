import { pageShownEvent, type PageShownDetail } from '../navigation/current-page'

export type EarlyNavigations = {
  /** Returns the navigations so far and stops collecting: the caller listens from now on. */
  take: () => readonly PageShownDetail[]
}

/** Collects the navigations in place until analytics has loaded: links can be clicked earlier. */
export function collectEarlyNavigations(
  window: Pick<Window, 'addEventListener' | 'removeEventListener'>,
): EarlyNavigations {
  const navigations: PageShownDetail[] = []
  // Cast: only the page presenter dispatches this event.
  const onPageShown = (event: Event): void =>
    void navigations.push((event as CustomEvent<PageShownDetail>).detail)
  window.addEventListener(pageShownEvent, onPageShown)
  return {
    take() {
      window.removeEventListener(pageShownEvent, onPageShown)
      return navigations
    },
  }
}
