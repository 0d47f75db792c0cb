import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AnswerSource } from './answer-source'
import { prepareAnswer, type PreparedAnswer } from './prepared-answer'
import { sendAnswer } from './send-answer'

/** A request, and how its answer is made. */
export type Exchange = {
  source: AnswerSource
  request: IncomingMessage
  response: ServerResponse
}

/** Sends an answer in the form that the client accepts, or 304. */
export function sendPrepared(
  { request: { method, headers }, response }: Exchange,
  prepared: PreparedAnswer,
  cacheStatus: string,
): void {
  sendAnswer(
    { method, acceptEncoding: headers['accept-encoding'], ifNoneMatch: headers['if-none-match'] },
    response,
    prepared,
    cacheStatus,
    String(response.getHeader('X-Request-Id') ?? ''),
  )
}

/** Sends an answer, changed for this client where its source says so. */
export function transformAndSend(
  exchange: Exchange,
  prepared: PreparedAnswer,
  cacheStatus: string,
): void {
  const { transformForClient } = exchange.source
  const answer = transformForClient ? transformForClient(prepared.answer) : prepared.answer
  const isUnchanged = answer === prepared.answer
  sendPrepared(exchange, isUnchanged ? prepared : prepareAnswer(answer), cacheStatus)
}
