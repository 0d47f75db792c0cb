import type { BodyView, VisitorSettings } from '../../shared/view'
import type { EarlyFailures } from '../analytics/early-failures'
import {
  pageShownEvent,
  type CurrentPageStore,
  type PageShownDetail,
} from '../navigation/current-page'
import { startDeferredServices } from './deferred-services'
import { chatButtonHeightPx, chatStore, consentStore } from './service-stores'
import { showToast } from './toasts'

/** Literal texts of spec 10.3; other languages show it in English. */
const signInFailed: Readonly<Record<string, string>> = { zh: '注册失败！', tc: '註冊失敗！' }

function onNavigation(listener: (shown: PageShownDetail) => void): () => void {
  // Cast: only the page presenter dispatches this event.
  const onPageShown = (event: Event): void =>
    listener((event as CustomEvent<PageShownDetail>).detail)
  window.addEventListener(pageShownEvent, onPageShown)
  return () => window.removeEventListener(pageShownEvent, onPageShown)
}

type PageServices = {
  view: BodyView
  current: CurrentPageStore
  settings: VisitorSettings
  earlyFailures: EarlyFailures
}

/** Starts analytics, chat and account services, and connects them to the page. */
export function startPageServices({ view, current, settings, earlyFailures }: PageServices): void {
  startDeferredServices({
    window,
    locale: view.locale,
    buildId: view.buildId,
    settings,
    origins: Object.values(view.origins),
    cookieDomain: view.site.cookieDomain,
    isChatExpected: view.site.chatExpected,
    route: () => current.get().scope.view.route,
    earlyFailures,
    onNavigation,
    onConsentReady: consentStore.set,
    onChatReady: chatStore.set,
    onChatButtonHeight: chatButtonHeightPx.set,
    onSignInFailure: () => showToast(signInFailed[view.locale] ?? 'Registration failed!', 'alert'),
  })
}
