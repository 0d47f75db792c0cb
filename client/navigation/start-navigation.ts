import { match } from '../../shared/routes/match'
import type { RouteId } from '../../shared/routes/table'
import { failPage, isChunkError } from './fail-page'
import { loadedPage, loadPage, type AnyPage } from '../pages'
import type { Arrivals } from './arrival'
import type { ShownPage } from './shown-page'
import { createBuildFreshness } from './build-freshness'
import { browserClock } from '../platform/clock'
import { linkTarget, unprefixed } from './link-target'
import { loadingBar } from './loading-bar'
import { fetchMissingPage } from './missing-page'
import { createNavigation, type How } from './navigation'
import { createPayloads, type PageAddress } from './payloads'
import { createPrefetch, type Connection } from './prefetch'
import { reportPreloadError } from './preload-error'

export type SiteNavigation = {
  open: (url: URL) => void
  /** The browser's buttons, or a link within the page, have changed the address. */ travelled: () => void
  stop: () => void
}
type Options = {
  page: Window
  shown: ShownPage
  arrivals: Arrivals
  /** Shows a failure to the visitor; a screen reader reads it at once. */
  alert: (text: string) => void
}

/** Joins the modules that navigate; each of them knows only what it is handed here. */
export function startNavigation({ page, shown, arrivals, alert }: Options): SiteNavigation {
  const { buildId, locale, origins, texts } = shown.get().scope.view
  const fetch = page.fetch.bind(page)
  const payloads = createPayloads({ fetch, buildId, now: browserClock.now })
  const freshness = createBuildFreshness({
    buildId,
    page: page.document,
    clock: browserClock,
    fetch,
    now: Date.now,
    failed: (url, error) => reportPreloadError({ kind: 'manifest', url, error }),
  })
  const routeOf = (path: string): RouteId | null => {
    const found = match(unprefixed(path, locale) ?? '')?.route
    // The table's ids are its own; a row that only redirects has no code.
    return found && !found.redirects ? (found.id as RouteId) : null
  }
  const leave = (address: string, how: How): void => {
    if (how === 'pop' && address === page.location.href) page.location.reload()
    else if (how === 'push') page.location.assign(address)
    else page.location.replace(address)
  }
  const scope = () => ({ here: page.location, locale, origins: Object.values(origins) })
  const connection = (): Connection | undefined =>
    (page.navigator as Navigator & { connection?: Connection }).connection

  const navigation = createNavigation<AnyPage>({
    payloads,
    buildId,
    locale,
    bar: loadingBar,
    now: browserClock.now,
    routeOf,
    loadCode: loadPage,
    leave,
    missingPage: (answer, url, signal) =>
      fetchMissingPage(answer, url.pathname, locale, fetch, signal),
    isStale: freshness.isStale,
    confirmBuild: freshness.confirm,
    isOffline: () => !page.navigator.onLine,
    arrive: arrivals.show,
    offline(how) {
      if (how === 'pop') arrivals.undo()
      const text = texts.shell?.['offline']
      if (typeof text === 'string') alert(text)
    },
    payloadFailed: (url, error) =>
      reportPreloadError({ kind: 'payload', url: url.pathname, error }),
    codeFailed: (url, error, how) =>
      failPage(page, locale, url, error, (address) => leave(address, how)),
  })

  async function prefetchPayload(target: PageAddress): Promise<(() => Promise<void>) | null> {
    try {
      const payload = await payloads.get(target, { priority: 'low' })
      if (payload.buildId !== buildId) freshness.markStale()
      if (!('route' in payload) || payload.buildId !== buildId || loadedPage(payload.route))
        return null
      const { route } = payload
      return () =>
        loadPage(route).then(
          () => undefined,
          (error: unknown) => reportPreloadError({ kind: 'chunk', url: route, error }),
        )
    } catch (error) {
      if (page.navigator.onLine)
        reportPreloadError({ kind: 'payload', url: target.pathname, error })
      return null
    }
  }
  const prefetch = createPrefetch({
    page,
    connection,
    hasPayload: payloads.has,
    confirm: freshness.confirm,
    payload: prefetchPayload,
    pageOf(link) {
      const target = freshness.isStale() ? null : linkTarget(link, scope())
      return target?.kind === 'page' &&
        target.url.pathname + target.url.search !== arrivals.address()
        ? target.url
        : null
    },
  })
  arrivals.onShown(prefetch.rescan)
  /** Extras of a page (a dialog, buttons beside code) that could not be fetched: the page stands, the next one is loaded fully. */
  const lost = ({ reason }: PromiseRejectionEvent): void => {
    if (!isChunkError(reason)) return
    reportPreloadError({ kind: 'chunk', url: reason.message, error: reason })
    freshness.markStale()
  }
  page.addEventListener('unhandledrejection', lost)
  const stops = [
    freshness.start(),
    prefetch.start(),
    () => page.removeEventListener('unhandledrejection', lost),
  ]
  return {
    open: (url) => void navigation.open(url, url.href === page.location.href ? 'replace' : 'push'),
    travelled() {
      const { href, pathname, search } = page.location
      if (pathname + search !== arrivals.address())
        return void navigation.open(new URL(href), 'pop')
      navigation.stay()
      arrivals.within()
    },
    stop() {
      for (const stop of stops) stop()
    },
  }
}
