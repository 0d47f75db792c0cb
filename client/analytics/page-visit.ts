import type { PageShownDetail } from '../navigation/current-page'

/** The page that was loaded. Another one may be on the screen when analytics starts. */
export type LoadedPage = Pick<PageShownDetail, 'url' | 'title' | 'route'>
/** What all events of one page have in common. */
export type PageVisit = LoadedPage & {
  /** Address of the previous page: inside the site after a navigation, else the browser's. */
  referrer: string
  /** How long the page took to load (ms); until now when it is still loading. */
  durationMs: number
}
type Deps = {
  window: Pick<Window, 'document' | 'performance'>
  loaded: LoadedPage
  onNavigation: (listener: (shown: PageShownDetail) => void) => () => void
}

function loadDurationMs({ performance }: Deps['window']): number {
  const [timing] = performance.getEntriesByType('navigation')
  return timing instanceof PerformanceNavigationTiming
    ? timing.loadEventEnd || timing.domContentLoadedEventEnd || performance.now()
    : performance.now()
}

/**
 * Follows the navigations inside the site, because `document.referrer` and the browser's timing are
 * those of the first page forever. Address and title are not read from the window either: a
 * navigation from before analytics had loaded is reported later, with the page that it left.
 */
export function watchPageVisit({ window, loaded, onNavigation }: Deps): {
  current: () => PageVisit
  stop: () => void
} {
  let shown: PageShownDetail | null = null
  const stop = onNavigation((detail) => {
    shown = detail
  })
  return {
    current() {
      const { url, title, route } = shown ?? loaded
      return {
        url,
        title,
        route,
        referrer: shown?.referrer ?? window.document.referrer,
        durationMs: Math.round(shown?.duration ?? loadDurationMs(window)),
      }
    },
    stop,
  }
}
