import type { ApiClient } from './api-client'
import type { Consent } from './consent'
import type { SafeStorage } from './safe-storage'

/** Where a visitor is, as far as the server can tell and tells; empty strings where it cannot. */
export type VisitorPlace = { known: () => Readonly<Record<string, string>>; ip: () => Promise<string> }

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const kept = 'place'

function read(session: SafeStorage): Readonly<Record<string, string>> | null {
  try {
    const value: unknown = JSON.parse(session.get(kept) ?? 'null')
    return value !== null && typeof value === 'object' ? Object.fromEntries(Object.entries(value).map(([name, part]) => [name, text(part)])) : null
  } catch {
    return null
  }
}

/**
 * Asks once a page for the visitor's country, on which the question for consent depends. Not knowing it counts as a country that is not listed.
 * Where nobody is asked it is kept for the tab: until it is known no event may be stored, so a visitor who goes on at once would leave none.
 */
export function locateVisitor(api: Pick<ApiClient, 'get'>, consent: Pick<Consent, 'located' | 'asking' | 'allowed'>, session: SafeStorage): VisitorPlace {
  let place = read(session) ?? {}
  if (place['country'] !== undefined) consent.located(place['country'])
  const answer = api.get('/api/sys/config/ip/get-visitor-ip').then((data) => {
    const { ip, language, ip_data } = (data ?? {}) as { ip?: unknown; language?: unknown; ip_data?: Record<string, unknown> }
    place = { locale: text(language), country: text(ip_data?.['country']), city: text(ip_data?.['city']), region: text(ip_data?.['region']) }
    consent.located(place['country'] ?? '')
    if (consent.allowed.get() && !consent.asking.get()) session.set(kept, JSON.stringify(place))
    return text(ip)
  }, () => {
    consent.located(place['country'] ?? '')
    return ''
  })
  return { known: () => place, ip: () => answer }
}
