import type { Match } from '../../shared/routes/match'

/**
 * The page of a list that a query requests (spec 5.6): one whole number without leading zero. 1
 * where it is absent or the route has no pages; null, which is not found, for anything else.
 */
export function pageNumber(match: Match | null, query: string): number | null {
  const values = match?.route.query?.includes('page')
    ? new URLSearchParams(query).getAll('page')
    : []
  if (values.length === 0) return 1
  const [value = ''] = values
  return values.length === 1 && /^[1-9]\d{0,8}$/.test(value) ? Number(value) : null
}
