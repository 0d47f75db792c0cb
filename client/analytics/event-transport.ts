import type { EventBatch } from '../../shared/analytics-event'

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
