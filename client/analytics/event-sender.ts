import type { AnalyticsEvent, EventContext } from '../../shared/analytics-event'
import { analytics } from '../../shared/constants'
import type { Clock } from '../platform/clock'
import { createBatchDelivery } from './batch-delivery'
import { createEventQueue } from './event-queue'
import type { EventStorage } from './event-storage'
import type { EventTransport } from './event-transport'
import { createPageHideBeacon } from './page-hide-beacon'

export type EventSender = {
  /** `sendNow` sends the queue without waiting for further events. */
  add: (event: AnalyticsEvent, sendNow?: boolean) => void
  /** Sends the queue. */
  flush: () => Promise<void>
  /** Hands the queue to the browser, because the page may be closed now. */
  flushWithBeacon: () => Promise<void>
  /** Drops the queue: the visitor has refused. */
  discard: () => void
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
 * Sends events (spec 7.7): at 20 events, 10 s after the last one, or at once. An event stays stored
 * until the server has acknowledged it, so a failure loses nothing.
 */
export function createEventSender({ clock, storage, transport, context, warn }: Deps): EventSender {
  const queue = createEventQueue(storage)
  const delivery = createBatchDelivery({ transport, context, warn })
  const beacon = createPageHideBeacon({
    transport,
    context,
    pending: () => [...delivery.encrypting(), ...queue.events()],
  })
  let sending: Promise<void> | null = null
  let cancelTimer = (): void => undefined
  /** The timer is that of a retry; later events wait for it too. */
  let isRetryPending = false
  let discards = 0

  function schedule(delayMs: number): void {
    cancelTimer()
    cancelTimer = clock.after(delayMs, () => void flush())
  }
  async function sendQueue(): Promise<void> {
    const discardsBefore = discards
    for (let batch = queue.takeBatch(context); batch; batch = queue.takeBatch(context)) {
      const failure = await delivery.send(batch)
      if (!failure || failure.isFinal) storage.acknowledge(batch)
      // A batch that fails after a refusal must not be sent again.
      else if (discards === discardsBefore) queue.putBack(batch)
      if (!failure) continue
      schedule(failure.retryDelayMs)
      isRetryPending = true
      return
    }
  }
  function flush(): Promise<void> {
    cancelTimer()
    isRetryPending = false
    sending ??= sendQueue().finally(() => {
      sending = null
    })
    return sending
  }
  return {
    flush,
    flushWithBeacon() {
      // A page that is only hidden sends the events again and then learns that the server has them.
      if (queue.size() > 0 && !isRetryPending) schedule(analytics.sendDelayMs)
      return beacon.send()
    },
    discard() {
      discards += 1
      queue.clear()
    },
    stop: () => cancelTimer(),
    add(event, sendNow = false) {
      queue.add(event)
      beacon.prepare()
      if (isRetryPending) return
      if (sendNow || queue.size() >= analytics.batchSize) void flush()
      else schedule(analytics.sendDelayMs)
    },
  }
}
