import { locales, type LocaleCode } from './locales'

/** Name of a language in another one: English is "อังกฤษ" in Thai. Worked out on the server, because browsers may know other words. */
export const languageName = (locale: LocaleCode, inLocale: LocaleCode): string =>
  new Intl.DisplayNames([locales[inLocale].language], { type: 'language' }).of(
    locales[locale].lang,
  ) ?? locales[locale].name
