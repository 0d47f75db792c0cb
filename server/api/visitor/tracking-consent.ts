import { needsConsent, readConsent } from '../../../shared/consent'
import { cookies } from '../../../shared/constants'
import type { SiteConfig } from '../../content/site-config'
import type { CallContext } from '../define-call'
import { deviceIdField } from '../input-fields'

/**
 * Whether a visitor may be identified (spec 7.8): not with Global Privacy Control or a stored
 * refusal, and in the listed countries, or an unknown one, only after consent. The client applies
 * the same rules before it sends anything; this check covers clients that send regardless.
 */
export function isTrackingAllowed(
  { headers, cookies: requestCookies, location }: CallContext,
  { consent_countries }: Pick<SiteConfig, 'consent_countries'>,
): boolean {
  if (headers['sec-gpc'] === '1') return false
  const consent = readConsent(requestCookies[cookies.consent.name])
  if (consent) return consent === 'accepted'
  return !needsConsent(location().country, consent_countries)
}

/** The device id in a request's cookie, or an empty string. */
export const deviceIdOf = ({ cookies: requestCookies }: Pick<CallContext, 'cookies'>): string =>
  deviceIdField.safeParse(requestCookies[cookies.device.name]).data ?? ''
