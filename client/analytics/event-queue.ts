import type { AnalyticsEvent, EventContext } from '../../shared/analytics-event'
import { splitIntoBatches } from './event-batches'
import type { EventStorage } from './event-storage'

type EventQueue = {
  add: (event: AnalyticsEvent) => void
  /** Number of events that can be sent. */
  size: () => number
  /** Removes the next batch from the queue; null when the queue is empty. */
  takeBatch: (context: () => EventContext) => readonly AnalyticsEvent[] | null
  putBack: (batch: readonly AnalyticsEvent[]) => void
  events: () => readonly AnalyticsEvent[]
  clear: () => void
}

/** Events that have not reached the server. Each is stored until the server acknowledges it. */
export function createEventQueue(storage: EventStorage): EventQueue {
  let queued: readonly AnalyticsEvent[] = []
  return {
    add(event) {
      storage.store(event)
      queued = [...queued, event]
    },
    size: () => queued.length,
    takeBatch(context) {
      if (queued.length === 0) return null
      const [batch] = splitIntoBatches(queued, context())
      if (!batch) {
        // Every event is too large for a batch.
        storage.acknowledge(queued)
        queued = []
        return null
      }
      const taken = new Set(batch)
      queued = queued.filter((event) => !taken.has(event))
      return batch
    },
    putBack(batch) {
      queued = [...batch, ...queued]
    },
    events: () => queued,
    clear() {
      queued = []
    },
  }
}
