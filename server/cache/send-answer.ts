import type { ServerResponse } from 'node:http'
import { matchesETag } from '../request/etag'
import { negotiateEncoding } from '../request/negotiate-encoding'
import type { PreparedAnswer, PreparedForm } from './prepared-answer'
import { sendHead } from './send-head'

/** The parts of a request that decide in which form a finished answer is sent. */
export type AnswerRequest = {
  method: string | undefined
  acceptEncoding: string | undefined
  ifNoneMatch: string | undefined
}

/**
 * Sends a finished answer: 304 when the client has it, else the best form that is ready. The front
 * and the pipeline both use it, so their answers cannot differ. Returns the status that was sent,
 * and the form.
 */
export function sendAnswer(
  { method, acceptEncoding, ifNoneMatch }: AnswerRequest,
  response: ServerResponse,
  { answer, forms }: PreparedAnswer,
  cacheStatus: string,
  id: string,
): { status: number; form: PreparedForm } {
  const form = forms[negotiateEncoding(acceptEncoding)]
  if (answer.status === 200 && matchesETag(ifNoneMatch, answer.etag)) {
    sendHead(response, 304, form.notModifiedHead, cacheStatus, id)
    response.end()
    return { status: 304, form }
  }
  sendHead(response, answer.status, form.fullHead, cacheStatus, id)
  // Node writes head and body at once when `end` gets the body and no callback.
  response.end(method === 'HEAD' ? undefined : form.body)
  return { status: answer.status, form }
}
