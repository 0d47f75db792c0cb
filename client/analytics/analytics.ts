import type { AnalyticsEvent, EventDraft } from '../../shared/analytics-event'
import { analytics } from '../../shared/constants'
import type { Consent } from './consent'
import type { EventSender } from './event-sender'
import type { EventStorage } from './event-storage'
import { reportableUrl } from './reportable-url'

export type Analytics = {
  emit: (draft: EventDraft, sync?: boolean) => void
  /** Begins an event that may still change: each call of `change` replaces it, `emit` ends it. Until then it is stored, and handed over when the page goes. */
  begin: () => { change: (draft: EventDraft) => void; emit: () => void }
  stop: () => void
}
export type EmitEvent = Analytics['emit']
export type BeginEvent = Analytics['begin']
/** On the window for each event that is emitted, with `{id, kind, trigger}`: what a measurement of losses counts. */
export const eventEmitted = 'event-emitted'

type Deps = {
  consent: Pick<Consent, 'allowed'>
  sender: EventSender
  storage: EventStorage
  page: Pick<Window, 'addEventListener' | 'removeEventListener' | 'dispatchEvent'> & {
    document: Document
    location: Location
  }
  /** Runs in one tab at a time; resolves without running where another tab is at it (Web Locks). */
  exclusively: (run: () => Promise<void>) => Promise<void>
  now: () => number
  uuid: () => string
}

/** Emitted before it is known whether anything may be measured: more than these are not worth keeping. */
const held = analytics.storedEvents

/**
 * Turns what observers report into events. Nothing is stored or sent before it is known that it may be (consent); a refusal drops
 * what was held and what is stored.
 */
export function startAnalytics({
  consent,
  sender,
  storage,
  page,
  exclusively,
  now,
  uuid,
}: Deps): Analytics {
  const { document } = page
  let early: Array<{ event: AnalyticsEvent; sync: boolean }> = []

  const complete = (draft: EventDraft): AnalyticsEvent => ({
    duration: 0,
    addition: {},
    ...draft,
    op: analytics.operations[draft.kind],
    id: uuid(),
    ts: now(),
    url: reportableUrl(page.location.href),
    title: document.title.slice(0, 300),
    referrer: reportableUrl(document.referrer),
  })

  const announce = ({ id, kind, trigger }: AnalyticsEvent): void =>
    void page.dispatchEvent(new CustomEvent(eventEmitted, { detail: { id, kind, trigger } }))

  function emit(draft: EventDraft, sync = false): void {
    if (consent.allowed.get() === false) return
    const event = complete(draft)
    announce(event)
    queue(event, sync)
  }

  function begin(): ReturnType<BeginEvent> {
    let event: AnalyticsEvent | null = null
    return {
      change(draft) {
        const may = consent.allowed.get()
        if (may === false) return
        const known = event
        event = known ? { ...complete(draft), id: known.id, ts: known.ts } : complete(draft)
        if (!known) announce(event)
        if (may) sender.hold(event)
      },
      emit() {
        if (event) queue(event, false)
        event = null
      },
    }
  }

  function queue(event: AnalyticsEvent, sync: boolean): void {
    const may = consent.allowed.get()
    if (may) sender.add(event, sync)
    else if (may === null && early.length < held) early.push({ event, sync })
  }

  /** What earlier pages left behind, by one tab only. */
  const resend = (): Promise<void> =>
    exclusively(async () => {
      const left = storage.leftBehind(now())
      for (const event of left) sender.add(event)
      // This page's own events wait for their turn.
      if (left.length > 0) await sender.flush()
    })

  function settle(): void {
    const may = consent.allowed.get()
    if (may === null) return
    const waiting = early
    early = []
    if (!may) return storage.clear()
    for (const { event, sync } of waiting) sender.add(event, sync)
    void resend()
  }

  const hidden = (): void => {
    if (document.visibilityState === 'hidden' && consent.allowed.get()) void sender.flush(true)
  }
  const left = (): void => {
    if (consent.allowed.get()) void sender.flush(true)
  }
  const online = (): void => {
    if (consent.allowed.get()) void sender.flush()
  }
  document.addEventListener('visibilitychange', hidden)
  page.addEventListener('pagehide', left)
  page.addEventListener('online', online)
  const unsubscribe = consent.allowed.subscribe(settle)
  settle()
  return {
    emit,
    begin,
    stop() {
      unsubscribe()
      document.removeEventListener('visibilitychange', hidden)
      page.removeEventListener('pagehide', left)
      page.removeEventListener('online', online)
      sender.stop()
    },
  }
}
