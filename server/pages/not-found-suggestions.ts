import type { Card } from '../../shared/page-data'
import { disabledRoutes } from '../../shared/routes/nav'
import type { SearchResult } from '../../shared/search-result'
import type { PageServices, SimilarPages } from './page-services'

const maxSuggestions = 5
/** A missing page must cost little, so its answer is not held open long for the search. */
const searchTimeoutMs = 1000
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

/** The pages that the words of a missing path may have meant. */
export function createSimilarPages({
  search,
  store,
}: Pick<PageServices, 'search' | 'store'>): SimilarPages {
  return function similarPages(words, locale) {
    const found = search.suggestPages(
      {
        query: `${words} `,
        locale,
        collection: null,
        limit: maxSuggestions,
        disabledRoutes: disabledRoutes(store.siteConfig().pre_sales),
      },
      searchTimeoutMs,
    )
    return found instanceof Promise ? found.then(cardsOfHits) : cardsOfHits(found)
  }
}

const cardsOfHits = (hits: SearchResult['hits']): readonly Card[] =>
  hits.map(({ url, title, foreign, mark }) => ({
    id: url,
    href: url,
    title,
    description: '',
    ...(foreign ? { foreign } : {}),
    ...(mark ? { mark } : {}),
  }))
