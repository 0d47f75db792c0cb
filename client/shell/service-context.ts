import type { LocaleCode } from '../../shared/i18n/locales'
import type { VisitorSettings } from '../../shared/view'
import type { IdentityWindow } from '../account/one-tap'
import { referralCode } from '../account/referral'
import { createConsent, type Consent } from '../analytics/consent'
import type { EarlyFailures } from '../analytics/early-failures'
import type { LoadedPage } from '../analytics/page-visit'
import { locateVisitor, type VisitorLocation } from '../analytics/visitor-location'
import type { Chat } from '../chat/chat'
import type { ChatGlobals } from '../chat/known-widgets'
import type { PageShownDetail } from '../navigation/current-page'
import { createApiClient, type ApiClient } from '../platform/api-client'
import { createCookieJar, type CookieJar } from '../platform/cookie-jar'
import { createEnvelopeEncryption, type EnvelopeEncryption } from '../platform/envelope-encryption'
import { loadScript } from '../platform/load-script'
import { pageApi, reportRequestFailure } from '../platform/page-api'
import { randomUuid } from '../platform/random-uuid'
import { createSafeStorage, type SafeStorage } from '../platform/safe-storage'

export type ServiceOptions = {
  window: Window & typeof globalThis & IdentityWindow & ChatGlobals
  locale: LocaleCode
  buildId: string
  settings: VisitorSettings
  /** Origins of the language hosts. */
  origins: readonly string[]
  cookieDomain: string
  /** Whether the page was made for a chat. */
  isChatExpected: boolean
  /** The page that was loaded; its address has the campaign and the referral code. */
  loaded: LoadedPage
  /** Failures from before the services were loaded. */
  earlyFailures: EarlyFailures
  onNavigation: (listener: (shown: PageShownDetail) => void) => () => void
  onConsentReady: (consent: Consent) => void
  onChatReady: (chat: Chat) => void
  /** Height of the chat widget's own button (px). */
  onChatButtonHeight: (heightPx: number) => void
  /** Shows the failure to the visitor. */
  onSignInFailure: () => void
}
/** What the deferred services share. */
export type ServiceContext = ServiceOptions & {
  storage: SafeStorage
  sessionStorage: SafeStorage
  cookies: CookieJar
  consent: Consent
  privacyControl: boolean
  /** Calls without credentials for other origins; failures are reported to analytics. */
  api: ApiClient
  /** For calls whose failures must not be reported, because they send the reports. */
  silentApi: ApiClient
  encryption: EnvelopeEncryption
  visitorLocation: VisitorLocation
  referralCode: () => string | null
  loadScript: (address: string) => Promise<unknown>
  uuid: () => string
  /** Logs each message once. */
  warn: (message: string) => void
}

function createWarnOnce(): (message: string) => void {
  const warned = new Set<string>()
  return (message) => {
    if (warned.has(message)) return
    warned.add(message)
    console.warn(message)
  }
}

export function createServiceContext(options: ServiceOptions): ServiceContext {
  const { window, settings } = options
  const { document, location, navigator } = window
  const storage = createSafeStorage(() => window.localStorage)
  const cookies = createCookieJar(document, options.cookieDomain)
  const privacyControl = navigator.globalPrivacyControl === true
  const consent = createConsent({ cookies, privacyControl, countries: settings.consentCountries })
  options.onConsentReady(consent)
  const silentApi = createApiClient({
    fetch: window.fetch.bind(window),
    base: location.href,
    credentials: 'same-origin',
    report: () => undefined,
  })
  return {
    ...options,
    storage,
    sessionStorage: createSafeStorage(() => window.sessionStorage),
    cookies,
    consent,
    privacyControl,
    api: pageApi,
    silentApi,
    encryption: createEnvelopeEncryption(silentApi, settings.publicKey),
    visitorLocation: locateVisitor(pageApi, consent, storage, Date.now),
    referralCode: () => referralCode({ search: location.search, cookies, storage }),
    loadScript: (address) => loadScript(document, address),
    uuid: () => randomUuid(window.crypto),
    warn: createWarnOnce(),
  }
}

/** Calls to the auth origin, with its cookies. */
export const createAuthApi = ({ window }: ServiceContext): ApiClient =>
  createApiClient({
    fetch: window.fetch.bind(window),
    base: window.location.href,
    credentials: 'include',
    report: reportRequestFailure,
  })
