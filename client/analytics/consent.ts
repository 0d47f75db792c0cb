import { consentValues, readConsent, type Consent as ConsentAnswer } from '../../shared/consent'
import type { CookieJar } from '../platform/cookie-jar'
import { createStore, type Store } from '../platform/store'

/** What a visitor has said; null before he was asked or while he has not answered. */
export type ConsentChoice = ConsentAnswer | null
export type Consent = {
  choice: Pick<Store<ConsentChoice>, 'get' | 'subscribe'>
  /** Whether the banner is to be seen. */
  asking: Pick<Store<boolean>, 'get' | 'subscribe'>
  /** Whether something may be measured: null while it is not known. */
  allowed: Pick<Store<boolean | null>, 'get' | 'subscribe'>
  decide: (choice: ConsentAnswer) => void
  /** Shows the banner again, from the footer. */
  ask: () => void
  /** The visitor's country is known (empty: it is not). */
  located: (country: string) => void
}
type Deps = {
  jar: Pick<CookieJar, 'get' | 'set'>
  /** Global Privacy Control. */ privacyControl: boolean
  countries: readonly string[]
}

/**
 * Whether a visitor may be measured (decisions 7). His own choice stands above the browser's signal; the signal counts as a refusal;
 * where the configuration asks for consent nothing is measured before it is given; elsewhere measuring is on until it is refused.
 */
export function createConsent({ jar, privacyControl, countries }: Deps): Consent {
  const choice = createStore<ConsentChoice>(readConsent(jar.get('consent')))
  const asking = createStore(false)
  let country: string | null = null
  const current = (): boolean | null => {
    const said = choice.get()
    if (said) return said === 'accepted'
    if (privacyControl) return false
    if (countries.length === 0) return true
    return country === null ? null : !countries.includes(country)
  }
  const allowed = createStore<boolean | null>(current())
  return {
    choice,
    asking,
    allowed,
    decide(next) {
      jar.set('consent', consentValues[next])
      choice.set(next)
      asking.set(false)
      allowed.set(current())
    },
    ask: () => asking.set(true),
    located(found) {
      country = found
      allowed.set(current())
      if (choice.get() === null && !privacyControl && countries.includes(found)) asking.set(true)
    },
  }
}
