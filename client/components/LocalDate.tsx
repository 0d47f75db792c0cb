import { locales, type LocaleCode } from '../../shared/i18n/locales'

/** Creating a format takes longer than rendering the rest of a small component, so each is kept. */
const formats = new Map<LocaleCode, Intl.DateTimeFormat>()

/** An ISO day as a localized date. UTC, so the server and every browser show the same day. */
export function formatDay(day: string, locale: LocaleCode): string {
  const format =
    formats.get(locale) ??
    new Intl.DateTimeFormat(locales[locale].language, { dateStyle: 'long', timeZone: 'UTC' })
  formats.set(locale, format)
  return format.format(new Date(`${day}T00:00:00Z`))
}

/**
 * A date. The browser's locale data can differ from the server's; hydration keeps the server's
 * text.
 */
export function LocalDate({
  day,
  locale,
  text,
}: {
  day: string
  locale: LocaleCode
  text?: (date: string) => string
}) {
  const date = formatDay(day, locale)
  return (
    <time dateTime={day} suppressHydrationWarning>
      {text ? text(date) : date}
    </time>
  )
}
