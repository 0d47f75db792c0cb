import { cookies } from './constants'

export type CookieScope = {
  /** The host's origin is https. */ secure: boolean
  /** Widens the cookie over the hosts; empty: this host alone. */ domain: string
}
export type CookieKind = keyof typeof cookies

/** One of the site's five cookies (decisions 7) as text, for `Set-Cookie` and `document.cookie` alike. The value is encoded. */
export function cookieText(
  kind: CookieKind,
  value: string,
  { secure, domain }: CookieScope,
): string {
  const { name, maxAge } = cookies[kind]
  return `${name}=${encodeURIComponent(value)}; Max-Age=${maxAge}; Path=/; SameSite=Lax${domain ? `; Domain=${domain}` : ''}${secure ? '; Secure' : ''}`
}

/** The value of one of the site's cookies in a `Cookie` header or `document.cookie`; null where it is absent, empty or not decodable. */
export function cookieValue(kind: CookieKind, header: string | undefined): string | null {
  const { name } = cookies[kind]
  for (const part of header?.split(';') ?? []) {
    const text = part.trim()
    if (!text.startsWith(`${name}=`)) continue
    try {
      return decodeURIComponent(text.slice(name.length + 1)) || null
    } catch {
      return null
    }
  }
  return null
}
