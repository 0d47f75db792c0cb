const plain = /^[A-Za-z0-9\-._~/!$&'()*+,;=:@\\]*$/
const control = /[\u0000-\u001f\u007f-\u009f]/
const unreserved = /^[A-Za-z0-9\-._~]$/

/**
 * The path of a request target with encoded unreserved characters decoded (RFC 3986 6.2.2: `/%70ricing` is `/pricing`).
 * All other encoded bytes stay data. Null when it is no percent-encoded UTF-8 or holds a control character.
 */
export function decodePath(raw: string): string | null {
  if (plain.test(raw)) return raw
  try {
    if (control.test(decodeURIComponent(raw))) return null
    const decoded = raw.replace(/%([0-9a-fA-F]{2})/g, (encoded, hex: string) => {
      const char = String.fromCharCode(Number.parseInt(hex, 16))
      return unreserved.test(char) ? char : encoded
    })
    // What no request can hold unencoded is encoded, so that a path has one spelling.
    return decoded.replace(/[^\x21-\x7e]/gu, encodeURIComponent)
  } catch {
    return null
  }
}

/**
 * Cuts a request target into path and query; an absolute-form target counts by its path alone (decisions 3.1), and a
 * fragment, which no client should send, by nothing.
 */
export function splitTarget(target: string): { path: string; query: string } {
  const origin = /^[a-z][a-z0-9+.-]*:\/\/[^/?#\\]*/i.exec(target)
  const [local = ''] = (origin ? target.slice(origin[0].length) : target).split('#', 1)
  const mark = local.indexOf('?')
  const path = mark < 0 ? local : local.slice(0, mark)
  const query = mark < 0 ? '' : local.slice(mark)
  return {
    path: path.startsWith('/') || path.startsWith('\\') ? path : `/${path}`,
    query: query === '?' ? '' : query,
  }
}
