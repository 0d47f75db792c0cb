export type RequestCount = {
  route: string
  locale: string
  cache: string
  status: number
  count: number
}

/**
 * At most so many combinations are counted apart; some thousand can occur. Those above the limit
 * are counted together.
 */
const maxSeries = 10_000

/**
 * Counts requests by route, language, cache and status. It runs for every cached page, so nested
 * maps are used: counting allocates neither an object nor a string.
 */
export function createRequestCounts() {
  const routes = new Map<string, Map<string, Map<string, Map<number, { count: number }>>>>()
  let series = 0

  function addSeries(route: string, locale: string, cache: string, status: number): void {
    if (series >= maxSeries && route !== 'other') return count('other', '', '', status)
    series += 1
    const byLocale =
      routes.get(route) ?? new Map<string, Map<string, Map<number, { count: number }>>>()
    const byCache = byLocale.get(locale) ?? new Map<string, Map<number, { count: number }>>()
    const byStatus = byCache.get(cache) ?? new Map<number, { count: number }>()
    routes.set(route, byLocale)
    byLocale.set(locale, byCache)
    byCache.set(cache, byStatus)
    byStatus.set(status, { count: 1 })
  }

  function count(route: string, locale: string, cache: string, status: number): void {
    const known = routes.get(route)?.get(locale)?.get(cache)?.get(status)
    if (known) known.count += 1
    else addSeries(route, locale, cache, status)
  }

  return {
    count,
    list: (): RequestCount[] =>
      [...routes].flatMap(([route, byLocale]) =>
        [...byLocale].flatMap(([locale, byCache]) =>
          [...byCache].flatMap(([cache, byStatus]) =>
            [...byStatus].map(([status, { count }]) => ({ route, locale, cache, status, count })),
          ),
        ),
      ),
  }
}
