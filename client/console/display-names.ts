import { allLocales } from '../../shared/i18n/locales'

const countryNames = new Intl.DisplayNames(['en'], { type: 'region' })
/** Name of a country code; `-` is an unknown country. */
export const countryName = (code: string): string =>
  /^[A-Z]{2}$/.test(code) ? (countryNames.of(code) ?? code) : 'unknown'
const languageNames = new Intl.DisplayNames(['en'], { type: 'language' })
const tagOf = new Map<string, string>(allLocales.map(({ code, language }) => [code, language]))
/** English name of a language of the site by its code. */
export const languageName = (code: string): string => {
  const tag = tagOf.get(code)
  return tag === undefined ? 'unknown' : (languageNames.of(tag) ?? code)
}
