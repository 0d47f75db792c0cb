import { allLocales } from '../../shared/i18n/locales'

/** The languages as choices of a filter. */
export const localeOptions: ReadonlyArray<{ value: string; text: string }> = [
  { value: '', text: 'All' },
  ...allLocales.map(({ code, name }) => ({ value: code, text: `${name} (${code})` })),
]
const countryNames = new Intl.DisplayNames(['en'], { type: 'region' })
/** Name of a country code; `-` is an unknown country. */
export const countryName = (code: string): string =>
  /^[A-Z]{2}$/.test(code) ? (countryNames.of(code) ?? code) : 'unknown'
const languageNames = new Intl.DisplayNames(['en'], { type: 'language' })
const tagOf = new Map<string, string>(allLocales.map(({ code, language }) => [code, language]))
/** English name of a language by its code. */
export const languageName = (code: string): string => {
  const tag = tagOf.get(code)
  return tag === undefined ? 'unknown' : (languageNames.of(tag) ?? code)
}
