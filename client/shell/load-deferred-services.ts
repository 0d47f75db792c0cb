import { reservedPaths } from '../../shared/reserved-paths'
import type { BodyView, VisitorSettings } from '../../shared/view'
import type { EarlyFailures } from '../analytics/early-failures'
import { collectEarlyNavigations } from '../analytics/early-navigations'
import { reportPreloadError } from '../navigation/preload-error'
import { pageFetch } from '../platform/retrying-fetch'
import { chatStore, messagePanelOnly } from './service-stores'

function whenIdle(run: () => void): void {
  // Safari has no `requestIdleCallback`.
  if ('requestIdleCallback' in window) window.requestIdleCallback(run, { timeout: 2000 })
  else setTimeout(run, 200)
}

/**
 * Null when they cannot be fetched: then nothing starts that could report it. So the client of the
 * API, which reports failures, is not needed here and is loaded with the services.
 */
async function fetchSettings(lang: string): Promise<VisitorSettings | null> {
  try {
    const response = await pageFetch(`/api/site/visitor-settings?lang=${lang}`)
    // Cast: the answer of our own server; `data` is null when the call failed.
    return ((await response.json()) as { data: VisitorSettings | null }).data
  } catch {
    return null
  }
}

/**
 * Fetches and starts analytics, chat and account services once the page is loaded and the browser
 * is idle; of a prerendered page, once the visitor opens it. The page works without them. Not on a
 * preview: its address is a secret, which these services and the operator's scripts would report.
 * `address` is path and query of the page that was loaded.
 */
export function loadDeferredServices(
  view: BodyView,
  address: string,
  earlyFailures: EarlyFailures,
): void {
  if (window.location.pathname.startsWith(`${reservedPaths.previews.path}/`)) return
  const { title } = document
  const earlyNavigations = collectEarlyNavigations(window)
  const showFailure = (): void => {
    earlyNavigations.take()
    chatStore.set(messagePanelOnly)
  }
  const loadWhenIdle = (): void =>
    whenIdle(() => {
      const fetched = fetchSettings(view.locale)
      import(/* webpackChunkName: "visitor" */ './start-page-services').then(
        ({ startPageServices }) =>
          fetched.then((settings) =>
            settings
              ? startPageServices({
                  view,
                  address,
                  title,
                  settings,
                  earlyFailures,
                  earlyNavigations,
                })
              : showFailure(),
          ),
        (error: unknown) => {
          showFailure()
          reportPreloadError({ kind: 'chunk', url: 'visitor', error })
        },
      )
    })
  const loadAfterPage = (): void => {
    if (document.readyState === 'complete') loadWhenIdle()
    else window.addEventListener('load', loadWhenIdle, { once: true })
  }
  // A prerendered page is visited when the visitor opens it, which may be never.
  if (document.prerendering)
    document.addEventListener('prerenderingchange', loadAfterPage, { once: true })
  else loadAfterPage()
}
