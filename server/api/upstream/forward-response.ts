import type { IncomingMessage, ServerResponse } from 'node:http'
import { z } from 'zod'
import { upstream } from '../../../shared/constants'
import { SiteError, type ErrorName } from '../../errors'
import { bufferResponse, isJson } from './buffer-response'
import { copyResponseHeaders, type HeaderContext } from './response-headers'

type ResponseForwarding = {
  /** Method of the request. */
  method: string
  signal: AbortSignal
  headers: HeaderContext
}

/** The envelope of an error. Any other error body may be a stack trace or a server's error page. */
const errorSchema = z.object({ code: z.number().refine((code) => code !== 0), msg: z.string() })

/** What replaces an error response without an envelope. */
const errorsByStatus: Readonly<Partial<Record<number, ErrorName>>> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'notFound',
  405: 'methodNotAllowed',
  408: 'requestTimeout',
  413: 'bodyTooLarge',
  415: 'unsupportedType',
  429: 'tooManyRequests',
  503: 'unavailable',
  504: 'upstreamTimeout',
}

/**
 * Forwards an upstream's response to the visitor: complete when it is small, streamed when it is
 * not. Rejects, with nothing sent, when the response is unusable. A response that breaks off while
 * it is streamed ends the visitor's connection, so that half of it cannot be taken for all of it.
 */
export async function forwardResponse(
  upstreamResponse: IncomingMessage,
  response: ServerResponse,
  { method, signal, headers }: ResponseForwarding,
): Promise<void> {
  const status = upstreamResponse.statusCode ?? 0
  if (status < 200 || status > 599) throw new Error(`the upstream answered with status ${status}`)
  const buffered = await bufferResponse(upstreamResponse, signal, status >= 400)
  if (buffered.isComplete) assertValidBody(upstreamResponse, method, buffered.body)
  if (!copyResponseHeaders(upstreamResponse, response, headers)) {
    upstreamResponse.destroy()
    throw new Error('the upstream redirects to an address that visitors cannot reach')
  }
  response.statusCode = status
  if (!buffered.isComplete) streamBody(upstreamResponse, response, buffered.chunks)
  else if (hasNoBody(status)) response.end()
  else if (method === 'HEAD') {
    // HEAD reports the length that the response to a GET would have.
    response.setHeader('Content-Length', upstreamResponse.headers['content-length'] ?? '0')
    response.end()
  } else {
    response.setHeader('Content-Length', buffered.body.length)
    response.end(buffered.body)
  }
}

/** Such a response has no `Content-Length` either (RFC 9110, 8.6). */
const hasNoBody = (status: number): boolean => status === 204 || status === 304

/** Throws when a body is not what its status and type promise. */
function assertValidBody(upstreamResponse: IncomingMessage, method: string, body: Buffer): void {
  const { statusCode: status = 0, headers } = upstreamResponse
  if (method === 'HEAD' || hasNoBody(status)) return
  const declaresJson = isJson(upstreamResponse) && headers['content-encoding'] === undefined
  const value = declaresJson ? parseBody(body) : undefined
  if (status >= 400 && !errorSchema.safeParse(value).success) {
    const retryAfter = headers['retry-after']
    throw new SiteError(
      errorsByStatus[status] ?? (status < 500 ? 'badRequest' : 'upstreamFailed'),
      undefined,
      retryAfter && /^\d{1,6}$/.test(retryAfter) ? { 'Retry-After': retryAfter } : {},
    )
  }
  if (declaresJson && value === undefined) throw new Error('the response is not valid JSON')
}

function parseBody(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}

function streamBody(
  upstreamResponse: IncomingMessage,
  response: ServerResponse,
  firstChunks: readonly Buffer[],
): void {
  // Compression would delay chunks that must arrive one by one.
  response.setHeader(
    'Cache-Control',
    `${String(response.getHeader('Cache-Control'))}, no-transform`,
  )
  const length = upstreamResponse.headers['content-length']
  if (length) response.setHeader('Content-Length', length)
  response.flushHeaders()
  for (const chunk of firstChunks) response.write(chunk)
  upstreamResponse.setTimeout(upstream.idleTimeoutMs, () => upstreamResponse.destroy())
  upstreamResponse.on('error', () => undefined)
  upstreamResponse.once('close', () => !upstreamResponse.complete && response.destroy())
  response.once('close', () => upstreamResponse.destroy())
  upstreamResponse.pipe(response)
}
