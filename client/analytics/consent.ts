import {
  consentValues,
  needsConsent,
  readConsent,
  type Consent as ConsentAnswer,
} from '../../shared/consent'
import type { CookieJar } from '../platform/cookie-jar'
import { createStore, type Store } from '../platform/store'

export type Consent = {
  /** The visitor's answer; null while there is none. */
  choice: Pick<Store<ConsentAnswer | null>, 'get' | 'subscribe'>
  bannerVisible: Pick<Store<boolean>, 'get' | 'subscribe'>
  /** Whether the visitor may be measured; null while that is not known. */
  allowed: Pick<Store<boolean | null>, 'get' | 'subscribe'>
  decide: (choice: ConsentAnswer) => void
  /** Shows the banner again; the footer has a link for it. */
  showBanner: () => void
  /** Sets the visitor's country, an ISO 3166-1 code; empty when it is unknown. */
  setCountry: (country: string) => void
}
type Deps = {
  cookies: Pick<CookieJar, 'get' | 'set'>
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
  const choice = createStore<ConsentAnswer | null>(readConsent(cookies.get('consent')))
  const bannerVisible = createStore(false)
  let country: string | null = null
  const isAllowed = (): boolean | null => {
    const answer = choice.get()
    if (answer) return answer === 'accepted'
    if (privacyControl) return false
    if (countries.length === 0) return true
    return country === null ? null : !needsConsent(country, countries)
  }
  const allowed = createStore<boolean | null>(isAllowed())
  return {
    choice,
    bannerVisible,
    allowed,
    decide(answer) {
      cookies.set('consent', consentValues[answer])
      choice.set(answer)
      bannerVisible.set(false)
      allowed.set(isAllowed())
    },
    showBanner: () => bannerVisible.set(true),
    setCountry(found) {
      country = found
      allowed.set(isAllowed())
      if (choice.get() === null && !privacyControl && needsConsent(found, countries))
        bannerVisible.set(true)
    },
  }
}
