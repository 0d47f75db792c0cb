import type { AnalyticsEvent, EventBatch, EventContext } from '../../shared/analytics-event'
import { analytics } from '../../shared/constants'
import { ApiFailure } from './api-client'
import type { Clock } from './clock'
import type { EventStorage } from './event-storage'

/** The two parts of a sealed batch, as form fields. */
export type Sealed = { _t: string; _a: string }
export type EventTransport = {
  /** Encrypts; rejects when the key cannot be had. */
  seal: (batch: EventBatch) => Promise<Sealed>
  /** Resolves when the server has stored the batch; rejects with an ApiFailure. */
  post: (sealed: Sealed) => Promise<void>
  /** Hands the batch to the browser, to be sent even when the page is gone. Nobody learns whether it arrived. */
  beacon: (sealed: Sealed) => boolean
  /** The server could read nothing: the key may have been changed. */
  forgetKey: () => void
}
export type EventSender = {
  /** `sync`: send now. */
  add: (event: AnalyticsEvent, sync?: boolean) => void
  /** Sends what waits; `leaving`: the page may be gone at once. */
  flush: (leaving?: boolean) => Promise<void>
  stop: () => void
}
type Deps = { clock: Clock; storage: EventStorage; transport: EventTransport; context: () => EventContext; warn: (message: string) => void }

const encoder = new TextEncoder()

/** Cuts a list into batches that the server takes: 20 events, 40 KiB. An event that is too large by itself is left out. */
export function batches(events: readonly AnalyticsEvent[], context: EventContext): AnalyticsEvent[][] {
  const room = analytics.batchBytes - encoder.encode(JSON.stringify({ list: [], comm: context })).length
  const made: AnalyticsEvent[][] = []
  let used = Infinity
  for (const event of events) {
    const size = encoder.encode(JSON.stringify(event)).length + 1
    if (size > room) continue
    const last = made.at(-1)
    if (!last || last.length === analytics.batchSize || used + size > room) {
      made.push([event])
      used = size
    } else {
      last.push(event)
      used += size
    }
  }
  return made
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

  function schedule(delay: number): void {
    cancel()
    cancel = clock.after(delay, () => void flush())
  }

  function failed(error: unknown, batch: readonly AnalyticsEvent[]): void {
    const status = error instanceof ApiFailure ? error.status : 0
    if (!warned) warn(`events could not be sent (${status || 'no answer'}); they are kept and sent later`)
    warned = true
    failures += 1
    if (status === 400) transport.forgetKey()
    // Refused for what it is, even with a fresh key: sending it again would never end.
    if ((status === 400 && failures > 2) || status === 413) storage.acknowledge(batch)
    else waiting = [...batch, ...waiting]
    const asked = error instanceof ApiFailure && error.retryAfter ? error.retryAfter * 1000 : 0
    schedule(Math.max(asked, Math.min(analytics.sendDelay * 2 ** (failures - 1), analytics.longestRetry)))
  }

  async function send(list: AnalyticsEvent[]): Promise<boolean> {
    try {
      await transport.post(await transport.seal({ list, comm: context() }))
      storage.acknowledge(list)
      failures = 0
      return true
    } catch (error) {
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

  async function leave(): Promise<void> {
    // The events stay stored: what the browser does not deliver is sent by the next page, and what it does is known by its id.
    for (const list of batches(waiting, context())) {
      const sealed = await transport.seal({ list, comm: context() }).catch(() => null)
      if (!sealed || !transport.beacon(sealed)) return
    }
  }

  function flush(leaving = false): Promise<void> {
    cancel()
    if (leaving) return leave()
    sending ??= drain().finally(() => {
      sending = null
    })
    return sending
  }

  return {
    flush,
    stop: () => cancel(),
    add(event, sync = false) {
      storage.keep(event)
      waiting.push(event)
      if (failures > 0) return
      if (sync || waiting.length >= analytics.batchSize) void flush()
      else schedule(analytics.sendDelay)
    },
  }
}
