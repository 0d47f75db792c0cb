import type { AnalyticsEvent, EventContext } from '../../shared/analytics-event'
import { analytics } from '../../shared/constants'
import { ApiFailure } from '../platform/api-client'
import type { Clock } from '../platform/clock'
import { batches } from './event-batches'
import type { EventStorage } from './event-storage'
import type { EventTransport } from './event-transport'
import { createLeavingBeacon } from './leaving-beacon'

export type EventSender = {
  /** `sync`: send now. */
  add: (event: AnalyticsEvent, sync?: boolean) => void
  /** An event that may still change: stored, and handed over when the page goes, but sent only once it is added. One with the same id takes its place. */
  hold: (event: AnalyticsEvent) => void
  /** Sends what waits; `leaving`: the page may be gone at once. */
  flush: (leaving?: boolean) => Promise<void>
  stop: () => void
}
type Deps = {
  clock: Clock
  storage: EventStorage
  transport: EventTransport
  context: () => EventContext
  warn: (message: string) => void
}

/**
 * The queue of spec section 4: sent at 20 events, after 10 s without a new one, or at once. An event stays stored until the server has
 * acknowledged it, so a failure loses nothing; failures are tried again later and later, up to every 5 minutes.
 */
export function createEventSender({ clock, storage, transport, context, warn }: Deps): EventSender {
  let waiting: AnalyticsEvent[] = []
  let failures = 0
  let warned = false
  let sending: Promise<void> | null = null
  let cancel = (): void => undefined
  const held = new Map<string, AnalyticsEvent>()
  /** Of the batch that is being sealed for sending: until it is on its way, it too would stay behind. */
  let unsent: readonly AnalyticsEvent[] = []
  const beacon = createLeavingBeacon({
    transport,
    context,
    waiting: () => [...unsent, ...waiting, ...held.values()],
  })

  function schedule(delay: number): void {
    cancel()
    cancel = clock.after(delay, () => void flush())
  }

  function failed(error: unknown, batch: readonly AnalyticsEvent[]): void {
    const status = error instanceof ApiFailure ? error.status : 0
    if (!warned)
      warn(`events could not be sent (${status || 'no answer'}); they are kept and sent later`)
    warned = true
    failures += 1
    if (status === 400) transport.forgetKey()
    // Refused for what it is, even with a fresh key: sending it again would never end.
    if ((status === 400 && failures > 2) || status === 413) storage.acknowledge(batch)
    else waiting = [...batch, ...waiting]
    const asked = error instanceof ApiFailure && error.retryAfter ? error.retryAfter * 1000 : 0
    schedule(
      Math.max(asked, Math.min(analytics.sendDelay * 2 ** (failures - 1), analytics.longestRetry)),
    )
  }

  async function send(list: AnalyticsEvent[]): Promise<boolean> {
    try {
      unsent = list
      const sealed = await transport.seal({ list, comm: context() })
      unsent = []
      await transport.post(sealed)
      storage.acknowledge(list)
      failures = 0
      return true
    } catch (error) {
      unsent = []
      failed(error, list)
      return false
    }
  }

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      const [batch] = batches(waiting, context())
      const sent = new Set(batch)
      const tooLarge = batch ? [] : waiting
      storage.acknowledge(tooLarge)
      waiting = batch ? waiting.filter((event) => !sent.has(event)) : []
      if (batch && !(await send(batch))) return
    }
  }

  function flush(leaving = false): Promise<void> {
    cancel()
    if (leaving) {
      // A page that is only out of sight lives on: it sends again, and hears that the server has it.
      if (waiting.length > 0) schedule(analytics.sendDelay)
      return beacon.handOver()
    }
    sending ??= drain().finally(() => {
      sending = null
    })
    return sending
  }

  return {
    flush,
    stop: () => cancel(),
    hold(event) {
      storage.keep(event)
      held.set(event.id, event)
      beacon.prepare()
    },
    add(event, sync = false) {
      storage.keep(event)
      held.delete(event.id)
      waiting.push(event)
      beacon.prepare()
      if (failures > 0) return
      if (sync || waiting.length >= analytics.batchSize) void flush()
      else schedule(analytics.sendDelay)
    },
  }
}
