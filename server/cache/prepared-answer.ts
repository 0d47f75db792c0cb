import { formatETag } from '../request/etag'
import type { Encoding } from '../request/negotiate-encoding'
import type { PreparedHead } from './send-head'
import type { StoredAnswer } from './stored-answer'

/** One form of an answer with its headers, prepared once for all requests. */
export type PreparedForm = {
  body: Buffer
  fullHead: PreparedHead
  /** The head of a 304. */
  notModifiedHead: PreparedHead
  /** For the log: the size of the full head, without the id of the request. */
  headBytes: number
}
export type PreparedAnswer = {
  answer: StoredAnswer
  forms: Readonly<Record<Encoding, PreparedForm>>
}

/** For the log: the length of the status line and of what Node adds to the head. */
const addedByNode = [
  'HTTP/1.1 200 OK',
  'Date: Sat, 21 Nov 2026 16:30:29 GMT',
  'Connection: keep-alive',
  'Keep-Alive: timeout=65',
  '\r\n',
].join('\r\n').length

/** The last headers of each head; `sendHead` fills their values in for each request. */
const headersPerRequest = ['Cache-Status', '', 'X-Request-Id', '']

function createForm(answer: StoredAnswer, encoding: Encoding): PreparedForm {
  const encoded = encoding === 'identity' ? undefined : answer.encoded[encoding]
  const body = encoded?.body ?? answer.body
  const etag = answer.etag === '' ? [] : ['ETag', formatETag(answer.etag, encoded?.etagSuffix)]
  const headers: string[] = []
  const notModifiedHeaders: string[] = []
  for (const [name, value] of Object.entries(answer.headers)) {
    headers.push(name, value)
    if (name !== 'Content-Type') notModifiedHeaders.push(name, value)
  }
  const full = [
    ...headers,
    ...etag,
    'Content-Length',
    String(body.length),
    ...(encoded ? ['Content-Encoding', encoding] : []),
    ...headersPerRequest,
  ]
  const notModified = [...notModifiedHeaders, ...etag, ...headersPerRequest]
  return {
    body,
    fullHead: { headers: full, written: undefined },
    notModifiedHead: { headers: notModified, written: undefined },
    headBytes: addedByNode + full.reduce((sum, part) => sum + part.length + 2, 0),
  }
}

/**
 * Computes everything of an answer that is the same for all requests. An encoding that does not
 * exist yet has the identity form.
 */
export function prepareAnswer(answer: StoredAnswer): PreparedAnswer {
  const identity = createForm(answer, 'identity')
  const formIn = (encoding: 'br' | 'gzip'): PreparedForm =>
    answer.encoded[encoding] ? createForm(answer, encoding) : identity
  return { answer, forms: { br: formIn('br'), gzip: formIn('gzip'), identity } }
}
