import type { AnalyticsEvent, EventContext } from '../../shared/analytics-event'
import { analytics } from '../../shared/constants'

const encoder = new TextEncoder()

/** Cuts a list into batches that the server takes: 20 events, 40 KiB. An event that is too large by itself is left out. */
export function batches(
  events: readonly AnalyticsEvent[],
  context: EventContext,
): AnalyticsEvent[][] {
  const room =
    analytics.batchBytes - encoder.encode(JSON.stringify({ list: [], comm: context })).length
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
