import type { AnalyticsEvent, EventDraft } from '../../shared/analytics-event'
import { analytics } from '../../shared/constants'
import type { Consent } from './consent'
import type { EventSender } from './event-sender'
import type { EventStorage } from './event-storage'
import { redactUrl } from './redact-url'

export type Analytics = {
  /** `sendNow` sends the event without waiting for further ones. */
  emit: (draft: EventDraft, sendNow?: boolean) => void
  /**
   * Begins an event that may still change: each `update` replaces it, `finish` emits it. Until then
   * it is stored, and handed to the browser when the page is closed.
   */
  beginEvent: () => { update: (draft: EventDraft) => void; finish: () => void }
  stop: () => void
}
export type EmitEvent = Analytics['emit']
export type BeginEvent = Analytics['beginEvent']
/**
 * Dispatched on `window` for each emitted event with `{id, kind, trigger}`. The benchmark that
 * counts lost events listens to it.
 */
export const eventEmittedEvent = 'event-emitted'

type Deps = {
  consent: Pick<Consent, 'allowed'>
  sender: EventSender
  storage: EventStorage
  window: Pick<Window, 'addEventListener' | 'removeEventListener' | 'dispatchEvent'> & {
    document: Document
    location: Location
  }
  /**
   * Runs in one tab at a time (Web Locks); resolves without running when another tab holds the
   * lock.
   */
  withLock: (run: () => Promise<void>) => Promise<void>
  /** ms since 1970. */
  now: () => number
  uuid: () => string
}

/** Adds the fields that all events have to what an observer reports. */
function completeEvent(
  draft: EventDraft,
  { window, now, uuid }: Pick<Deps, 'window' | 'now' | 'uuid'>,
): AnalyticsEvent {
  return {
    duration: 0,
    addition: {},
    ...draft,
    op: analytics.operations[draft.kind],
    id: uuid(),
    ts: now(),
    url: redactUrl(window.location.href),
    title: window.document.title.slice(0, 300),
    referrer: redactUrl(window.document.referrer),
  }
}

/** Sends the queue when the page is hidden or closed, and when the network returns. */
function flushOnPageEvents({ consent, sender, window }: Deps): () => void {
  const { document } = window
  const onHide = (): void => {
    if (consent.allowed.get()) void sender.flushWithBeacon()
  }
  const onVisibilityChange = (): void => {
    if (document.visibilityState === 'hidden') onHide()
  }
  const onOnline = (): void => {
    if (consent.allowed.get()) void sender.flush()
  }
  document.addEventListener('visibilitychange', onVisibilityChange)
  window.addEventListener('pagehide', onHide)
  window.addEventListener('online', onOnline)
  return () => {
    document.removeEventListener('visibilitychange', onVisibilityChange)
    window.removeEventListener('pagehide', onHide)
    window.removeEventListener('online', onOnline)
  }
}

/** Sends the events that earlier pages left in the storage, from one tab only. */
const resendOrphaned = ({ sender, storage, withLock, now }: Deps): Promise<void> =>
  withLock(async () => {
    const orphaned = storage.takeOrphaned(now())
    for (const event of orphaned) sender.add(event)
    // Without orphans the events of this page wait for their own timer.
    if (orphaned.length > 0) await sender.flush()
  })

/**
 * Turns what observers report into events. Nothing is stored or sent before consent is known. A
 * refusal drops the events in memory and in the storage.
 */
export function startAnalytics(deps: Deps): Analytics {
  const { consent, sender, storage, window } = deps
  /** Events emitted before consent was known. */
  let awaitingConsent: Array<{ event: AnalyticsEvent; sendNow: boolean }> = []

  const announce = ({ id, kind, trigger }: AnalyticsEvent): void =>
    void window.dispatchEvent(new CustomEvent(eventEmittedEvent, { detail: { id, kind, trigger } }))

  function queue(event: AnalyticsEvent, sendNow: boolean): void {
    const allowed = consent.allowed.get()
    if (allowed) sender.add(event, sendNow)
    else if (allowed === null && awaitingConsent.length < analytics.maxStoredEvents)
      awaitingConsent.push({ event, sendNow })
  }
  function emit(draft: EventDraft, sendNow = false): void {
    if (consent.allowed.get() === false) return
    const event = completeEvent(draft, deps)
    announce(event)
    queue(event, sendNow)
  }
  function beginEvent(): ReturnType<BeginEvent> {
    let event: AnalyticsEvent | null = null
    return {
      update(draft) {
        const allowed = consent.allowed.get()
        if (allowed === false) return
        const completed = completeEvent(draft, deps)
        if (!event) announce(completed)
        event = event ? { ...completed, id: event.id, ts: event.ts } : completed
        if (allowed) sender.addProvisional(event)
      },
      finish() {
        if (event) queue(event, false)
        event = null
      },
    }
  }
  function onConsentChange(): void {
    const allowed = consent.allowed.get()
    if (allowed === null) return
    const events = awaitingConsent
    awaitingConsent = []
    if (!allowed) {
      storage.clear()
      return
    }
    for (const { event, sendNow } of events) sender.add(event, sendNow)
    void resendOrphaned(deps)
  }
  const stops = [flushOnPageEvents(deps), consent.allowed.subscribe(onConsentChange), sender.stop]
  onConsentChange()
  return {
    emit,
    beginEvent,
    stop() {
      for (const stop of stops) stop()
    },
  }
}
