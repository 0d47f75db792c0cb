import type { VisitorSettings } from '../../shared/view'
import { locales, type LocaleCode } from '../../shared/i18n/locales'
import { startAccountLinks } from '../account/account-links'
import { startAnalytics, type BeginEvent, type EmitEvent } from '../analytics/analytics'
import { createApiClient, type FailureReport } from '../platform/api-client'
import { startChat, type Chat } from '../chat/chat'
import type { ProviderPage } from '../chat/chat-providers'
import { browserClock } from '../platform/clock'
import { createConsent, type Consent } from '../analytics/consent'
import { cookieJar } from '../platform/cookie-jar'
import type { EarlyFailures } from '../analytics/early-failures'
import { eventContext } from '../analytics/event-context'
import { createEventSender } from '../analytics/event-sender'
import { createEventStorage } from '../analytics/event-storage'
import { coarseAttributes, startFingerprintLog } from '../analytics/fingerprint'
import { loadScript } from '../platform/load-script'
import { startOneTap, type IdentityWindow } from '../account/one-tap'
import { referralCode, registerReferral } from '../account/referral'
import { reportableUrl } from '../analytics/reportable-url'
import { safeStorage } from '../platform/safe-storage'
import { createSealing } from '../analytics/seal-events'
import { startStatisticsSnippets } from '../analytics/statistics-snippets'
import { randomUuid } from '../platform/random-uuid'
import { recordSource } from '../analytics/traffic-source'
import { locateVisitor } from '../analytics/visitor-place'
import { watchClicks } from '../analytics/watch-clicks'
import { watchErrors } from '../analytics/watch-errors'
import { watchExposure } from '../analytics/watch-exposure'
import { watchViews } from '../analytics/watch-views'
import { watchVitals } from '../analytics/watch-vitals'

type Options = {
  page: Window & typeof globalThis & IdentityWindow & Omit<ProviderPage, 'document'>
  locale: LocaleCode
  buildId: string
  settings: VisitorSettings
  origins: readonly string[]
  cookieDomain: string
  /** Hands out what the interface shows: the question for consent, the chat. */
  consentReady: (consent: Consent) => void
  chatReady: (chat: Chat) => void
  /** Height of a chat widget's frame (px). */
  chatFrame: (height: number) => void
  /** Id of the route on the screen. */
  route: () => string
  /** Shows the toast of a failed registration. */
  registrationFailed: () => void
  /** Failures from before. */
  early: EarlyFailures
  onNavigation: (listener: (duration: number, trigger: string) => void) => () => void
}

const once = <T>(
  storage: { get: (key: string) => string | null; set: (key: string, value: string) => boolean },
  key: string,
  make: () => T & string,
): string => {
  const known = storage.get(key)
  if (known) return known
  const made = make()
  storage.set(key, made)
  return made
}

/** Joins the modules of the visitor's side; each knows only what it is handed. A module that fails takes no other with it. */
export function startVisitor({
  page,
  locale,
  buildId,
  settings,
  origins,
  cookieDomain,
  consentReady,
  chatReady,
  chatFrame,
  route,
  registrationFailed,
  early,
  onNavigation,
}: Options): () => void {
  const { document, location, navigator } = page
  const storage = safeStorage(() => page.localStorage)
  const session = safeStorage(() => page.sessionStorage)
  const jar = cookieJar(document, cookieDomain)
  const consent = createConsent({
    jar,
    privacyControl: navigator.globalPrivacyControl === true,
    countries: settings.consentCountries,
  })
  consentReady(consent)
  const uuid = (): string => randomUuid(page.crypto)
  const warned = new Set<string>()
  const warn = (message: string): void => {
    if (warned.has(message)) return
    warned.add(message)
    console.warn(message)
  }
  let emit: EmitEvent = () => undefined
  let begin: BeginEvent = () => ({ change: () => undefined, emit: () => undefined })
  let failure: (report: FailureReport) => void = () => undefined
  const fetch = page.fetch.bind(page)
  const api = createApiClient({
    fetch,
    base: location.href,
    credentials: 'same-origin',
    report: (report) => failure(report),
  })
  // Failures of what reports failures would never end.
  const quietApi = createApiClient({
    fetch,
    base: location.href,
    credentials: 'same-origin',
    report: () => undefined,
  })
  const authApi = createApiClient({
    fetch,
    base: location.href,
    credentials: 'include',
    report: (report) => failure(report),
  })
  const place = locateVisitor(api, consent, storage, Date.now)
  const sealing = createSealing(quietApi)
  const code = (): string | null => referralCode({ search: location.search, jar, storage })
  const insert = (address: string): Promise<unknown> => loadScript(document, address)

  const events = createEventStorage(storage, once(session, 'tab', uuid))
  const sender = createEventSender({
    clock: browserClock,
    storage: events,
    warn,
    context: () => eventContext({ page, jar, uuid, route, locale, place: place.known }),
    transport: {
      seal: sealing.batch,
      post: async (sealed) =>
        void (await quietApi.postForm('/api/sys/config/event', sealed, { keepalive: true })),
      beacon: (sealed) =>
        navigator.sendBeacon('/api/sys/config/event', new URLSearchParams(sealed)),
      forgetKey: sealing.forgetKey,
    },
  })

  const starts: Array<() => () => void> = [
    () => {
      const analytics = startAnalytics({
        consent,
        sender,
        storage: events,
        page,
        now: Date.now,
        uuid,
        exclusively: (run) =>
          'locks' in navigator
            ? navigator.locks
                .request('events', { ifAvailable: true }, (lock) => (lock ? run() : undefined))
                .then(() => undefined)
            : run(),
      })
      emit = analytics.emit
      begin = analytics.begin
      return analytics.stop
    },
    () => {
      const errors = watchErrors({ page, emit, buildId, early, onNavigation })
      failure = errors.failure
      const snippets = startStatisticsSnippets({
        consent,
        scripts: settings.statistics,
        loadScript: insert,
        failed: errors.snippet,
      })
      return () => (snippets(), errors.stop())
    },
    () => {
      const chat = startChat({
        clock: browserClock,
        api,
        page,
        loadScript: insert,
        language: locales[locale].language,
        chinese: locale === 'zh' || locale === 'tc',
        ip: place.ip,
        skipIp: settings.chat.skipIp,
        defaultScript: settings.chat.defaultScript,
        frameHeight: chatFrame,
        warn,
      })
      chatReady(chat)
      return chat.stop
    },
    () => watchViews({ page, emit, route, onNavigation }),
    () => watchClicks({ document, emit }),
    () =>
      watchExposure({
        root: document.body,
        emit,
        Observer: page.IntersectionObserver,
        Mutations: page.MutationObserver,
        onNavigation,
      }),
    () => watchVitals({ page: document, begin, route: route() }),
    () => startAccountLinks({ document, location, code, origins }),
    () => (void registerReferral({ search: location.search, jar, storage, api }), () => undefined),
    () => (
      void recordSource({
        location,
        referrer: document.referrer,
        origins,
        jar,
        session,
        api,
        consent,
      }),
      () => undefined
    ),
    () =>
      startFingerprintLog({
        consent,
        privacyControl: navigator.globalPrivacyControl === true,
        attributes: () => coarseAttributes(page),
        storage,
        api,
      }),
    () =>
      settings.oneTap
        ? startOneTap({
            clock: browserClock,
            storage,
            api: authApi,
            page,
            now: Date.now,
            config: settings.oneTap,
            loadScript: insert,
            sealCredential: sealing.credential,
            warn,
            failed: registrationFailed,
            details: () => ({
              inviteCode: code() ?? '',
              language: locales[locale].language,
              source: new URLSearchParams(location.search).get('utm_source') ?? '',
              referer: reportableUrl(jar.get('referrer') ?? ''),
            }),
            frameShown: () =>
              document.querySelector(
                '#credential_picker_container, #credential_picker_iframe, iframe[src*="/gsi/"]',
              ) !== null,
            leave: (url, target) => {
              // A browser opens a tab only right after a click; where it does not, this tab goes.
              if (target !== 'new' || !page.open(url, '_blank', 'noopener')) location.replace(url)
            },
          })
        : () => undefined,
  ]
  const stops = starts.flatMap((start) => {
    try {
      return [start()]
    } catch (error) {
      warn(`a part of the visitor's side did not start: ${String(error)}`)
      return []
    }
  })
  return () => stops.forEach((stop) => stop())
}
