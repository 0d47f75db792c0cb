import { createHash } from 'node:crypto'
import type { Encoding } from '../request/accepted-encodings'

/** A compressed form. `validator` is what its `ETag` ends in: a strong validator names the bytes, so another level is another one. */
export type EncodedForm = { body: Buffer; validator: string }

/** A finished answer: everything that is sent, but for the age in `Cache-Status` and the request's id. Never changed once made. */
export type StoredAnswer = {
  status: number
  headers: Readonly<Record<string, string>>
  body: Buffer
  /** Compressed forms, once they are made. */
  encoded: Readonly<Partial<Record<Exclude<Encoding, 'identity'>, EncodedForm>>>
  /** Of the identity form; others add their validator. Empty: the answer has none. */
  etag: string
  /** When it was made (ms since 1970). */
  storedAt: number
  /** Surrogate tags of everything that it shows. */
  tags: readonly string[]
  /** What the log says of it. */
  route: string
  locale: string
  /** Depends on the visitor's language: shared only among those who state none, or come from inside the site (decisions 4). */
  negotiated: boolean
  /** A query changes it: its route declares parameters, or it is a redirect, which keeps them. */
  queryMatters: boolean
}

/** A strong validator of a body; `salt` is what changes an answer besides its body, such as its policy. */
export const entityTag = (body: Buffer, salt: string): string =>
  createHash('sha256').update(salt).update(body).digest('base64url').slice(0, 22)

/** What an entry holds besides bodies and headers, prepared header arrays included (bytes; estimated from heap snapshots). */
const overhead = 2048

/** Bytes that an answer holds in memory: all its forms, and its headers three times a form (prepared, and the blocks of a 200 and a 304 as they go out). */
export function sizeOfAnswer({ headers, body, encoded }: StoredAnswer): number {
  const forms = Object.values(encoded)
  const head = Object.entries(headers).reduce(
    (sum, [name, value]) => sum + name.length + value.length,
    0,
  )
  return (
    overhead +
    3 * head * (forms.length + 1) +
    body.length +
    forms.reduce((sum, form) => sum + form.body.length, 0)
  )
}
