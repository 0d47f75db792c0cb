export type RequestCount = {
  route: string
  locale: string
  cache: string
  status: number
  count: number
}

/** Combinations that are told apart. There are some thousand that can occur; whatever would go beyond is counted together. */
const mostSeries = 10_000

/**
 * Requests by route, language, cache and status. Nested maps of numbers, because it is asked for every cached page: counting makes neither an object nor
 * a text.
 */
export function createRequestCounts() {
  const routes = new Map<string, Map<string, Map<string, Map<number, { n: number }>>>>()
  let series = 0

  function begin(route: string, locale: string, cache: string, status: number): void {
    if (series >= mostSeries && route !== 'other') return count('other', '', '', status)
    series += 1
    const byLocale = routes.get(route) ?? new Map<string, Map<string, Map<number, { n: number }>>>()
    const byCache = byLocale.get(locale) ?? new Map<string, Map<number, { n: number }>>()
    const byStatus = byCache.get(cache) ?? new Map<number, { n: number }>()
    routes.set(route, byLocale)
    byLocale.set(locale, byCache)
    byCache.set(cache, byStatus)
    byStatus.set(status, { n: 1 })
  }

  function count(route: string, locale: string, cache: string, status: number): void {
    const known = routes.get(route)?.get(locale)?.get(cache)?.get(status)
    if (known) known.n += 1
    else begin(route, locale, cache, status)
  }

  return {
    count,
    list: (): RequestCount[] =>
      [...routes].flatMap(([route, byLocale]) =>
        [...byLocale].flatMap(([locale, byCache]) =>
          [...byCache].flatMap(([cache, byStatus]) =>
            [...byStatus].map(([status, { n }]) => ({ route, locale, cache, status, count: n })),
          ),
        ),
      ),
  }
}
