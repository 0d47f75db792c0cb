import type { Encoding } from '../request/negotiate-encoding'

type EncodedForm = {
  body: Buffer
  /**
   * A strong `ETag` names the bytes, so each encoding and each compression level has its own
   * suffix.
   */
  etagSuffix: string
}

/**
 * A finished answer: everything that is sent except `Cache-Status` and the id of the request. It is
 * never changed.
 */
export type StoredAnswer = {
  status: number
  headers: Readonly<Record<string, string>>
  body: Buffer
  /** The compressed forms that exist so far. */
  encoded: Readonly<Partial<Record<Exclude<Encoding, 'identity'>, EncodedForm>>>
  /** The tag of the content, without quotes. Empty: the answer has no `ETag`. */
  etag: string
  /** When the answer was made (ms since 1970). */
  storedAt: number
  /** The surrogate keys of everything that the answer shows. */
  tags: readonly string[]
  /** For the log and the metrics. */
  route: string
  locale: string
  /**
   * The answer depends on the visitor's language, so it is shared only among requests that state no
   * language or come from inside the site (spec 4.3).
   */
  negotiated: boolean
  /**
   * A query changes the answer: the route declares parameters, or the answer is a redirect, which
   * keeps the query.
   */
  queryMatters: boolean
}

/**
 * What an entry holds besides bodies and headers: objects and prepared header arrays. Estimated
 * from heap snapshots.
 */
const overheadBytes = 2048

/**
 * Bytes that an answer takes in memory: the bodies of all forms, and for each form the headers
 * three times (prepared, and as the written blocks of a 200 and a 304).
 */
export function sizeOfAnswer({ headers, body, encoded }: StoredAnswer): number {
  const forms = Object.values(encoded)
  const headerBytes = Object.entries(headers).reduce(
    (sum, [name, value]) => sum + name.length + value.length,
    0,
  )
  return (
    overheadBytes +
    3 * headerBytes * (forms.length + 1) +
    body.length +
    forms.reduce((sum, form) => sum + form.body.length, 0)
  )
}
