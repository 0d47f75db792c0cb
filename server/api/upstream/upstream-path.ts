import { decodePath } from '../../url/decode-path'

/** How often a path is decoded: a server behind the upstream may decode once more than this one. */
const maxDecodings = 6

/**
 * What some servers read as a way out of the prefix: dot segments, `\` as `/`, `;` as the end of a
 * segment, empty segments, control characters.
 */
const escapesPrefix = /[\\;\u0000-\u001f\u007f]|\/\/|(?:^|\/)\.{1,2}(?:\/|$)/

/**
 * A path below `/api` in the form in which it is forwarded: encoded unreserved characters are
 * decoded, everything else is unchanged. Returns null when the path, decoded any number of times,
 * could name something outside its prefix (spec 10.1): `/..%2fadmin`, `/%252e%252e/x`, `/a;/x`.
 */
export function upstreamPath(path: string): string | null {
  const normalized = decodePath(path)
  if (normalized === null || !/^\/|^$/.test(normalized)) return null
  let current = normalized
  for (let count = 0; count < maxDecodings; count += 1) {
    if (escapesPrefix.test(current)) return null
    const decoded = decodeOnce(current)
    if (decoded === current) return normalized
    // An encoded slash creates segments that have not been checked.
    if (decoded.split('/').length !== current.split('/').length) return null
    current = decoded
  }
  return null
}

/** Returns the text unchanged when it cannot be decoded any further, such as `100%`. */
function decodeOnce(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
