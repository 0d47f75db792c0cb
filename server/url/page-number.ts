import type { Match } from '../../shared/routes/match'

/**
 * The page of a list that a query asks for (decisions 5): one whole number without leading zero. Absent, or not declared
 * by the route: 1. Anything else: null, which is no page.
 */
export function pageNumber(match: Match | null, query: string): number | null {
  const values = match?.route.query?.includes('page')
    ? new URLSearchParams(query).getAll('page')
    : []
  if (values.length === 0) return 1
  const [value = ''] = values
  return values.length === 1 && /^[1-9]\d{0,8}$/.test(value) ? Number(value) : null
}
