import { serializeCookie, readCookie, type CookieKind } from '../../shared/cookies'

export type CookieJar = {
  get: (kind: CookieKind) => string | null
  set: (kind: CookieKind, value: string) => void
  remove: (kind: CookieKind) => void
}

/**
 * The site's cookies in the browser. `domain` makes them valid on the three hosts; empty: this host
 * only.
 */
export function createCookieJar(
  document: Pick<Document, 'cookie' | 'location'>,
  domain: string,
): CookieJar {
  const scope = { secure: document.location.protocol === 'https:', domain }
  return {
    get: (kind) => readCookie(kind, document.cookie),
    set(kind, value) {
      document.cookie = serializeCookie(kind, value, scope)
    },
    remove(kind) {
      document.cookie = serializeCookie(kind, '', scope, 0)
    },
  }
}
