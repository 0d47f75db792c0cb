import type { AnalyticsEvent, EventContext } from '../../shared/analytics-event'
import { analytics } from '../../shared/constants'

const encoder = new TextEncoder()
const bytesOf = (value: unknown): number => encoder.encode(JSON.stringify(value)).length

/**
 * Splits events into batches that the server accepts: 20 events, 40 KiB with the context. An event
 * that is too large by itself is left out.
 */
export function splitIntoBatches(
  events: readonly AnalyticsEvent[],
  context: EventContext,
): AnalyticsEvent[][] {
  const maxBytes = analytics.maxBatchBytes - bytesOf({ list: [], comm: context })
  const batches: AnalyticsEvent[][] = []
  let usedBytes = Infinity
  for (const event of events) {
    // One byte for the comma.
    const bytes = bytesOf(event) + 1
    if (bytes > maxBytes) continue
    const last = batches.at(-1)
    if (!last || last.length === analytics.batchSize || usedBytes + bytes > maxBytes) {
      batches.push([event])
      usedBytes = bytes
    } else {
      last.push(event)
      usedBytes += bytes
    }
  }
  return batches
}
