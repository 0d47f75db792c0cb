import {
  consentValues,
  needsConsent,
  readConsent,
  type Consent as ConsentAnswer,
} from '../../shared/consent'
import type { CookieJar } from '../platform/cookie-jar'
import { createStore, type Store } from '../platform/store'

export type Consent = {
  bannerVisible: Pick<Store<boolean>, 'get' | 'subscribe'>
  /** Whether the visitor may be measured; null while that is not known. */
  allowed: Pick<Store<boolean | null>, 'get' | 'subscribe'>
  /** Whether the current answer is an acceptance on this page, not one that was read. */
  isAcceptedHere: () => boolean
  decide: (answer: ConsentAnswer) => void
  /** Applies an answer that was given on another page or in another tab. */
  refresh: () => void
  /** Shows the banner again; the footer has a link for it. */
  showBanner: () => void
  /** Sets the visitor's country, an ISO 3166-1 code; empty when it is unknown. */
  setCountry: (country: string) => void
}
type Deps = {
  cookies: CookieJar
  /** The browser sends Global Privacy Control. */
  privacyControl: boolean
  /** Countries whose visitors are asked. */
  countries: readonly string[]
}

/**
 * Decides whether a visitor may be measured (spec 7.8). The visitor's own choice overrides the
 * browser's signal. The signal counts as a refusal. In the configured countries, and in an unknown
 * one, nothing is measured before the visitor accepts. Elsewhere measuring is on until the visitor
 * refuses.
 */
export function createConsent({ cookies, privacyControl, countries }: Deps): Consent {
  let answer = readConsent(cookies.get('consent'))
  let isAcceptedHere = false
  const bannerVisible = createStore(false)
  let country: string | null = null
  const isAllowed = (): boolean | null => {
    if (answer) return answer === 'accepted'
    if (privacyControl) return false
    if (countries.length === 0) return true
    return country === null ? null : !needsConsent(country, countries)
  }
  const allowed = createStore<boolean | null>(isAllowed())
  function apply(given: ConsentAnswer, isHere: boolean): void {
    answer = given
    isAcceptedHere = isHere && given === 'accepted'
    bannerVisible.set(false)
    allowed.set(isAllowed())
    if (given === 'refused') cookies.remove('device')
  }
  return {
    bannerVisible,
    allowed,
    isAcceptedHere: () => isAcceptedHere,
    decide(given) {
      cookies.set('consent', consentValues[given])
      apply(given, true)
    },
    refresh() {
      const stored = readConsent(cookies.get('consent'))
      // Without a cookie the answer stays: where cookies are blocked, only this page knows it.
      if (stored && stored !== answer) apply(stored, false)
    },
    showBanner: () => bannerVisible.set(true),
    setCountry(found) {
      country = found
      allowed.set(isAllowed())
      if (answer === null && !privacyControl && needsConsent(found, countries))
        bannerVisible.set(true)
    },
  }
}

/**
 * Rereads the answer whenever the page is shown, focused or hidden: the visitor may have answered
 * in another tab, or on a later page before going back. Starts before the services that follow the
 * answer, so that it is current when they handle the same event.
 */
export function followConsent(window: Window, { refresh }: Pick<Consent, 'refresh'>): () => void {
  const { document } = window
  document.addEventListener('visibilitychange', refresh)
  window.addEventListener('pageshow', refresh)
  window.addEventListener('focus', refresh)
  return () => {
    document.removeEventListener('visibilitychange', refresh)
    window.removeEventListener('pageshow', refresh)
    window.removeEventListener('focus', refresh)
  }
}
