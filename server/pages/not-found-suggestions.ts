import { LRUCache } from 'lru-cache'
import type { LocaleCode } from '../../shared/i18n/locales'
import type { Card } from '../../shared/page-data'
import { disabledRoutes } from '../../shared/routes/nav'
import type { ViewResult } from './create-view'
import type { PageServices } from './page-services'

const maxSuggestions = 5
/** A missing page must cost little, so it does not wait long for the search. */
const searchTimeoutMs = 300
/** Cached suggestions: floods request the same few paths, or each path only once. */
const maxCached = 200
const maxWords = 6

/** Search words of a path: the words of its last segment, without an ending such as `.php`. */
export function searchWordsOf(path: string): string {
  const lastSegment = path.split('/').filter(Boolean).at(-1) ?? ''
  return decodeOrEmpty(lastSegment)
    .replace(/\.[a-z0-9]{1,5}$/i, '')
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter((word) => word.length > 2 && word.length <= 24 && !/^\d+$/.test(word))
    .slice(0, maxWords)
    .join(' ')
}

function decodeOrEmpty(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return ''
  }
}

/**
 * Adds to a 404 page the pages that the path may have meant. When the search is busy, the page has
 * no suggestions.
 */
export function createNotFoundSuggestions({
  search,
  store,
}: Pick<PageServices, 'search' | 'store'>) {
  const cached = new LRUCache<string, readonly Card[]>({ max: maxCached })
  let cachedGeneration = -1

  async function suggestedCards(words: string, locale: LocaleCode): Promise<readonly Card[]> {
    if (cachedGeneration !== store.generation()) cached.clear()
    cachedGeneration = store.generation()
    const key = `${locale} ${words}`
    const known = cached.get(key)
    if (known) return known
    const hits = await search.suggestPages(
      {
        query: `${words} `,
        locale,
        collection: null,
        limit: maxSuggestions,
        disabledRoutes: disabledRoutes(store.siteConfig().pre_sales),
      },
      searchTimeoutMs,
    )
    const cards = hits.map(({ url, title, foreign, mark }): Card => ({
      id: url,
      href: url,
      title,
      description: '',
      ...(foreign ? { foreign } : {}),
      ...(mark ? { mark } : {}),
    }))
    if (cards.length > 0) cached.set(key, cards)
    return cards
  }

  return async function addSuggestions(result: ViewResult, path: string): Promise<ViewResult> {
    const { data, locale } = result.view
    if (result.status !== 404 || !data || !('status' in data)) return result
    const words = searchWordsOf(path)
    const nearest = words === '' ? [] : await suggestedCards(words, locale)
    return nearest.length > 0
      ? { ...result, view: { ...result.view, data: { ...data, nearest } } }
      : result
  }
}
