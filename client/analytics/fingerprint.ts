import type { ApiClient } from '../platform/api-client'
import type { Consent } from './consent'
import type { SafeStorage } from '../platform/safe-storage'

/** Coarse attributes that thousands of visitors share; nothing is drawn, played or listed to find them. */
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
  consent: Pick<Consent, 'allowed' | 'choice'>
  privacyControl: boolean
  attributes: () => CoarseAttributes
  storage: SafeStorage
  api: Pick<ApiClient, 'postForm'>
}

const sent = 'fingerprint_sent'

/** Processor counts in three classes, screens to the next 100 px: enough to tell abuse from a visit, too little to tell people apart. */
export function coarseAttributes(page: Pick<Window, 'navigator' | 'screen'>): CoarseAttributes {
  const { navigator, screen } = page
  const cores = navigator.hardwareConcurrency || 0
  const rounded = (value: number): number => Math.round(value / 100) * 100
  return {
    platform: navigator.platform,
    languages: navigator.languages.slice(0, 3).join(','),
    time_zone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
    colour_depth: screen.colorDepth,
    screen: `${rounded(screen.width)}x${rounded(screen.height)}`,
    touch: navigator.maxTouchPoints > 0,
    cores: cores > 8 ? 'many' : cores > 2 ? 'some' : 'few',
  }
}

const base64 = (text: string): string =>
  btoa(String.fromCharCode(...new TextEncoder().encode(text)))

/** Sends the attributes once for each changed value, where measuring is allowed and never with Global Privacy Control. */
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
    if (storage.get(sent) === json) return
    storage.set(sent, json)
    await api
      .postForm('/api/client/record-data/log', {
        log_type: 'fingerprint',
        data: '{}',
        base_encode: base64(json),
      })
      .catch(() => storage.remove(sent))
  }
  const stop = consent.allowed.subscribe(() => void send())
  void send()
  return stop
}
