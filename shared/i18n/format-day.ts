import { locales, type LocaleCode } from './locales'

/** Creating a format takes longer than rendering the rest of a small component, so each is kept. */
const formats = new Map<LocaleCode, Intl.DateTimeFormat>()

/** An ISO day as a localized date. UTC, so that everyone sees the same day. */
export function formatDay(day: string, locale: LocaleCode): string {
  const format =
    formats.get(locale) ??
    new Intl.DateTimeFormat(locales[locale].language, { dateStyle: 'long', timeZone: 'UTC' })
  formats.set(locale, format)
  return format.format(new Date(`${day}T00:00:00Z`))
}
