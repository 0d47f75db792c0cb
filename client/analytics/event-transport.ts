import type { EventBatch } from '../../shared/analytics-event'
import type { Envelope } from '../../shared/envelope'
import type { ApiClient } from '../platform/api-client'
import type { EnvelopeEncryption } from '../platform/envelope-encryption'

export type EventTransport = {
  /** Rejects when the public key cannot be fetched. */
  encrypt: (batch: EventBatch) => Promise<Envelope>
  /** Resolves when the server has stored the batch; rejects with an ApiFailure. */
  post: (envelope: Envelope) => Promise<void>
  /**
   * Hands a batch to the browser, which sends it even after the page is closed. False when the
   * browser accepts no more; its arrival is never confirmed.
   */
  beacon: (envelope: Envelope) => boolean
  /** Called when the server could not decrypt a batch: its key may have changed. */
  forgetKey: () => void
}
type Deps = {
  api: Pick<ApiClient, 'postForm'>
  encryption: Pick<EnvelopeEncryption, 'encryptBatch' | 'forgetKey'>
  sendBeacon: (address: string, body: URLSearchParams) => boolean
}

const address = '/api/sys/config/event'

/** Event batches go to the server encrypted, as the form fields `_t` and `_a` (spec 6.7). */
export const createEventTransport = ({ api, encryption, sendBeacon }: Deps): EventTransport => ({
  encrypt: encryption.encryptBatch,
  forgetKey: encryption.forgetKey,
  beacon: (envelope) => sendBeacon(address, new URLSearchParams(envelope)),
  async post(envelope) {
    // Sent without cookies, so that the answer sets none. An answer that comes after the visitor
    // has chosen another language would set the previous one again (`locale-choice.ts`).
    await api.postForm(address, envelope, { keepalive: true, credentials: 'omit' })
  },
})
