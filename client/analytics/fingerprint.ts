import type { ApiClient } from '../platform/api-client'
import type { SafeStorage } from '../platform/safe-storage'
import type { Consent } from './consent'

/** Coarse attributes that thousands of visitors share. No canvas, audio or font probing. */
export type CoarseAttributes = {
  platform: string
  languages: string
  time_zone: string
  colour_depth: number
  screen: string
  touch: boolean
  cores: string
}
type Deps = {
  consent: Pick<Consent, 'allowed'>
  privacyControl: boolean
  attributes: () => CoarseAttributes
  storage: SafeStorage
  api: Pick<ApiClient, 'postForm'>
}

const storageKey = 'fingerprint_sent'

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
    time_zone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
    colour_depth: screen.colorDepth,
    screen: `${roundTo100(screen.width)}x${roundTo100(screen.height)}`,
    touch: navigator.maxTouchPoints > 0,
    cores: cores > 8 ? 'many' : cores > 2 ? 'some' : 'few',
  }
}

const base64 = (text: string): string =>
  btoa(String.fromCharCode(...new TextEncoder().encode(text)))

/**
 * Sends the attributes once for each changed value, where measuring is allowed and never with
 * Global Privacy Control (spec 7.8).
 */
export function startFingerprintLog({
  consent,
  privacyControl,
  attributes,
  storage,
  api,
}: Deps): () => void {
  async function send(): Promise<void> {
    if (privacyControl || !consent.allowed.get()) return
    const json = JSON.stringify(attributes())
    if (storage.get(storageKey) === json) return
    storage.set(storageKey, json)
    await api
      .postForm('/api/client/record-data/log', {
        log_type: 'fingerprint',
        data: '{}',
        base_encode: base64(json),
      })
      .catch(() => storage.remove(storageKey))
  }
  const stop = consent.allowed.subscribe(() => void send())
  void send()
  return stop
}
