import type { PageView } from '../../shared/view'
import { chatInUse, consentInUse } from './in-use'
import { corner } from './floating-layout'
import { pageShownEvent, type PageShown, type ShownPage } from '../navigation/shown-page'
import type { EarlyFailures } from '../analytics/early-failures'
import { reportPreloadError } from '../navigation/preload-error'
import { showToast } from './toasts'

/** Said literally where the language is not Chinese (spec section 8). */
const registrationFailed: Readonly<Record<string, string>> = { zh: '注册失败！', tc: '註冊失敗！' }

/** Runs when the browser has nothing better to do; soon, where it cannot tell. */
function whenIdle(run: () => void): void {
  if ('requestIdleCallback' in window) window.requestIdleCallback(run, { timeout: 2000 })
  else setTimeout(run, 200)
}

function onNavigation(listener: (duration: number, trigger: string) => void): () => void {
  const heard = (event: Event): void => {
    const { duration, trigger } = (event as CustomEvent<PageShown>).detail
    listener(duration, trigger)
  }
  window.addEventListener(pageShownEvent, heard)
  return () => window.removeEventListener(pageShownEvent, heard)
}

/** Fetches and starts the visitor's side once the page is loaded and the browser idle; the page is complete without it. */
export function startVisitorSide(view: PageView, shown: ShownPage, early: EarlyFailures): void {
  const start = (): void =>
    whenIdle(() => {
      import(/* webpackChunkName: "visitor" */ './start-visitor').then(
        ({ startVisitor }) =>
          startVisitor({
            page: window,
            locale: view.locale,
            buildId: view.buildId,
            settings: view.site.visitor,
            origins: Object.values(view.origins),
            cookieDomain: view.site.cookieDomain,
            route: () => shown.get().scope.view.route,
            early,
            onNavigation,
            consentReady: consentInUse.set,
            chatReady: chatInUse.set,
            chatFrame: corner.setChatFrame,
            registrationFailed: () =>
              showToast(registrationFailed[view.locale] ?? 'Registration failed!', 'alert'),
          }),
        (error: unknown) => reportPreloadError({ kind: 'chunk', url: 'visitor', error }),
      )
    })
  if (document.readyState === 'complete') start()
  else window.addEventListener('load', start, { once: true })
}
