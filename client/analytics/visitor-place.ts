import type { ApiClient } from '../platform/api-client'
import type { Consent } from './consent'
import type { SafeStorage } from '../platform/safe-storage'

/** Where a visitor is, as far as the server can tell and tells; empty strings where it cannot. */
export type VisitorPlace = {
  known: () => Readonly<Record<string, string>>
  ip: () => Promise<string>
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const kept = 'place'
/** How long what was answered once holds for the next page (ms). */
const keptFor = 3_600_000

function read(storage: SafeStorage, now: number): Readonly<Record<string, string>> | null {
  try {
    const { at, place } = JSON.parse(storage.get(kept) ?? '') as { at?: unknown; place?: unknown }
    const fresh = typeof at === 'number' && at <= now && now - at < keptFor
    return fresh && place !== null && typeof place === 'object'
      ? Object.fromEntries(Object.entries(place).map(([name, part]) => [name, text(part)]))
      : null
  } catch {
    return null
  }
}

/**
 * Asks once a page for the visitor's country, on which the question for consent depends. Not knowing it counts as a country that is not listed.
 * Where nobody is asked it is kept for an hour: until it is known no event may be stored, so of a visitor who goes on at once none would be left.
 */
export function locateVisitor(
  api: Pick<ApiClient, 'get'>,
  consent: Pick<Consent, 'located' | 'asking' | 'allowed'>,
  storage: SafeStorage,
  now: () => number,
): VisitorPlace {
  let place = read(storage, now()) ?? {}
  if (place['country'] !== undefined) consent.located(place['country'])
  const answer = api.get('/api/sys/config/ip/get-visitor-ip').then(
    (data) => {
      const { ip, language, ip_data } = (data ?? {}) as {
        ip?: unknown
        language?: unknown
        ip_data?: Record<string, unknown>
      }
      place = {
        locale: text(language),
        country: text(ip_data?.['country']),
        city: text(ip_data?.['city']),
        region: text(ip_data?.['region']),
      }
      consent.located(place['country'] ?? '')
      if (consent.allowed.get() && !consent.asking.get())
        storage.set(kept, JSON.stringify({ at: now(), place }))
      else storage.remove(kept)
      return text(ip)
    },
    () => {
      consent.located(place['country'] ?? '')
      return ''
    },
  )
  return { known: () => place, ip: () => answer }
}
