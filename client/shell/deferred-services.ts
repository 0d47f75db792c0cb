import { locales } from '../../shared/i18n/locales'
import { startAccountLinks } from '../account/account-links'
import { openApplication } from '../account/open-application'
import { startOneTap } from '../account/one-tap'
import { registerReferral } from '../account/referral'
import { startAnalytics, type Analytics, type EmitEvent } from '../analytics/analytics'
import { followConsent } from '../analytics/consent'
import { createEventContext } from '../analytics/event-context'
import { createEventSender } from '../analytics/event-sender'
import { createEventStorage } from '../analytics/event-storage'
import { createEventTransport } from '../analytics/event-transport'
import { readCoarseAttributes, startFingerprintLog } from '../analytics/fingerprint'
import { observeWhileAllowed } from '../analytics/observe-while-allowed'
import { watchPageVisit, type PageVisit } from '../analytics/page-visit'
import { redactUrl } from '../analytics/redact-url'
import { startStatisticsSnippets } from '../analytics/statistics-snippets'
import { recordTrafficSource } from '../analytics/traffic-source'
import { syntheticClick } from '../analytics/synthetic-click'
import { watchClicks } from '../analytics/watch-clicks'
import { watchErrors } from '../analytics/watch-errors'
import { watchExposure } from '../analytics/watch-exposure'
import { watchViews } from '../analytics/watch-views'
import { watchVitals } from '../analytics/watch-vitals'
import { startChat } from '../chat/chat'
import { watchWidgetHeight } from '../chat/widget-height'
import { browserClock } from '../platform/clock'
import {
  createAuthApi,
  createServiceContext,
  type ServiceContext,
  type ServiceOptions,
} from './service-context'

/** Identifies this tab across its pages. */
function tabId({ sessionStorage, uuid }: ServiceContext): string {
  const existing = sessionStorage.get('tab')
  if (existing) return existing
  const created = uuid()
  sessionStorage.set('tab', created)
  return created
}

/** Runs in one tab at a time where the browser has Web Locks; skipped when another tab runs it. */
async function withEventLock(navigator: Navigator, run: () => Promise<void>): Promise<void> {
  if (!('locks' in navigator)) return run()
  await navigator.locks.request('events', { ifAvailable: true }, (lock) =>
    lock ? run() : undefined,
  )
}

function startEvents(context: ServiceContext, visit: () => PageVisit): Analytics {
  const { window, consent, uuid } = context
  const { navigator } = window
  const storage = createEventStorage(context.storage, tabId(context))
  const sender = createEventSender({
    clock: browserClock,
    storage,
    warn: context.warn,
    context: () =>
      createEventContext({
        ...context,
        route: () => visit().route,
        location: context.visitorLocation.current,
      }),
    transport: createEventTransport({
      api: context.silentApi,
      encryption: context.encryption,
      sendBeacon: (address, body) => navigator.sendBeacon(address, body),
    }),
  })
  return startAnalytics({
    consent,
    sender,
    storage,
    window,
    uuid,
    visit,
    now: Date.now,
    withLock: (run) => withEventLock(navigator, run),
  })
}

function startErrorReports(context: ServiceContext, emit: EmitEvent): () => void {
  const errors = watchErrors({ ...context, emit })
  const stopSnippets = startStatisticsSnippets({
    consent: context.consent,
    statistics: context.settings.statistics,
    loadScript: context.loadScript,
    loadPicture(address) {
      new context.window.Image().src = address
    },
    onFailure: errors.reportSnippet,
  })
  return () => {
    stopSnippets()
    errors.stop()
  }
}

function startSiteChat(context: ServiceContext): () => void {
  const { locale, settings, window } = context
  const chat = startChat({
    ...context,
    clock: browserClock,
    language: locales[locale].language,
    isChinese: locale === 'zh' || locale === 'tc',
    ip: context.visitorLocation.ip,
    skipIp: settings.chat.skipIp,
    defaultScript: settings.chat.defaultScript,
    isExpected: context.isChatExpected,
    watchWidgetHeight: () => watchWidgetHeight(window.document),
    onButtonHeight: context.onChatButtonHeight,
  })
  context.onChatReady(chat)
  return chat.stop
}

const promptFrames = '#credential_picker_container, #credential_picker_iframe, iframe[src*="/gsi/"]'

function startSiteOneTap(context: ServiceContext, emit: EmitEvent): () => void {
  const { window, locale, settings, cookies, loaded } = context
  const { document, location } = window
  if (!settings.oneTap || settings.publicKey === null) return () => undefined
  return startOneTap({
    ...context,
    clock: browserClock,
    applicationUrl: new URL(settings.oneTap.appUrl, location.href).href,
    api: createAuthApi(context),
    now: Date.now,
    config: settings.oneTap,
    encryptCredential: context.encryption.encryptCredential,
    onFailure: context.onSignInFailure,
    signInDetails: () => ({
      inviteCode: context.referralCode() ?? '',
      language: locales[locale].language,
      source: new URL(loaded.url).searchParams.get('utm_source') ?? '',
      referer: redactUrl(cookies.get('referrer') ?? ''),
    }),
    isPromptVisible: () => document.querySelector(promptFrames) !== null,
    openApplication(url, target) {
      // A sign-in counts as a click, although the prompt belongs to the browser.
      const target_url = redactUrl(url)
      emit(
        syntheticClick({
          key: 'one-tap-sign-in',
          trigger: 'one-tap',
          el_type: 'prompt',
          target_url,
        }),
        true,
      )
      openApplication(window, url, target)
    },
  })
}

function startObservers(
  { window, consent, onNavigation }: ServiceContext,
  visit: () => PageVisit,
  emit: EmitEvent,
) {
  const { document } = window
  return observeWhileAllowed({
    consent,
    emit,
    observe() {
      const stops = [
        watchViews({ window, emit, route: () => visit().route, onNavigation }),
        watchClicks({ document, emit }),
        watchExposure({ window, emit, onNavigation }),
      ]
      return () => stops.forEach((stop) => stop())
    },
  })
}

/**
 * Starts analytics, chat and account services. One that fails to start does not stop the others.
 */
export function startDeferredServices(options: ServiceOptions): () => void {
  const context = createServiceContext(options)
  const { window, loaded, warn } = context
  const { document, location } = window
  const landing = new URL(loaded.url)
  // Listens first: what the others report of a navigation must name the page that it has shown.
  const visit = watchPageVisit(context)
  const stops = [visit.stop]
  function start(service: () => () => void): void {
    try {
      stops.push(service())
    } catch (error) {
      warn(`a service did not start: ${String(error)}`)
    }
  }
  start(() => followConsent(window, context.consent))
  let emit: EmitEvent = () => undefined
  // Without a key to encrypt for, no event is made: it could never be sent.
  if (context.settings.publicKey !== null)
    start(() => {
      const analytics = startEvents(context, visit.current)
      emit = analytics.emit
      return analytics.stop
    })
  start(() => startErrorReports(context, emit))
  start(() => startSiteChat(context))
  start(() => startObservers(context, visit.current, emit))
  start(() =>
    watchVitals({
      ...context,
      route: loaded.route,
      sendBeacon: (address, body) => window.navigator.sendBeacon(address, body),
    }),
  )
  start(() => startAccountLinks({ ...context, document, location }))
  void registerReferral({ ...context, search: landing.search })
  void recordTrafficSource({ ...context, location: landing, referrer: document.referrer })
  start(() =>
    startFingerprintLog({
      ...context,
      attributes: () => readCoarseAttributes(window),
      subtle: window.crypto.subtle,
    }),
  )
  start(() => startSiteOneTap(context, emit))
  return () => stops.forEach((stop) => stop())
}
