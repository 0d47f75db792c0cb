import { createHash } from 'node:crypto'

/**
 * The tag of some content: 22 characters of its hash, without quotes. Parts are hashed one after
 * the other; besides the body they name what else changes the answer, such as its policy.
 */
export function computeETag(...parts: ReadonlyArray<Buffer | string>): string {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest('base64url').slice(0, 22)
}

/** A strong `ETag`. A suffix names the encoding, because each encoding has other bytes. */
export const formatETag = (tag: string, suffix?: string): string =>
  suffix === undefined ? `"${tag}"` : `"${tag}-${suffix}"`

/**
 * Whether `If-None-Match` names this content: in a list, weak or strong (RFC 9110 13.1.2), with any
 * suffix, or `*`. All encodings hold the same content, so a client that has one of them needs no
 * other. A tag holds no quotes, so looking for the quoted tag in the header is exact. An empty tag
 * matches nothing: its answer has no `ETag`.
 */
export const matchesETag = (ifNoneMatch: string | undefined, tag: string): boolean =>
  ifNoneMatch !== undefined &&
  tag !== '' &&
  (ifNoneMatch.includes(`"${tag}"`) ||
    ifNoneMatch.includes(`"${tag}-`) ||
    ifNoneMatch.trim() === '*')

/**
 * A weak `ETag`, for answers whose bytes depend on the encoding that the compression row chooses.
 */
export const formatWeakETag = (tag: string): string => `W/"${tag}"`
