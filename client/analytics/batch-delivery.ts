import type { AnalyticsEvent, EventContext } from '../../shared/analytics-event'
import { analytics } from '../../shared/constants'
import { ApiFailure } from '../platform/api-client'
import type { EventTransport } from './event-transport'

/** `isFinal`: the batch is refused for its content, so sending it again would fail forever. */
type DeliveryFailure = { isFinal: boolean; retryDelayMs: number }
type BatchDelivery = {
  /** Resolves to null when the server has stored the batch. Never rejects. */
  send: (batch: readonly AnalyticsEvent[]) => Promise<DeliveryFailure | null>
  /** The batch that is being encrypted and has not left the page. */
  encrypting: () => readonly AnalyticsEvent[]
}
type Deps = {
  transport: Pick<EventTransport, 'encrypt' | 'post' | 'forgetKey'>
  context: () => EventContext
  warn: (message: string) => void
}

/** Sends batches; failures in a row are repeated after 10, 20, 40 s and so on, up to 5 minutes. */
export function createBatchDelivery({ transport, context, warn }: Deps): BatchDelivery {
  let failures = 0
  /** How often the batch was answered with 400, without another failure in between. */
  let refusals = 0
  let hasWarned = false
  let encrypting: readonly AnalyticsEvent[] = []

  async function encrypt(list: readonly AnalyticsEvent[]): ReturnType<EventTransport['encrypt']> {
    encrypting = list
    try {
      return await transport.encrypt({ list, comm: context() })
    } finally {
      encrypting = []
    }
  }
  function onFailure(error: unknown): DeliveryFailure {
    const { status, retryAfterSeconds } =
      error instanceof ApiFailure ? error : { status: 0, retryAfterSeconds: null }
    if (!hasWarned)
      warn(`events could not be sent (${status || 'no answer'}); they are kept and sent later`)
    hasWarned = true
    failures += 1
    refusals = status === 400 ? refusals + 1 : 0
    if (status === 400) transport.forgetKey()
    const backoffMs = Math.min(
      analytics.sendDelayMs * 2 ** (failures - 1),
      analytics.maxRetryDelayMs,
    )
    // After three answers 400, two of them with a fresh key, the batch itself is invalid. After a
    // 413 it is too large.
    const isFinal = refusals > 2 || status === 413
    // The next batch has as many tries.
    if (isFinal) refusals = 0
    return {
      isFinal,
      retryDelayMs: Math.max(backoffMs, (retryAfterSeconds ?? 0) * 1000),
    }
  }
  return {
    encrypting: () => encrypting,
    async send(batch) {
      try {
        await transport.post(await encrypt(batch))
        failures = 0
        refusals = 0
        return null
      } catch (error) {
        return onFailure(error)
      }
    },
  }
}
