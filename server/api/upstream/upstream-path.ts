import { decodePath } from '../../url/decode-path'

/** Decoded again and again: a server behind the upstream may decode once more than we do. Nobody means more rounds than this. */
const rounds = 6

/** A segment that could lead elsewhere, in some server's reading: dots, `\` as `/`, `;` as the end of a segment, control characters. */
const leadsAway = /[\\;\u0000-\u001f\u007f]|\/\/|(?:^|\/)\.{1,2}(?:\/|$)/

/**
 * A path below `/api` as it may be forwarded: encoded unreserved characters decoded, everything else untouched. Null when,
 * decoded any number of times, it could name something outside of its prefix (decisions 10): `/..%2fadmin`, `/%252e%252e/x`, `/a;/x`.
 */
export function upstreamPath(path: string): string | null {
  const normal = decodePath(path)
  if (normal === null || !/^\/|^$/.test(normal)) return null
  let text = normal
  for (let round = 0; round < rounds; round += 1) {
    if (leadsAway.test(text)) return null
    const decoded = decodeOnce(text)
    if (decoded === text) return normal
    // An encoded slash makes segments that we have not seen.
    if (decoded.split('/').length !== text.split('/').length) return null
    text = decoded
  }
  return null
}

/** A text that cannot be decoded any further stands for itself: `100%`. */
function decodeOnce(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
