import { z } from 'zod'
import { localeCodes, type LocaleCode } from '../../../shared/i18n/locales'
import { SiteError } from '../../errors'

/** What insights are asked for: whole days of UTC, the first and the last included; null = all. */
export type InsightsFilter = {
  from: string
  to: string
  locale: LocaleCode | null
  country: string | null
}

const dayLength = 24 * 60 * 60 * 1000
/** Days shown when nothing is asked for, and the most that may be asked for: events are kept for fewer. */
const usualDays = 30
const mostDays = 366

export const dayOf = (moment: number): string => new Date(moment).toISOString().slice(0, 10)
const startOf = (day: string): number => Date.parse(`${day}T00:00:00Z`)

/** An empty field of a form asks for nothing. */
const optional = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional())
const day = z.iso.date()
const query = z.object({
  from: optional(day),
  to: optional(day),
  locale: optional(z.enum(localeCodes)),
  // Two letters, or one hyphen for visitors of whom no country is known.
  country: optional(z.string().regex(/^(?:[A-Z]{2}|-)$/)),
})

/** Reads the filter of a query string; 400 names the field that is wrong. */
export function readFilter(search: string, now = Date.now()): InsightsFilter {
  const parsed = query.safeParse(Object.fromEntries(new URLSearchParams(search)))
  if (!parsed.success)
    throw new SiteError('badRequest', `${String(parsed.error.issues[0]?.path[0])} is not valid`)
  const { locale = null, country = null } = parsed.data
  const to = parsed.data.to ?? dayOf(now)
  const from = parsed.data.from ?? dayOf(startOf(to) - (usualDays - 1) * dayLength)
  if (from > to) throw new SiteError('badRequest', 'from comes after to')
  if (startOf(to) - startOf(from) >= mostDays * dayLength)
    throw new SiteError('badRequest', `from is not valid: at most ${mostDays} days at once`)
  return { from, to, locale, country }
}

/** First moment of the filter's range, and the first after it (ms). */
export const momentsOf = ({ from, to }: InsightsFilter): { since: number; until: number } => ({
  since: startOf(from),
  until: startOf(to) + dayLength,
})

/** Every day of the range, the earliest first. */
export function daysOf(filter: InsightsFilter): string[] {
  const { since, until } = momentsOf(filter)
  return Array.from({ length: Math.round((until - since) / dayLength) }, (_, index) =>
    dayOf(since + index * dayLength),
  )
}

/** The filter as a query string, complete. */
export const filterQuery = ({ from, to, locale, country }: InsightsFilter): string =>
  new URLSearchParams({
    from,
    to,
    ...(locale ? { locale } : {}),
    ...(country ? { country } : {}),
  }).toString()
