import type { IncomingMessage, ServerResponse } from 'node:http'
import type { StoredAnswer } from './stored-answer'

/** Where a streaming answer is written. */
export type StreamSink = {
  write: (chunk: Buffer | string) => boolean
  end: () => void
  /** The client has disconnected before the end. */
  onClose: (listener: () => void) => void
  onDrain: (listener: () => void) => void
}

/** A complete answer, or one whose last parts follow later. */
export type ProducedAnswer =
  | {
      kind: 'whole'
      answer: StoredAnswer
      /** False: the answer is sent, but not stored. */
      storable: boolean
    }
  | {
      kind: 'streaming'
      status: number
      headers: Readonly<Record<string, string>>
      /** Sends the body. Resolves to the answer to store; null when it was cut off. */
      pipe: (to: StreamSink) => Promise<StoredAnswer | null>
    }

/** How to make an answer that all visitors share: the HTML of a page, a payload, an island. */
export type AnswerSource = {
  /** The cache key (`cache-keys.ts`). */
  key: string
  /**
   * `step` resolves when the next step may run, after finished answers were sent
   * (`answer-turns.ts`). A source calls it between steps that take about a millisecond each.
   */
  produce: (signal: AbortSignal, step: () => Promise<void>) => Promise<ProducedAnswer>
  /**
   * The answer when `produce` fails and there is no stale copy. When it throws too, the pipeline
   * answers by the error catalogue.
   */
  produceError: (error: unknown) => Promise<StoredAnswer>
  /** Changes what this client is sent. What is stored stays the same. */
  transformForClient?: (answer: StoredAnswer) => StoredAnswer
}

export type ServeAnswer = (
  source: AnswerSource,
  request: IncomingMessage,
  response: ServerResponse,
) => Promise<void>

/**
 * Counts an answer that must be made for a request. Rejects with 429 when too many were made for
 * its address.
 */
export type CountMiss = (request: IncomingMessage) => Promise<void>
