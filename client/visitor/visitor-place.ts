import type { ApiClient } from './api-client'
import type { Consent } from './consent'

/** Where a visitor is, as far as the server can tell and tells; empty strings where it cannot. */
export type VisitorPlace = { known: () => Readonly<Record<string, string>>; ip: () => Promise<string> }

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Asks once for the visitor's country, on which the question for consent depends. Not knowing it counts as a country that is not listed. */
export function locateVisitor(api: Pick<ApiClient, 'get'>, consent: Pick<Consent, 'located'>): VisitorPlace {
  let place: Readonly<Record<string, string>> = {}
  const answer = api.get('/api/sys/config/ip/get-visitor-ip').then((data) => {
    const { ip, language, ip_data } = (data ?? {}) as { ip?: unknown; language?: unknown; ip_data?: Record<string, unknown> }
    place = { locale: text(language), country: text(ip_data?.['country']), city: text(ip_data?.['city']), region: text(ip_data?.['region']) }
    consent.located(place['country'] ?? '')
    return text(ip)
  }, () => {
    consent.located('')
    return ''
  })
  return { known: () => place, ip: () => answer }
}
