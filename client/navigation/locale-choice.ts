import { isLocaleCode, type LocaleCode } from '../../shared/i18n/locales'
import { localeOfTag } from '../../shared/i18n/locale-of-tag'
import { readLocaleCookie, serializeCookie } from '../../shared/cookies'
import type { Origins } from '../../shared/routes/href'
import { followedLink } from './link-target'

type Options = { document: Document; locale: LocaleCode; origins: Origins; cookieDomain: string }

/** The visitor's stored choice, else the first of the browser's languages that the site offers. */
export const preferredLocale = (cookie: string, languages: readonly string[]): LocaleCode | null =>
  readLocaleCookie(cookie) ?? languages.map(localeOfTag).find((code) => code !== null) ?? null

/**
 * Saves the visitor's language in the cookie (spec 4.5): after a click in a language menu or on the
 * language offer, and when the visitor arrives from another of the three hosts, whose cookie this
 * host cannot read. Responses with HTML set no cookie because all visitors share them.
 */
export function startLocaleChoice({
  document,
  locale,
  origins,
  cookieDomain,
}: Options): () => void {
  const { protocol, origin } = document.location
  const saveLocale = (code: LocaleCode): void => {
    document.cookie = serializeCookie('locale', code, {
      secure: protocol === 'https:',
      domain: cookieDomain,
    })
  }
  const { referrer } = document
  const referrerOrigin = URL.canParse(referrer) ? new URL(referrer).origin : ''
  if (referrerOrigin !== origin && Object.values(origins).includes(referrerOrigin))
    saveLocale(locale)

  const onClick = (event: MouseEvent): void => {
    const link = event.target instanceof Element ? event.target.closest('a[data-locale]') : null
    const code = link?.getAttribute('data-locale')
    if (!isLocaleCode(code)) return
    saveLocale(code)
    if (!followedLink(event)) return
    // An API call sends the cookie, and its answer sets the same language again. An answer that
    // comes after this click would undo the choice, so it is saved once more when the page is left.
    // `capture`: before other listeners send beacons, because these send the cookie too.
    const options = { once: true, capture: true }
    window.addEventListener('pagehide', () => saveLocale(code), options)
  }
  document.addEventListener('click', onClick, true)
  return () => document.removeEventListener('click', onClick, true)
}
