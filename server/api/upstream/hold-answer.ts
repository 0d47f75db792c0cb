import type { IncomingMessage } from 'node:http'
import { upstream } from '../../../shared/constants'

/** An answer whole, or its first bytes when it is one that streams. */
export type HeldAnswer = { whole: true; body: Buffer } | { whole: false; begin: readonly Buffer[] }

const isJson = (answer: IncomingMessage): boolean =>
  /^application\/(?:[\w.+-]+\+)?json\b/i.test(answer.headers['content-type'] ?? '')
export { isJson as isJsonAnswer }

/**
 * Whether the answer must be there whole before any of it is passed on. JSON is meaningless in part, and once a status is sent,
 * half an answer can no longer become a failure. Events, downloads and other things that name another type stream.
 */
function mustBeWhole(answer: IncomingMessage): boolean {
  const length = answer.headers['content-length']
  return (
    isJson(answer) ||
    answer.headers['content-type'] === undefined ||
    (length !== undefined && Number(length) <= upstream.heldBytes)
  )
}

/**
 * Holds an answer back until it is whole, or too large to be held (`always` refuses that). Rejects when it breaks off, when `signal` is
 * aborted, with its reason, and when it grows too large and must not.
 */
export function holdAnswer(
  answer: IncomingMessage,
  signal: AbortSignal,
  always: boolean,
): Promise<HeldAnswer> {
  if (!always && !mustBeWhole(answer)) return Promise.resolve({ whole: false, begin: [] })
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const stop = (): void => {
      signal.removeEventListener('abort', onAbort)
      answer.off('data', onData).off('end', onEnd).off('close', onClose).off('error', fail)
    }
    const fail = (error: unknown): void => {
      stop()
      // Ended on purpose: what it says about that is of no interest.
      answer.on('error', () => undefined).destroy()
      reject(error)
    }
    const onAbort = (): void => fail(signal.reason)
    const onData = (chunk: Buffer): void => {
      chunks.push(chunk)
      size += chunk.length
      if (size <= upstream.heldBytes) return
      if (always) return fail(new Error('a failure that is too large'))
      answer.pause()
      stop()
      resolve({ whole: false, begin: chunks })
    }
    const onEnd = (): void => {
      if (!answer.complete) return fail(new Error('half an answer'))
      stop()
      resolve({ whole: true, body: Buffer.concat(chunks) })
    }
    const onClose = (): void => fail(new Error('half an answer'))
    answer.on('data', onData).once('end', onEnd).once('close', onClose).once('error', fail)
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort)
  })
}
