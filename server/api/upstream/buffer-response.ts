import type { IncomingMessage } from 'node:http'
import { upstream } from '../../../shared/constants'
import { abortReason } from './upstream-client'

/** A whole response body, or the first chunks of one that must be streamed. */
type BufferedResponse =
  { isComplete: true; body: Buffer } | { isComplete: false; chunks: readonly Buffer[] }

export const isJson = ({ headers }: IncomingMessage): boolean =>
  /^application\/(?:[\w.+-]+\+)?json\b/i.test(headers['content-type'] ?? '')

/**
 * Whether a response must be complete before any of it is forwarded. JSON is useless in part, and
 * once a status is sent, an incomplete response can no longer become an error. Events, downloads
 * and other declared types are streamed.
 */
function mustBeBuffered(upstreamResponse: IncomingMessage): boolean {
  const { 'content-length': length, 'content-type': type } = upstreamResponse.headers
  return (
    isJson(upstreamResponse) ||
    type === undefined ||
    (length !== undefined && Number(length) <= upstream.maxBufferedBytes)
  )
}

/**
 * Reads a response until it is complete or too large to buffer. With `isError` a response is always
 * buffered, and refused when it is too large. Rejects when the response is incomplete, and with the
 * signal's reason when the signal is aborted.
 */
export function bufferResponse(
  upstreamResponse: IncomingMessage,
  signal: AbortSignal,
  isError: boolean,
): Promise<BufferedResponse> {
  if (!isError && !mustBeBuffered(upstreamResponse))
    return Promise.resolve({ isComplete: false, chunks: [] })
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const removeListeners = (): void => {
      signal.removeEventListener('abort', onAbort)
      upstreamResponse
        .off('data', onData)
        .off('end', onEnd)
        .off('close', onClose)
        .off('error', fail)
    }
    const fail = (error: Error): void => {
      removeListeners()
      // Destroying the response may emit an error, which is of no interest then.
      upstreamResponse.on('error', () => undefined).destroy()
      reject(error)
    }
    const onAbort = (): void => fail(abortReason(signal))
    const onData = (chunk: Buffer): void => {
      chunks.push(chunk)
      size += chunk.length
      if (size <= upstream.maxBufferedBytes) return
      if (isError) return fail(new Error('an error response is too large'))
      upstreamResponse.pause()
      removeListeners()
      resolve({ isComplete: false, chunks })
    }
    const onClose = (): void => fail(new Error('the response is incomplete'))
    const onEnd = (): void => {
      if (!upstreamResponse.complete) return onClose()
      removeListeners()
      resolve({ isComplete: true, body: Buffer.concat(chunks) })
    }
    upstreamResponse
      .on('data', onData)
      .once('end', onEnd)
      .once('close', onClose)
      .once('error', fail)
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort)
  })
}
