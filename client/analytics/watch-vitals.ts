import { onCLS, onFCP, onINP, onLCP, onTTFB, type Metric } from 'web-vitals'
import { maxVitals } from '../../shared/constants'
import type { LocaleCode } from '../../shared/i18n/locales'
import type { Consent } from './consent'

type Deps = {
  window: Window
  consent: Pick<Consent, 'allowed'>
  /** Id of the route that was loaded. */
  route: string
  locale: LocaleCode
  /** Hands a request to the browser, which sends it even after the page is closed. */
  sendBeacon: (address: string, body: Blob) => boolean
}

/**
 * Sends the web vitals of the first page once, when the page is hidden or closed, where measuring
 * is allowed (spec 7.7). They travel without a device id and are not events. Durations are in ms,
 * CLS has four decimals; the server refuses values above `maxVitals`.
 */
export function watchVitals({ window, consent, route, locale, sendBeacon }: Deps): () => void {
  const { document } = window
  const values: Record<string, number> = {}
  let isStopped = false
  const onValue = ({ name, value }: Metric): void => {
    const isScore = name === 'CLS'
    const rounded = isScore ? Math.round(value * 10_000) / 10_000 : Math.round(value)
    if (rounded <= (isScore ? maxVitals.cls : maxVitals.ms)) values[name.toLowerCase()] = rounded
  }
  for (const observe of [onCLS, onFCP, onINP, onLCP, onTTFB])
    observe(onValue, { reportAllChanges: true })

  function send(): void {
    if (isStopped || !consent.allowed.get() || Object.keys(values).length === 0) return
    stop()
    const body = JSON.stringify({ route, locale, ...values })
    sendBeacon('/api/site/vitals', new Blob([body], { type: 'application/json' }))
  }
  const onVisibilityChange = (): void => {
    if (document.visibilityState === 'hidden') send()
  }
  function stop(): void {
    isStopped = true
    document.removeEventListener('visibilitychange', onVisibilityChange)
    window.removeEventListener('pagehide', send)
  }
  document.addEventListener('visibilitychange', onVisibilityChange)
  window.addEventListener('pagehide', send)
  return stop
}
