import type { AnalyticsEvent, EventDraft } from '../../shared/analytics-event'
import { analytics } from '../../shared/constants'
import type { Consent } from './consent'
import type { EventSender } from './event-sender'
import type { EventStorage } from './event-storage'
import type { PageVisit } from './page-visit'
import { redactUrl } from './redact-url'

export type Analytics = {
  /** `sendNow` sends the event without waiting for further ones. */
  emit: (draft: EventDraft, sendNow?: boolean) => void
  stop: () => void
}
export type EmitEvent = Analytics['emit']
/**
 * Dispatched on `window` for each emitted event with `{id, kind, trigger}`. The benchmark that
 * counts lost events listens to it.
 */
export const eventEmittedEvent = 'event-emitted'

type Deps = {
  consent: Pick<Consent, 'allowed'>
  sender: EventSender
  storage: EventStorage
  visit: () => PageVisit
  window: Pick<Window, 'addEventListener' | 'removeEventListener' | 'dispatchEvent'> & {
    document: Document
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
  { visit, now, uuid }: Pick<Deps, 'visit' | 'now' | 'uuid'>,
): AnalyticsEvent {
  const { url, title, referrer, durationMs } = visit()
  return {
    duration: durationMs,
    addition: {},
    ...draft,
    op: analytics.operations[draft.kind],
    id: uuid(),
    ts: now(),
    url: redactUrl(url),
    title: title.slice(0, 300),
    referrer: redactUrl(referrer),
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

  function emit(draft: EventDraft, sendNow = false): void {
    const allowed = consent.allowed.get()
    if (allowed === false) return
    const event = completeEvent(draft, deps)
    const { id, kind, trigger } = event
    window.dispatchEvent(new CustomEvent(eventEmittedEvent, { detail: { id, kind, trigger } }))
    if (allowed) sender.add(event, sendNow)
    else if (awaitingConsent.length < analytics.maxStoredEvents)
      awaitingConsent.push({ event, sendNow })
  }
  function onConsentChange(): void {
    const allowed = consent.allowed.get()
    if (allowed === null) return
    const events = awaitingConsent
    awaitingConsent = []
    if (!allowed) {
      sender.discard()
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
    stop() {
      for (const stop of stops) stop()
    },
  }
}
