import { isLocaleCode, type LocaleCode } from '../../shared/i18n/locales'
import { localeOfTag } from '../../shared/i18n/match-tag'
import { chosenLocale, localeCookie } from '../../shared/locale-cookie'
import type { Origins } from '../../shared/routes/href'

type Scope = { document: Document; locale: LocaleCode; origins: Origins; cookieDomain: string }

/** The language that a visitor reads best: his choice, else the first of his browser's that we have. */
export const preferredLocale = (cookie: string, languages: readonly string[]): LocaleCode | null =>
  chosenLocale(cookie) ?? languages.map(localeOfTag).find((code) => code !== null) ?? null

/**
 * Keeps a choice of language (decisions 4): when one is taken from a language menu or from the offer, and when the
 * visitor arrives from another of the three hosts, whose cookie this one cannot read. HTML itself sets no cookie.
 */
export function startLocaleChoice({ document, locale, origins, cookieDomain }: Scope): () => void {
  const { protocol, origin } = document.location
  const keep = (code: LocaleCode): void => {
    document.cookie = localeCookie(code, { secure: protocol === 'https:', domain: cookieDomain })
  }
  const { referrer } = document
  const from = URL.canParse(referrer) ? new URL(referrer).origin : ''
  if (from !== origin && Object.values(origins).includes(from)) keep(locale)

  const onClick = (event: MouseEvent): void => {
    const link = event.target instanceof Element ? event.target.closest('a[data-locale]') : null
    const code = link?.getAttribute('data-locale')
    if (isLocaleCode(code)) keep(code)
  }
  document.addEventListener('click', onClick, true)
  return () => document.removeEventListener('click', onClick, true)
}
