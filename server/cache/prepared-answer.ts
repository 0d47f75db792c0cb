import { encodings, type Encoding } from '../request/accepted-encodings'
import type { PreparedHead } from './send-head'
import type { StoredAnswer } from './stored-answer'

/**
 * One form of an answer as it goes out: flat raw headers (name, value, name, value …), computed once. The last two values
 * are filled in at each request: `Cache-Status` and `X-Request-Id`.
 */
export type PreparedForm = {
  body: Buffer
  whole: PreparedHead
  /** Of a 304. */ unchanged: PreparedHead
  headBytes: number
}
export type PreparedAnswer = {
  answer: StoredAnswer
  forms: Readonly<Record<Encoding, PreparedForm>>
}

/** Status line, and what Node adds: `Date`, `Connection`, `Keep-Alive` and the empty line (bytes, for the log). */
const addedByNode =
  'HTTP/1.1 200 OK\r\nDate: Sat, 21 Nov 2026 16:30:29 GMT\r\nConnection: keep-alive\r\nKeep-Alive: timeout=65\r\n\r\n'
    .length

function formOf(answer: StoredAnswer, encoding: Encoding): PreparedForm {
  const encoded = encoding === 'identity' ? undefined : answer.encoded[encoding]
  const body = encoded?.body ?? answer.body
  const etag =
    answer.etag === ''
      ? []
      : ['ETag', encoded ? `"${answer.etag}-${encoded.validator}"` : `"${answer.etag}"`]
  const headers = Object.entries(answer.headers)
  const slots = ['Cache-Status', '', 'X-Request-Id', '']
  const whole = [
    ...headers.flat(),
    ...etag,
    'Content-Length',
    String(body.length),
    ...(encoded ? ['Content-Encoding', encoding] : []),
    ...slots,
  ]
  return {
    body,
    whole: { headers: whole, written: undefined },
    unchanged: {
      headers: [...headers.filter(([name]) => name !== 'Content-Type').flat(), ...etag, ...slots],
      written: undefined,
    },
    headBytes: addedByNode + whole.reduce((sum, part) => sum + part.length + 2, 0),
  }
}

/** Everything of an answer that does not differ from request to request. */
export function prepareAnswer(answer: StoredAnswer): PreparedAnswer {
  const identity = formOf(answer, 'identity')
  const entries = encodings.map(
    (encoding) =>
      [
        encoding,
        encoding !== 'identity' && answer.encoded[encoding] ? formOf(answer, encoding) : identity,
      ] as const,
  )
  return { answer, forms: Object.fromEntries(entries) as Record<Encoding, PreparedForm> }
}
