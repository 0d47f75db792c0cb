import type { LocaleCode } from '../../shared/i18n/locales'
import { match } from '../../shared/routes/match'
import { shellOf, type RouteId } from '../../shared/routes/table'
import { loadedPage, loadPage } from '../pages'
import { browserClock } from '../platform/clock'
import { pageFetch } from '../platform/retrying-fetch'
import type { ViewScope } from '../view-context'
import { createBuildFreshness, type BuildFreshness } from './build-freshness'
import type { CurrentPageStore } from './current-page'
import { addressOf } from './history-entry'
import { createLinkPrefetch } from './link-prefetch'
import { linkTarget, withoutLocalePrefix } from './link-target'
import { loadingBar } from './loading-bar'
import { createNavigation, type HistoryAction, type Navigation } from './navigation'
import { fetchNotFoundPage } from './not-found-page'
import { handlePageFailure, isChunkLoadError } from './page-failure'
import type { PagePresenter } from './page-presenter'
import { createPayloadCache, type PageAddress, type PayloadCache } from './payload-cache'
import { reportPreloadError } from './preload-error'
import { resolveTarget } from './resolve-target'

type SiteNavigation = {
  open: (url: URL) => void
  stop: () => void
}
type Options = {
  window: Window
  current: CurrentPageStore
  presenter: PagePresenter
  /** Shows a failure to the visitor; screen readers announce it at once. */
  alert: (text: string) => void
}
type Modules = Options & { payloads: PayloadCache; freshness: BuildFreshness }

function guessRoute(path: string, locale: LocaleCode): RouteId | null {
  const route = match(withoutLocalePrefix(path, locale) ?? '')?.route
  // Routes that only redirect have no code.
  return route && !route.redirects ? route.id : null
}

/**
 * Loads an address fully. After `pop` and `replace` the history entry already belongs to the page.
 */
function load(window: Window, address: string, action: HistoryAction): void {
  if (action === 'pop' && address === window.location.href) window.location.reload()
  else if (action === 'push') window.location.assign(address)
  else window.location.replace(address)
}

/** A page that was loaded without menus, or without any shell, lacks what other pages need. */
const hasPartsFor = (shell: ReturnType<typeof shellOf>, { menus, view }: ViewScope): boolean =>
  ({ full: menus !== null, plain: view.texts.shell !== undefined, bare: true })[shell]

function createPageNavigation({
  window,
  current,
  presenter,
  alert,
  payloads,
  freshness,
}: Modules): Navigation {
  const { buildId, locale, texts } = current.get().scope.view
  return createNavigation({
    bar: loadingBar,
    now: browserClock.now,
    hasPayload: payloads.isFresh,
    confirmBuild: freshness.confirm,
    isStale: freshness.isStale,
    isOffline: () => !window.navigator.onLine,
    resolve: (url, signal) =>
      resolveTarget(url, signal, {
        payloads,
        buildId,
        locale,
        guessRoute: (path) => guessRoute(path, locale),
        canShow: (route) => hasPartsFor(shellOf(route), current.get().scope),
        loadPage,
        fetchNotFoundPage: (answer, { pathname }) =>
          fetchNotFoundPage(answer, pathname, locale, pageFetch, signal),
      }),
    show: presenter.show,
    load: (address, action) => load(window, address, action),
    onOffline(action) {
      if (action === 'pop') presenter.returnToShownEntry()
      const text = texts.navigation?.['offline']
      if (typeof text === 'string') alert(text)
    },
    onPayloadFailure: (url, error) =>
      reportPreloadError({ kind: 'payload', url: url.pathname, error }),
    onCodeFailure: (url, error, action) =>
      handlePageFailure(window, locale, url, error, (address) => load(window, address, action)),
  })
}

/**
 * Fetches a payload ahead of a click. Resolves to a function that loads the code of the page; null
 * when the code is loaded already or the page cannot be shown without a load. Never rejects.
 */
async function prefetchPayload(
  page: PageAddress,
  { window, current, payloads, freshness }: Modules,
): Promise<(() => Promise<void>) | null> {
  try {
    const payload = await payloads.get(page, { priority: 'low' })
    if (payload.buildId !== current.get().scope.view.buildId) {
      freshness.markStale()
      return null
    }
    if (!('route' in payload) || loadedPage(payload.route)) return null
    const { route } = payload
    return () =>
      loadPage(route).then(
        () => undefined,
        (error: unknown) => reportPreloadError({ kind: 'chunk', url: route, error }),
      )
  } catch (error) {
    if (window.navigator.onLine) reportPreloadError({ kind: 'payload', url: page.pathname, error })
    return null
  }
}

function startPrefetch(modules: Modules): () => void {
  const { window, current, presenter, payloads, freshness } = modules
  const { locale, origins } = current.get().scope.view
  const prefetch = createLinkPrefetch({
    window,
    hasPayload: payloads.has,
    isPayloadFresh: payloads.isFresh,
    confirmBuild: freshness.confirm,
    fetchPayload: (page) => prefetchPayload(page, modules),
    pageOf(link) {
      if (freshness.isStale()) return null
      const { location } = window
      const target = linkTarget(link, { location, locale, origins: Object.values(origins) })
      const url = target.kind === 'page' ? target.url : null
      return url && addressOf(url) !== presenter.address() ? url : null
    },
  })
  presenter.onShown(prefetch.rescan)
  return prefetch.start()
}

/**
 * Code of a part of the page (a dialog, buttons beside code) that cannot be fetched: the page keeps
 * working without it, and the next navigation is a full load.
 */
function watchChunkFailures(window: Window, { markStale }: BuildFreshness): () => void {
  const onRejection = ({ reason }: PromiseRejectionEvent): void => {
    if (!isChunkLoadError(reason)) return
    reportPreloadError({ kind: 'chunk', url: reason.message, error: reason })
    markStale()
  }
  window.addEventListener('unhandledrejection', onRejection)
  return () => window.removeEventListener('unhandledrejection', onRejection)
}

/**
 * Shows the page of the address after the browser's buttons or a link within the page changed it.
 * It listens to `popstate`, an event of the browser. A change of React Router's location would not
 * do: if the visitor goes back before React has rendered a click, that location does not change.
 */
function watchHistory({ window, presenter }: Options, navigation: Navigation): () => void {
  const onPop = (): void => {
    const { location } = window
    if (addressOf(location) !== presenter.address()) {
      void navigation.open(new URL(location.href), 'pop')
      return
    }
    navigation.cancel()
    presenter.showCurrentHash()
  }
  window.addEventListener('popstate', onPop)
  // The visitor has gone back before this code was there, for example right after a reload.
  if (!presenter.isAtShownEntry()) onPop()
  return () => window.removeEventListener('popstate', onPop)
}

/** Creates and connects the modules that navigate. */
export function startNavigation(options: Options): SiteNavigation {
  const { window, current } = options
  const { buildId } = current.get().scope.view
  const freshness = createBuildFreshness({
    buildId,
    document: window.document,
    clock: browserClock,
    fetch: pageFetch,
    now: Date.now,
    isOffline: () => !window.navigator.onLine,
    onFailure: (url, error) => reportPreloadError({ kind: 'manifest', url, error }),
  })
  const payloads = createPayloadCache({
    fetch: pageFetch,
    buildId,
    now: browserClock.now,
    isOffline: () => !window.navigator.onLine,
  })
  const modules: Modules = { ...options, payloads, freshness }
  const navigation = createPageNavigation(modules)
  const stops = [
    freshness.start(),
    startPrefetch(modules),
    watchChunkFailures(window, freshness),
    watchHistory(options, navigation),
  ]
  return {
    open: (url) =>
      void navigation.open(url, url.href === window.location.href ? 'replace' : 'push'),
    stop() {
      for (const stop of stops) stop()
    },
  }
}
