import type { ApiClient } from '../platform/api-client'
import type { SafeStorage } from '../platform/safe-storage'
import { toRecord } from '../platform/to-record'
import type { Consent } from './consent'

/**
 * Locale, country, city, region and time zone; empty strings where the server does not know them.
 */
type LocationFields = Readonly<Record<string, string>>
export type VisitorLocation = {
  /** What is known so far; empty before the server's answer. */
  current: () => LocationFields
  /** IP address of the visitor; empty when the server cannot be reached. */
  ip: () => Promise<string>
}

const storageKey = 'place'
/** How long a stored location is used for the next pages. */
const ttlMs = 3_600_000

const toText = (value: unknown): string => (typeof value === 'string' ? value : '')

function readStored(storage: SafeStorage, now: number): LocationFields | null {
  try {
    const { at, place } = toRecord(JSON.parse(storage.get(storageKey) ?? ''))
    const isFresh = typeof at === 'number' && at <= now && now - at < ttlMs
    return isFresh && place !== null && typeof place === 'object'
      ? Object.fromEntries(Object.entries(place).map(([name, value]) => [name, toText(value)]))
      : null
  } catch {
    return null
  }
}

/**
 * Asks the server once per page for the visitor's country, which decides whether consent is needed.
 * A failure counts as an unknown country. Where consent is not needed, the location is
 * stored for an hour: until it is known no event may be stored, so a visitor who soon opens the
 * next page would leave no events.
 */
export function locateVisitor(
  api: Pick<ApiClient, 'get'>,
  consent: Pick<Consent, 'setCountry' | 'bannerVisible' | 'allowed'>,
  storage: SafeStorage,
  now: () => number,
): VisitorLocation {
  let location = readStored(storage, now()) ?? {}
  if (location['country'] !== undefined) consent.setCountry(location['country'])

  function onAnswer(data: unknown): string {
    const { ip, language, ip_data: ipData } = toRecord(data)
    const { country, city, region, timezone } = toRecord(ipData)
    location = {
      locale: toText(language),
      country: toText(country),
      city: toText(city),
      region: toText(region),
      timezone: toText(timezone),
    }
    consent.setCountry(toText(country))
    if (consent.allowed.get() && !consent.bannerVisible.get())
      storage.set(storageKey, JSON.stringify({ at: now(), place: location }))
    else storage.remove(storageKey)
    return toText(ip)
  }
  const answer = api.get('/api/sys/config/ip/get-visitor-ip').then(onAnswer, () => {
    consent.setCountry(location['country'] ?? '')
    return ''
  })
  return { current: () => location, ip: () => answer }
}
