/** Paths without anything to decode: nearly all. */
const plainPath = /^[A-Za-z0-9\-._~/!$&'()*+,;=:@\\]*$/
const control = /[\u0000-\u001f\u007f-\u009f]/
const unreserved = /^[A-Za-z0-9\-._~]$/

/**
 * Decodes the encoded unreserved characters of a path (RFC 3986, section 6.2.2: `/%70ricing` is
 * `/pricing`); other encoded bytes stay encoded. Null when the path is not percent-encoded UTF-8 or
 * contains a control character.
 */
export function decodePath(raw: string): string | null {
  if (plainPath.test(raw)) return raw
  try {
    if (control.test(decodeURIComponent(raw))) return null
    const decoded = raw.replace(/%([0-9a-fA-F]{2})/g, (encoded, hex: string) => {
      const char = String.fromCharCode(Number.parseInt(hex, 16))
      return unreserved.test(char) ? char : encoded
    })
    // A row of the redirect table may contain characters that a request must encode.
    return decoded.replace(/[^\x21-\x7e]/gu, encodeURIComponent)
  } catch {
    return null
  }
}

/** Scheme and authority of an absolute-form target; null for any other target. */
export const originOf = (target: string): string | null =>
  /^[a-z][a-z0-9+.-]*:\/\/[^/?#\\]*/i.exec(target)?.[0] ?? null

/**
 * Splits a request target into path and query. Of an absolute-form target only path and query count
 * (spec 3.1); a fragment, which clients should not send, is dropped.
 */
export function splitTarget(target: string): { path: string; query: string } {
  const origin = originOf(target) ?? ''
  const [local = ''] = target.slice(origin.length).split('#', 1)
  const mark = local.indexOf('?')
  const path = mark < 0 ? local : local.slice(0, mark)
  const query = mark < 0 ? '' : local.slice(mark)
  return {
    path: path.startsWith('/') || path.startsWith('\\') ? path : `/${path}`,
    query: query === '?' ? '' : query,
  }
}
