import { startTransition, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { analytics } from '../shared/constants'
import type { LocaleCode } from '../shared/i18n/locales'
import type { BodyView } from '../shared/view'
import { collectEarlyFailures } from './analytics/early-failures'
import { App } from './App'
import { createBrowserTranslator } from './browser-translator'
import { startPictureStates } from './components/pictures/picture-states'
import {
  createCurrentPageStore,
  type CurrentPage,
  type CurrentPageStore,
} from './navigation/current-page'
import { addressOf, currentEntry } from './navigation/history-entry'
import { startLinkClicks } from './navigation/link-clicks'
import { loadingBar } from './navigation/loading-bar'
import { startLocaleChoice } from './navigation/locale-choice'
import { handlePageFailure } from './navigation/page-failure'
import { reportPreloadError } from './navigation/preload-error'
import type { SiteRouter } from './navigation/SiteRouter'
import { loadPage } from './pages'
import { readMenus } from './shell/menu-html'
import { loadDeferredServices } from './shell/load-deferred-services'
import { readLanguages } from './shell/read-languages'
import { showAlert } from './shell/toasts'
import './styles/tokens.css'
import './styles/base.css'
import './styles/picture.css'

/** Collected before anything else in this file can fail; at most as many as are reported. */
const earlyFailures = collectEarlyFailures(window, analytics.maxErrorsPerPage)
const loadedEntry = currentEntry(window)

type Router = typeof SiteRouter
type OpenPage = (url: URL) => void
/** `assets` maps logical names of built files to their addresses. */
type LoadedView = BodyView & { assets: Record<string, string> }
/** The page's data block, which leaves out the language links of the document. */
type PageDataBlock = Omit<LoadedView, 'languages'> & { offeredIn: readonly LocaleCode[] }

function readView(root: ParentNode): LoadedView {
  const block = document.getElementById('view')
  if (!block?.textContent) throw new Error('the page holds no data block')
  // Cast: the server wrote the block.
  const { offeredIn, ...view } = JSON.parse(block.textContent) as PageDataBlock
  return { ...view, languages: readLanguages(root, offeredIn) }
}

let onRouterReady: (open: OpenPage) => void = () => undefined
const openPage = new Promise<OpenPage>((resolve) => (onRouterReady = resolve))

/**
 * The router; null until it has been fetched. If it arrived before hydration has ended, it would
 * start in the same task, and a tap on a phone would wait for both. In a transition, React starts
 * it in separate tasks.
 */
function useLoaded(router: Promise<Router | null>): Router | null {
  const [loaded, setLoaded] = useState<Router | null>(null)
  useEffect(() => {
    void router.then((component) => startTransition(() => setLoaded(() => component)))
  }, [router])
  return loaded
}

type RootProps = {
  current: CurrentPageStore
  /**
   * The page that the server rendered. Hydration must render the same page, even when a navigation
   * has already replaced it.
   */
  initial: CurrentPage
  router: Promise<Router | null>
}

function Root({ current, initial, router }: RootProps) {
  const { scope, component, visit } = useSyncExternalStore(
    current.subscribe,
    current.get,
    () => initial,
  )
  const { view } = scope
  const translator = useMemo(
    () => createBrowserTranslator(view.locale, view.texts, view.site.brand),
    [view],
  )
  const Router = useLoaded(router)
  // An effect, because buttons and shortcuts work only when the effects of the page have run.
  useEffect(() => {
    document.documentElement.dataset['hydrated'] = ''
  }, [])
  return (
    <App scope={scope} page={component} translator={translator} visit={visit}>
      {Router && (
        <Router
          current={current}
          loadedEntry={loadedEntry}
          alert={showAlert}
          onReady={onRouterReady}
        />
      )}
    </App>
  )
}

/**
 * Loads the page of the address when the browser's buttons have changed only the address: history
 * entries that a router made before a reload belong to one document.
 */
function loadPageOfAddress(): void {
  if (addressOf(window.location) !== loadedEntry.address) window.location.reload()
}

function loadRouter(): Promise<Router | null> {
  return import(/* webpackChunkName: "router" */ './navigation/SiteRouter').then(
    ({ SiteRouter: loaded }) => loaded,
    (error: unknown) => {
      reportPreloadError({ kind: 'chunk', url: 'router', error })
      // Links and buttons load pages fully, as they do without JavaScript.
      onRouterReady((url) => window.location.assign(url))
      loadPageOfAddress()
      window.addEventListener('popstate', loadPageOfAddress)
      return null
    },
  )
}

async function start(): Promise<void> {
  const root = document.getElementById('root')
  if (!root) throw new Error('the page holds no root')
  const view = readView(root)
  const { locale, origins } = view
  const onFailure = (error: unknown): void =>
    handlePageFailure(window, locale, new URL(window.location.href), error, () =>
      window.location.reload(),
    )
  const component = await loadPage(view.route).catch(onFailure)
  if (!component) return
  const current = createCurrentPageStore(
    { view, asset: (name) => view.assets[name] ?? '', island: null, menus: readMenus(root) },
    component,
  )
  const router = loadRouter()
  // A transition hydrates in slices of 5 ms, so a tap on a slow phone need not wait for the whole
  // page.
  startTransition(() => {
    hydrateRoot(root, <Root current={current} initial={current.get()} router={router} />, {
      onRecoverableError: (error) => console.error('hydration', error),
      onUncaughtError: onFailure,
    })
  })
  startLocaleChoice({ document, locale, origins, cookieDomain: view.site.cookieDomain })
  startLinkClicks({
    window,
    bar: loadingBar,
    scope: () => ({ location: window.location, locale, origins: Object.values(origins) }),
    // A click that comes before the router waits for it.
    open: (url) => void openPage.then((open) => open(url)),
  })
  startPictureStates({ document, placeholderUrl: '/picture-missing.svg' })
  loadDeferredServices(view, loadedEntry.address, earlyFailures)
}

void start()
