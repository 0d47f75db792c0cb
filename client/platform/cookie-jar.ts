import { cookieText, cookieValue, type CookieKind } from '../../shared/cookies'

export type CookieJar = {
  get: (kind: CookieKind) => string | null
  set: (kind: CookieKind, value: string) => void
}

/** The site's cookies as scripts see them. `domain` widens them over the three hosts; empty: this host alone. */
export function cookieJar(
  document: Pick<Document, 'cookie' | 'location'>,
  domain: string,
): CookieJar {
  return {
    get: (kind) => cookieValue(kind, document.cookie),
    set(kind, value) {
      document.cookie = cookieText(kind, value, {
        secure: document.location.protocol === 'https:',
        domain,
      })
    },
  }
}
