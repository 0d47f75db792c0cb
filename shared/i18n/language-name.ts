import { locales, type LocaleCode } from './locales'

/**
 * Name of a language in another language: English is "อังกฤษ" in Thai. For the server only:
 * browsers may use other words, and hydration would differ.
 */
export const languageName = (locale: LocaleCode, inLocale: LocaleCode): string =>
  new Intl.DisplayNames([locales[inLocale].language], { type: 'language' }).of(
    locales[locale].lang,
  ) ?? locales[locale].name
