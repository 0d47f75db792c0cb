import { locales, type LocaleCode } from './locales'

/** One for each language, because creating a format takes much longer than using it. */
const formats = new Map<LocaleCode, Intl.DateTimeFormat>()

/**
 * Writes a day by the rules of the language: `2026-11-21` becomes `November 21, 2026`. The time
 * zone is UTC, because the server's own could make it the day before.
 */
export function formatDay(day: string, locale: LocaleCode): string {
  const format =
    formats.get(locale) ??
    new Intl.DateTimeFormat(locales[locale].language, { dateStyle: 'long', timeZone: 'UTC' })
  formats.set(locale, format)
  return format.format(new Date(`${day}T00:00:00Z`))
}
