import { z } from 'zod'
import { envelope } from './constants'

/**
 * What settings accept (`server/env.ts`). The message of every check says what is accepted, because
 * it becomes the end of the line `NAME=value is not accepted: …`.
 */

export const matching = (pattern: RegExp, accepted: string) => z.string().regex(pattern, accepted)
export const nonEmpty = (accepted: string) => z.string().min(1, accepted)

export const wholeNumber = (min: number, max: number, accepted: string) =>
  matching(/^\d+$/, accepted)
    .transform(Number)
    .refine((value) => value >= min && value <= max, accepted)
export const port = wholeNumber(0, 65_535, 'a whole number from 0 to 65535')
export const perMinute = wholeNumber(1, 1_000_000, 'a whole number from 1 to 1000000')

/** One of two words; the result is whether it is the first. */
export const flag = (on: string, off: string) =>
  z.enum([on, off], `${on} or ${off}`).transform((value) => value === on)

const isHttp = (value: string): boolean =>
  URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)
export const url = z.string().refine(isHttp, 'an http or https address')
export const optionalUrl = z
  .string()
  .refine((value) => value === '' || isHttp(value), 'empty, or an http or https address')
/** Becomes the origin in the form in which browsers send it. */
export const optionalOrigin = orEmpty(
  url.regex(/^https?:\/\/[^/?#@\\]+\/?$/i).transform((value) => new URL(value).origin),
  'empty, or an http or https origin without path',
)
/** Trailing slashes are removed. */
export const optionalOriginWithPath = orEmpty(
  url.regex(/^[^?#]*$/).transform((value) => value.replace(/\/+$/, '')),
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

/** A union reports the one message instead of those of its members. */
function orEmpty<Output>(schema: z.ZodType<Output, string>, accepted: string) {
  return z.union([z.literal(''), schema], accepted)
}
