import { cookieText, cookieValue, type CookieScope } from './cookies'
import { isLocaleCode, type LocaleCode } from './i18n/locales'

/** A language choice as a cookie: readable by scripts, a year (decisions 4). */
export const localeCookie = (locale: LocaleCode, scope: CookieScope): string =>
  cookieText('locale', locale, scope)

/** The language that a visitor has chosen, from a `Cookie` header or `document.cookie`; an unknown value counts as absent. */
export function chosenLocale(cookie: string | undefined): LocaleCode | null {
  const value = cookieValue('locale', cookie)
  return isLocaleCode(value) ? value : null
}
