import { cookies } from '../../shared/constants'
import { isLocaleCode } from '../../shared/i18n/locales'
import { localeCookie } from '../../shared/locale-cookie'
import type { CallContext } from './api-call'
import { deviceOf } from './visitor-rights'

type Scope = {
  /** The visitor may be told apart from others. */ identified: boolean
  secure: boolean
  domain: string
}

/**
 * `Set-Cookie` lines that give the cookies a request bears their full life again: some browsers keep what scripts wrote for seven days only.
 * A cookie that is not there is not made here.
 */
export function renewedCookies(
  context: Pick<CallContext, 'cookies'>,
  { identified, secure, domain }: Scope,
): string[] {
  const locale = context.cookies[cookies.locale.name]
  const referrer = context.cookies[cookies.referrer.name]
  const device = deviceOf(context)
  const write = ({ name, maxAge }: { name: string; maxAge: number }, value: string): string =>
    `${name}=${encodeURIComponent(value)}; Path=/; Max-Age=${maxAge}; SameSite=Lax${secure ? '; Secure' : ''}${domain ? `; Domain=${domain}` : ''}`
  return [
    ...(isLocaleCode(locale) ? [localeCookie(locale, { secure, domain })] : []),
    ...(identified && device ? [write(cookies.device, device)] : []),
    ...(identified && typeof referrer === 'string' && /^https?:\/\/.{1,500}$/.test(referrer)
      ? [write(cookies.referrer, referrer)]
      : []),
  ]
}
