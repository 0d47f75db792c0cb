import type { ServerResponse } from 'node:http'
import { negotiateEncoding } from '../request/accepted-encodings'
import type { PreparedAnswer, PreparedForm } from './prepared-answer'
import { sendHead } from './send-head'

/** What of a request decides the form of a finished answer. Front and pipeline both answer through here, so they cannot differ. */
export type Asking = {
  method: string | undefined
  acceptEncoding: string | undefined
  ifNoneMatch: string | undefined
}

/** Whether `If-None-Match` names this answer in any of its forms: the same content, so nothing needs to be sent. */
const names = (header: string, etag: string): boolean =>
  header.trim() === '*' || header.includes(`"${etag}"`) || header.includes(`"${etag}-`)

/** Sends a finished answer: 304 when the client has it, else in the best form that is ready. Answers with the status sent, and the form. */
export function sendAnswer(
  { method, acceptEncoding, ifNoneMatch }: Asking,
  response: ServerResponse,
  { answer, forms }: PreparedAnswer,
  cacheStatus: string,
  id: string,
): { status: number; form: PreparedForm } {
  const form = forms[negotiateEncoding(acceptEncoding)]
  if (
    ifNoneMatch !== undefined &&
    answer.etag !== '' &&
    answer.status === 200 &&
    names(ifNoneMatch, answer.etag)
  ) {
    sendHead(response, 304, form.unchanged, cacheStatus, id)
    response.end()
    return { status: 304, form }
  }
  sendHead(response, answer.status, form.whole, cacheStatus, id)
  // Without a listener and in one call: the header block and the body leave in one write.
  response.end(method === 'HEAD' ? undefined : form.body)
  return { status: answer.status, form }
}
