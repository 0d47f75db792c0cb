import type { ApiClient } from '../platform/api-client'
import type { SafeStorage } from '../platform/safe-storage'
import type { Consent } from './consent'

/** Coarse attributes that thousands of visitors share. No canvas, audio or font probing. */
export type CoarseAttributes = {
  platform: string
  languages: string
  time_zone: string
  color_depth: number
  screen: string
  touch: boolean
  cores: string
}
type Deps = {
  consent: Pick<Consent, 'allowed'>
  privacyControl: boolean
  attributes: () => CoarseAttributes
  storage: SafeStorage
  /** Undefined on pages without a secure context, which send no fingerprint. */
  subtle: Pick<SubtleCrypto, 'digest'> | undefined
  api: Pick<ApiClient, 'postForm'>
}

const storageKey = 'fingerprint_sent'

/** The offset from UTC: `UTC+07:00`. Asking `Intl` for the zone's name is slow (decision 123). */
function timeZone(): string {
  const minutes = -new Date().getTimezoneOffset()
  const twoDigits = (value: number): string => String(Math.floor(value)).padStart(2, '0')
  const distance = Math.abs(minutes)
  return `UTC${minutes < 0 ? '-' : '+'}${twoDigits(distance / 60)}:${twoDigits(distance % 60)}`
}

/**
 * Processor counts in three classes and screen sizes in steps of 100 px: enough to tell abuse from
 * a visit, too little to identify a person.
 */
export function readCoarseAttributes({
  navigator,
  screen,
}: Pick<Window, 'navigator' | 'screen'>): CoarseAttributes {
  const cores = navigator.hardwareConcurrency || 0
  const roundTo100 = (px: number): number => Math.round(px / 100) * 100
  return {
    platform: navigator.platform,
    languages: navigator.languages.slice(0, 3).join(','),
    time_zone: timeZone(),
    color_depth: screen.colorDepth,
    screen: `${roundTo100(screen.width)}x${roundTo100(screen.height)}`,
    touch: navigator.maxTouchPoints > 0,
    cores: cores > 8 ? 'many' : cores > 2 ? 'some' : 'few',
  }
}

/** Five texts of this length, each character escaped, and the hash stay below 2 KiB. */
const maxTextLength = 60

const withShortTexts = (attributes: CoarseAttributes): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.slice(0, maxTextLength) : value,
    ]),
  )

const base64 = (text: string): string =>
  btoa(String.fromCharCode(...new TextEncoder().encode(text)))

async function sha256Hex(subtle: Pick<SubtleCrypto, 'digest'>, text: string): Promise<string> {
  const digest = await subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/**
 * Sends the attributes and their hash (spec 6.5) once for each changed value, where measuring is
 * allowed and never with Global Privacy Control (spec 7.8). The hash of what was sent is stored.
 */
export function startFingerprintLog({
  consent,
  privacyControl,
  attributes,
  storage,
  subtle,
  api,
}: Deps): () => void {
  async function send(): Promise<void> {
    if (privacyControl || !consent.allowed.get() || !subtle) return
    const values = withShortTexts(attributes())
    const hash = await sha256Hex(subtle, JSON.stringify(values))
    if (storage.get(storageKey) === hash) return
    storage.set(storageKey, hash)
    const data = JSON.stringify({ ...values, hash })
    await api
      .postForm('/api/client/record-data/log', {
        log_type: 'fingerprint',
        data,
        base_encode: base64(data),
      })
      .catch(() => storage.remove(storageKey))
  }
  const stop = consent.allowed.subscribe(() => void send())
  void send()
  return stop
}
