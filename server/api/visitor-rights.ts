import { readConsent } from '../../shared/consent'
import { cookies } from '../../shared/constants'
import type { SiteConfig } from '../content/site-config'
import type { CallContext } from './api-call'
import { countryOf } from './country'
import { deviceField } from './fields'

/**
 * Whether a visitor may be told apart from others (decisions 7): not with Global Privacy Control or a stored refusal, and in countries that the
 * operator lists only after consent. The browser decides likewise before it sends anything; this is for those that send all the same.
 */
export function mayIdentify(
  { headers, cookies: given, address }: CallContext,
  { consent_countries }: Pick<SiteConfig, 'consent_countries'>,
): boolean {
  if (headers['sec-gpc'] === '1') return false
  const consent = readConsent(given[cookies.consent.name])
  if (consent) return consent === 'accepted'
  return !consent_countries.includes(countryOf(address))
}

/** The device that a request's cookie names, or empty. */
export const deviceOf = ({ cookies: given }: Pick<CallContext, 'cookies'>): string =>
  deviceField.safeParse(given[cookies.device.name]).data ?? ''
