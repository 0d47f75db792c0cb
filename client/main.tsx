import { startTransition, useSyncExternalStore } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { analytics } from '../shared/constants'
import type { PageView } from '../shared/view'
import { App } from './App'
import { failPage } from './navigation/fail-page'
import { loadPage } from './pages'
import type { SiteRouter } from './navigation/router'
import { createShownPage, type Shown, type ShownPage } from './navigation/shown-page'
import { showToast } from './shell/toasts'
import { startVisitorSide } from './shell/visitor-side'
import { keepEarlyFailures } from './analytics/early-failures'
import { startLinkClicks } from './navigation/link-clicks'
import { loadingBar } from './navigation/loading-bar'
import { startLocaleChoice } from './navigation/locale-choice'
import { startPictureStates } from './components/pictures/picture-states'
import { reportPreloadError } from './navigation/preload-error'
import { createStore } from './platform/store'
import './styles/tokens.css'
import './styles/base.css'
import './styles/picture.css'

/** Before anything else of this file can fail; as many as are reported of a page. */
const early = keepEarlyFailures(window, analytics.errorsPerPage)

type Router = typeof SiteRouter
type Opener = (url: URL) => void

/** The page's data block: JSON that the server wrote, so its shape is the server's. */
function readView(): PageView & { assets: Record<string, string> } {
  const block = document.getElementById('view')
  if (!block?.textContent) throw new Error('the page holds no data block')
  return JSON.parse(block.textContent) as PageView & { assets: Record<string, string> }
}

/** Null until its code has come. */
const router = createStore<Router | null>(null)
let resolveOpener: (open: Opener) => void = () => undefined
const opener = new Promise<Opener>((resolve) => (resolveOpener = resolve))

const alertVisitor = (text: string): void => showToast(text, 'alert')

/** `first` is the page that the server rendered: hydration must see it, however early the rest arrives. */
function Root({ shown, first }: { shown: ShownPage; first: Shown }) {
  const { scope, page, visit } = useSyncExternalStore(shown.subscribe, shown.get, () => first)
  const Navigation = useSyncExternalStore(router.subscribe, router.get, () => null)
  return (
    <App scope={scope} page={page} visit={visit}>
      {Navigation && <Navigation shown={shown} alert={alertVisitor} ready={resolveOpener} />}
    </App>
  )
}

async function start(): Promise<void> {
  const view = readView()
  const { locale, origins } = view
  const fail = (error: unknown): void =>
    failPage(window, locale, new URL(window.location.href), error, () => window.location.reload())
  const root = document.getElementById('root')
  if (!root) throw new Error('the page holds no root')
  const page = await loadPage(view.route).catch(fail)
  if (!page) return
  const shown = createShownPage(
    { view, asset: (name) => view.assets[name] ?? '', island: null },
    page,
  )
  // As a transition React hydrates in slices of 5 ms: nobody's tap waits for a whole page on a slow phone.
  startTransition(() => {
    hydrateRoot(root, <Root shown={shown} first={shown.get()} />, {
      onRecoverableError: (error) => console.error('hydration', error),
      onUncaughtError: fail,
    })
  })
  startLocaleChoice({ document, locale, origins, cookieDomain: view.site.cookieDomain })
  startLinkClicks({
    page: window,
    bar: loadingBar,
    scope: () => ({ here: window.location, locale, origins: Object.values(origins) }),
    // Clicks wait for the router's code; where that cannot be fetched, a link is what it is without script.
    open: (url) => void opener.then((open) => open(url)),
  })
  startPictureStates({ document, placeholder: '/picture-missing.svg' })
  document.documentElement.dataset['hydrated'] = ''
  startVisitorSide(view, shown, early)
  import(/* webpackChunkName: "router" */ './navigation/router').then(
    ({ SiteRouter: loaded }) => router.set(loaded),
    (error: unknown) => {
      reportPreloadError({ kind: 'chunk', url: 'router', error })
      resolveOpener((url) => window.location.assign(url))
    },
  )
}

void start()
