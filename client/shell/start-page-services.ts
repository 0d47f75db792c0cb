import type { BodyView, VisitorSettings } from '../../shared/view'
import type { EarlyFailures } from '../analytics/early-failures'
import type { EarlyNavigations } from '../analytics/early-navigations'
import { followNavigations } from '../analytics/follow-navigations'
import { startDeferredServices } from './deferred-services'
import { chatButtonHeightPx, chatStore, consentStore } from './service-stores'
import { showToast } from './toasts'

/** Literal texts of spec 10.3; other languages show it in English. */
const signInFailed: Readonly<Record<string, string>> = { zh: '注册失败！', tc: '註冊失敗！' }

type PageServices = {
  /** View, address (path and query) and title of the page that was loaded. */
  view: BodyView
  address: string
  title: string
  settings: VisitorSettings
  earlyFailures: EarlyFailures
  earlyNavigations: EarlyNavigations
}

/** Starts analytics, chat and account services, and connects them to the page. */
export function startPageServices({
  view,
  address,
  title,
  settings,
  earlyFailures,
  earlyNavigations,
}: PageServices): void {
  const { onNavigation, replayEarly } = followNavigations(window, earlyNavigations)
  startDeferredServices({
    window,
    locale: view.locale,
    buildId: view.buildId,
    settings,
    origins: Object.values(view.origins),
    cookieDomain: view.site.cookieDomain,
    isChatExpected: view.site.chatExpected,
    loaded: { url: window.location.origin + address, title, route: view.route },
    earlyFailures,
    onNavigation,
    onConsentReady: consentStore.set,
    onChatReady: chatStore.set,
    onChatButtonHeight: chatButtonHeightPx.set,
    onSignInFailure: () => showToast(signInFailed[view.locale] ?? 'Registration failed!', 'alert'),
  })
  replayEarly()
}
