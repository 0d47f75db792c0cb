import { cookies } from '../../../shared/constants'
import { isLocaleCode } from '../../../shared/i18n/locales'
import { serializeCookie, type CookieScope } from '../../../shared/cookies'
import type { CallContext } from '../define-call'
import { deviceIdOf } from './tracking-consent'

type RenewalOptions = CookieScope & {
  /** Whether the visitor may be identified; without it only the language cookie is renewed. */
  trackingAllowed: boolean
}

/**
 * `Set-Cookie` values that give the cookies of a request their full lifetime again, because some
 * browsers delete cookies written by scripts after seven days. Creates no cookie that is missing.
 */
export function renewedCookies(
  context: Pick<CallContext, 'cookies'>,
  { trackingAllowed, ...scope }: RenewalOptions,
): string[] {
  const locale = context.cookies[cookies.locale.name]
  const referrer = context.cookies[cookies.referrer.name]
  const device = deviceIdOf(context)
  return [
    ...(isLocaleCode(locale) ? [serializeCookie('locale', locale, scope)] : []),
    ...(trackingAllowed && device ? [serializeCookie('device', device, scope)] : []),
    ...(trackingAllowed && typeof referrer === 'string' && /^https?:\/\/.{1,500}$/.test(referrer)
      ? [serializeCookie('referrer', referrer, scope)]
      : []),
  ]
}
