import { cookies } from './constants'
import { isLocaleCode, type LocaleCode } from './i18n/locales'

export type CookieScope = {
  /** Whether the host's origin is https. */
  secure: boolean
  /** Parent domain that shares the cookie between the hosts; empty: this host only. */
  domain: string
}
export type CookieKind = keyof typeof cookies

/**
 * Text of a cookie for `Set-Cookie` and `document.cookie`. The value is percent-encoded. A lifetime
 * of 0 deletes the cookie.
 */
export const cookieText = (
  name: string,
  value: string,
  options: { maxAgeSeconds: number; attributes: readonly string[]; secure: boolean },
): string =>
  [
    `${name}=${encodeURIComponent(value)}`,
    `Max-Age=${options.maxAgeSeconds}`,
    ...options.attributes,
    ...(options.secure ? ['Secure'] : []),
  ].join('; ')

/** Text of one of the site's cookies (spec 12.1). */
export function serializeCookie(
  kind: CookieKind,
  value: string,
  { secure, domain }: CookieScope,
  maxAgeSeconds: number = cookies[kind].maxAgeSeconds,
): string {
  const attributes = ['Path=/', 'SameSite=Lax', ...(domain ? [`Domain=${domain}`] : [])]
  return cookieText(cookies[kind].name, value, { maxAgeSeconds, attributes, secure })
}

/**
 * Value of one of the site's cookies in a `Cookie` header or in `document.cookie`; null where it
 * is absent, empty or not decodable.
 */
export function readCookie(kind: CookieKind, header: string | undefined): string | null {
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

/** The language that a visitor chose; an unknown value counts as absent (spec 4.5). */
export function readLocaleCookie(header: string | undefined): LocaleCode | null {
  const value = readCookie('locale', header)
  return isLocaleCode(value) ? value : null
}
