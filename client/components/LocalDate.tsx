import { locales, type LocaleCode } from '../../shared/i18n/locales'

/** Making one takes longer than all the rest of a small component. */
const formats = new Map<LocaleCode, Intl.DateTimeFormat>()

/** An ISO day in words of a language, the same on server and in browser: the day is fixed to UTC. */
export function dateText(day: string, locale: LocaleCode): string {
  const format =
    formats.get(locale) ??
    new Intl.DateTimeFormat(locales[locale].language, { dateStyle: 'long', timeZone: 'UTC' })
  formats.set(locale, format)
  return format.format(new Date(`${day}T00:00:00Z`))
}

// Browsers may know another edition of a language's date words: then the server's text stands.
export function LocalDate({
  day,
  locale,
  text,
}: {
  day: string
  locale: LocaleCode
  text?: (date: string) => string
}) {
  const date = dateText(day, locale)
  return (
    <time dateTime={day} suppressHydrationWarning>
      {text ? text(date) : date}
    </time>
  )
}
