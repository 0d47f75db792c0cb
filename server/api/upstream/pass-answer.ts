import type { IncomingMessage, ServerResponse } from 'node:http'
import { z } from 'zod'
import { upstream } from '../../../shared/constants'
import { SiteError, type ErrorName } from '../../errors'
import { copyHeaders, type AnswerContext } from './answer-headers'
import { holdAnswer, isJsonAnswer } from './hold-answer'

/** A failure as every backend of this API tells one; anything else may be a stack or a server's own error page. */
const failureSchema = z.object({ code: z.number().refine((code) => code !== 0), msg: z.string() })

/** What stands for a failure that has no envelope. */
const failureOf: Readonly<Partial<Record<number, ErrorName>>> = {
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

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}

/** Refuses a body that is not what its status and type say. */
function check(
  { statusCode: status = 0, headers }: IncomingMessage,
  method: string,
  json: boolean,
  body: Buffer,
): void {
  if (method === 'HEAD' || status === 204 || status === 304) return
  const value = json ? parsed(body) : undefined
  if (status >= 400 && !failureSchema.safeParse(value).success) {
    const retryAfter = headers['retry-after']
    throw new SiteError(
      failureOf[status] ?? (status < 500 ? 'badRequest' : 'upstreamFailed'),
      undefined,
      retryAfter && /^\d{1,6}$/.test(retryAfter) ? { 'Retry-After': retryAfter } : {},
    )
  }
  if (json && value === undefined) throw new Error('the answer is no JSON')
}

/**
 * Passes an upstream's answer on: whole when it is small, streaming when not. Rejects, with nothing sent, when it cannot be used; an answer
 * that breaks off after it began to stream ends the visitor's connection, so that half of it is never taken for all.
 */
export async function passAnswer(
  answer: IncomingMessage,
  method: string,
  response: ServerResponse,
  signal: AbortSignal,
  context: AnswerContext,
): Promise<void> {
  const status = answer.statusCode ?? 0
  if (status < 200 || status > 599) throw new Error(`status ${status}`)
  const held = await holdAnswer(answer, signal, status >= 400)
  if (held.whole)
    check(
      answer,
      method,
      isJsonAnswer(answer) && answer.headers['content-encoding'] === undefined,
      held.body,
    )
  if (!copyHeaders(answer, response, context)) {
    answer.destroy()
    throw new Error('redirects to where no visitor can go')
  }
  response.statusCode = status
  if (held.whole) {
    // A HEAD says how long the answer to a GET would be.
    response.setHeader(
      'Content-Length',
      method === 'HEAD' ? (answer.headers['content-length'] ?? '0') : held.body.length,
    )
    response.end(method === 'HEAD' ? undefined : held.body)
    return
  }
  // Compressing would hold back what is to arrive piece by piece.
  response.setHeader(
    'Cache-Control',
    `${String(response.getHeader('Cache-Control'))}, no-transform`,
  )
  if (answer.headers['content-length'])
    response.setHeader('Content-Length', answer.headers['content-length'])
  response.flushHeaders()
  for (const chunk of held.begin) response.write(chunk)
  answer.setTimeout(upstream.silence, () => answer.destroy())
  answer.on('error', () => undefined)
  answer.once('close', () => !answer.complete && response.destroy())
  response.once('close', () => answer.destroy())
  answer.pipe(response)
}
