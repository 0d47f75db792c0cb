import { cookies } from '../../shared/constants'
import type { LocaleCode } from '../../shared/i18n/locales'

/** `Set-Cookie` of a language choice: readable by scripts, a year, `Secure` where the host's origin is https (decisions 4). */
export function localeCookie(locale: LocaleCode, secure: boolean, domain: string): string {
  const { name, maxAge } = cookies.locale
  return `${name}=${locale}; Max-Age=${maxAge}; Path=/; SameSite=Lax${domain ? `; Domain=${domain}` : ''}${secure ? '; Secure' : ''}`
}
