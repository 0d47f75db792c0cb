import type { PageView } from '../../shared/view'
import type { EarlyFailures } from '../analytics/early-failures'
import {
  pageShownEvent,
  type CurrentPageStore,
  type PageShownDetail,
} from '../navigation/current-page'
import { reportPreloadError } from '../navigation/preload-error'
import { floatingLayout } from './floating-layout'
import { chatStore, consentStore } from './service-stores'
import { showToast } from './toasts'

/** Literal texts of spec 10.3; other languages show it in English. */
const signInFailed: Readonly<Record<string, string>> = { zh: '注册失败！', tc: '註冊失敗！' }

function whenIdle(run: () => void): void {
  // Safari has no `requestIdleCallback`.
  if ('requestIdleCallback' in window) window.requestIdleCallback(run, { timeout: 2000 })
  else setTimeout(run, 200)
}

function onNavigation(listener: (durationMs: number, trigger: string) => void): () => void {
  const onPageShown = (event: Event): void => {
    // Cast: only the page presenter dispatches this event.
    const { duration, trigger } = (event as CustomEvent<PageShownDetail>).detail
    listener(duration, trigger)
  }
  window.addEventListener(pageShownEvent, onPageShown)
  return () => window.removeEventListener(pageShownEvent, onPageShown)
}

/**
 * Fetches and starts analytics, chat and account services once the page is loaded and the browser
 * is idle. The page works without them.
 */
export function loadDeferredServices(
  view: PageView,
  current: CurrentPageStore,
  earlyFailures: EarlyFailures,
): void {
  const start = ({ startDeferredServices }: typeof import('./deferred-services')): void =>
    void startDeferredServices({
      window,
      locale: view.locale,
      buildId: view.buildId,
      settings: view.site.visitor,
      origins: Object.values(view.origins),
      cookieDomain: view.site.cookieDomain,
      route: () => current.get().scope.view.route,
      earlyFailures,
      onNavigation,
      onConsentReady: consentStore.set,
      onChatReady: chatStore.set,
      onChatButtonHeight: floatingLayout.setChatFrameHeight,
      onSignInFailure: () =>
        showToast(signInFailed[view.locale] ?? 'Registration failed!', 'alert'),
    })
  const loadWhenIdle = (): void =>
    whenIdle(() => {
      import(/* webpackChunkName: "visitor" */ './deferred-services').then(
        start,
        (error: unknown) => reportPreloadError({ kind: 'chunk', url: 'visitor', error }),
      )
    })
  if (document.readyState === 'complete') loadWhenIdle()
  else window.addEventListener('load', loadWhenIdle, { once: true })
}
