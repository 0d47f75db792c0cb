import type { z } from 'zod'
import { dayMs } from '../../../shared/constants'
import { periodFilter } from '../../../shared/console/overview'
import type { LocaleCode } from '../../../shared/i18n/locales'
import { utcDay } from '../../../shared/utc-day'
import { SiteError } from '../../errors'

/** Which days (UTC, `YYYY-MM-DD`, both included), language and country to count; null = all. */
export type InsightsFilter = {
  from: string
  to: string
  locale: LocaleCode | null
  country: string | null
}

const defaultDays = 30
/** Bounds the work of one request. The overview reads as many days again, to compare. */
const maxDays = 366

const startOf = (day: string): number => Date.parse(`${day}T00:00:00Z`)

/** Reads the filter from a query string. Throws 400 with the name of the invalid field. */
export function readFilter(search: string, now = Date.now()): InsightsFilter {
  const parsed = periodFilter.safeParse(Object.fromEntries(new URLSearchParams(search)))
  if (!parsed.success)
    throw new SiteError('badRequest', `${String(parsed.error.issues[0]?.path[0])} is not valid`)
  return resolveFilter(parsed.data, now)
}

/**
 * Completes a filter: by default the last 30 days. Throws 400 for a range that cannot be counted.
 */
export function resolveFilter(
  given: z.output<typeof periodFilter>,
  now = Date.now(),
): InsightsFilter {
  const { locale = null, country = null } = given
  const to = given.to ?? utcDay(now)
  const from = given.from ?? utcDay(startOf(to) - (defaultDays - 1) * dayMs)
  if (from > to) throw new SiteError('badRequest', 'from comes after to')
  if (startOf(to) - startOf(from) >= maxDays * dayMs)
    throw new SiteError('badRequest', `from is not valid: at most ${maxDays} days at once`)
  return { from, to, locale, country }
}

/** The time range of a filter in ms since 1970; `until` is excluded. */
export const rangeOf = ({ from, to }: InsightsFilter): { since: number; until: number } => ({
  since: startOf(from),
  until: startOf(to) + dayMs,
})

/** All days of the filter, in order. */
export function daysIn(filter: InsightsFilter): string[] {
  const { since, until } = rangeOf(filter)
  const count = Math.round((until - since) / dayMs)
  return Array.from({ length: count }, (_, index) => utcDay(since + index * dayMs))
}

/** The filter as a query string that `readFilter` reads. */
export const filterQuery = ({ from, to, locale, country }: InsightsFilter): string =>
  new URLSearchParams({
    from,
    to,
    ...(locale ? { locale } : {}),
    ...(country ? { country } : {}),
  }).toString()
