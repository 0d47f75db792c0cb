import { createPublicKey } from 'node:crypto'
import { z } from 'zod'
import { envelope } from './constants'

/**
 * What settings accept (`server/env.ts`). The message of every check says what is accepted, because
 * it becomes the end of the line `NAME=value is not accepted: …`.
 */

export const matching = (pattern: RegExp, accepted: string) => z.string().regex(pattern, accepted)
export const indexNowKey = matching(
  /^(?:[A-Za-z0-9-]{8,128})?$/,
  'empty, or 8 to 128 letters, digits and hyphens',
)
export const chatScript = matching(
  /^(https:\/\/[^\s?#]+\.js)?$/,
  'empty, or an https address ending in .js',
)
export const nonEmpty = (accepted: string) => z.string().min(1, accepted)
/** Any text; empty by default. */
export const optionalText = z.string().prefault('')

export const wholeNumber = (min: number, max: number, accepted: string) =>
  matching(/^\d+$/, accepted)
    .transform(Number)
    .refine((value) => value >= min && value <= max, accepted)
export const port = wholeNumber(0, 65_535, 'a whole number from 0 to 65535')
export const perMinute = wholeNumber(0, 1_000_000, 'a whole number from 0 to 1000000; 0 = no limit')

/** One of two words; the result is whether it is the first. */
export const flag = (on: string, off: string) =>
  z.enum([on, off], `${on} or ${off}`).transform((value) => value === on)

const isHttp = (value: string): boolean =>
  URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)
export const url = z.string().refine(isHttp, 'an http or https address')
export const optionalUrl = z
  .string()
  .refine((value) => value === '' || isHttp(value), 'empty, or an http or https address')

/** In linear time, which `/\/+$/` does not take. */
function withoutTrailingSlashes(text: string): string {
  let end = text.length
  while (text[end - 1] === '/') end -= 1
  return text.slice(0, end)
}

/** Becomes the origin in the form in which browsers send it. */
export const optionalOrigin = orEmpty(
  url.regex(/^https?:\/\/[^/?#@\\]+\/?$/i).transform((value) => new URL(value).origin),
  'empty, or an http or https origin without path',
)
/** Trailing slashes are removed. */
export const optionalOriginWithPath = orEmpty(
  url.regex(/^[^?#]*$/).transform(withoutTrailingSlashes),
  'empty, or an http or https origin with an optional path',
)
export const pathOrUrl = z
  .string()
  .refine(
    (value) => /^\/(?![/\\])/.test(value) || isHttp(value),
    'a path of this site, or an http or https address',
  )

/** Host names separated by commas; becomes a list in lower case. */
const hostList = (host: RegExp, accepted: string) =>
  z
    .string()
    .transform((value) => value.toLowerCase().split(','))
    .transform((names) => names.map((name) => name.trim()).filter(Boolean))
    .refine((names) => names.every((name) => host.test(name)), accepted)
export const hosts = hostList(/^[a-z0-9.-]+$/, 'host names without port, separated by commas')
export const hostsWithPort = hostList(
  /^[a-z0-9.-]+(?::\d{1,5})?$/,
  'host names, with a port where it is not 80 or 443, separated by commas',
)
export const optionalIpAddress = orEmpty(z.union([z.ipv4(), z.ipv6()]), 'empty, or one IP address')

export const acceptedPrivateKey = `empty, or an RSA private key of at least ${envelope.rsaBits} bits in PEM form`
/** Checks the first line only; `readSettings` checks the rest. */
export const optionalPrivateKey = z
  .string()
  .refine((value) => value === '' || value.startsWith('-----BEGIN '), acceptedPrivateKey)

/** A shorter token can be guessed. A header cannot carry other characters reliably. */
export const optionalToken = matching(
  /^(?:[\x21-\x7e]{24,})?$/,
  'empty, or at least 24 ASCII characters without spaces, so that it cannot be guessed',
)

/** SPKI as base64 of the DER form, as `GET /api/sys/config/public-key` answers. */
export const optionalPublicKey = z
  .string()
  .refine(
    (value) => value === '' || isPublicKey(value),
    `empty, or an RSA public key of at least ${envelope.rsaBits} bits as SPKI (base64 of the DER form)`,
  )

function isPublicKey(spki: string): boolean {
  // Node skips other characters when it decodes base64.
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(spki)) return false
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = createPublicKey({
      key: Buffer.from(spki, 'base64'),
      format: 'der',
      type: 'spki',
    })
    return (
      asymmetricKeyType === 'rsa' && (asymmetricKeyDetails?.modulusLength ?? 0) >= envelope.rsaBits
    )
  } catch {
    return false
  }
}

/**
 * A union reports the one message instead of those of its members, if `schema` ends in a
 * `transform` or is itself a union. Otherwise zod reports the message of its failed check.
 */
function orEmpty<Output>(schema: z.ZodType<Output, string>, accepted: string) {
  return z.union([z.literal(''), schema], accepted)
}

/** Metadata of a setting that no page depends on: cached pages stay valid when it changes. */
export const operational = (description: string) => ({ description, entersPages: false })

/**
 * Whether a text is an RSA private key of the required size. Passed to the settings, because they
 * are read before any room is imported.
 */
export type IsPrivateKey = (pem: string) => boolean
