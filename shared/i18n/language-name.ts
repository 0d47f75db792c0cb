import { allLocales, locales, type Locale, type LocaleCode } from './locales'

/** The language, with its script where the site has the language in several: `en`, `zh-Hans`. */
function nameTag({ lang, language }: Locale): string {
  const isAmbiguous = allLocales.filter((other) => other.lang === lang).length > 1
  return isAmbiguous ? `${lang}-${new Intl.Locale(language).maximize().script}` : lang
}

/**
 * Name of a language in another language, as it is written within a sentence: English is "อังกฤษ"
 * in Thai. For the server only: browsers may use other words, and hydration would differ.
 */
export function languageName(locale: LocaleCode, inLocale: LocaleCode): string {
  const names = new Intl.DisplayNames([locales[inLocale].language], { type: 'language' })
  const name = names.of(nameTag(locales[locale])) ?? locales[locale].name
  // CLDR has the Vietnamese names as they begin a sentence: "Tiếng Anh".
  return inLocale === 'vn' ? name.replace(/^Tiếng/, 'tiếng') : name
}
