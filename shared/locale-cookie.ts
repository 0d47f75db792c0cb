import { cookies } from './constants'
import { isLocaleCode, type LocaleCode } from './i18n/locales'

export type CookieScope = { /** The host's origin is https. */ secure: boolean; /** Widens the cookie over the hosts; empty: this host alone. */ domain: string }

/** A language choice as a cookie: readable by scripts, a year (decisions 4). The text serves `Set-Cookie` and `document.cookie` alike. */
export function localeCookie(locale: LocaleCode, { secure, domain }: CookieScope): string {
  const { name, maxAge } = cookies.locale
  return `${name}=${locale}; Max-Age=${maxAge}; Path=/; SameSite=Lax${domain ? `; Domain=${domain}` : ''}${secure ? '; Secure' : ''}`
}

/** The language that a visitor has chosen, from a `Cookie` header or `document.cookie`; an unknown value counts as absent. */
export function chosenLocale(cookie: string | undefined): LocaleCode | null {
  for (const part of cookie?.split(';') ?? []) {
    const [name = '', value = ''] = part.trim().split('=')
    if (name === cookies.locale.name && isLocaleCode(value)) return value
  }
  return null
}
