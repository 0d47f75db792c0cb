import type { Collection } from '../../shared/front-matter'
import { collections } from '../../shared/front-matter'
import { languageName } from '../../shared/i18n/language-name'
import { localeCodes, locales, type LocaleCode } from '../../shared/i18n/locales'
import type { RouteId } from '../../shared/routes/table'
import type { SearchHit, SearchResult } from '../../shared/search-result'
import type { Connection } from '../content/database'
import { fold } from '../content/fold-text'
import { entryHref } from '../url/entry-href'
import { createCandidateFinder, type Candidate } from './candidates'
import { createExcerpt, type Highlight } from './excerpt'
import { stemOf, type CollectionFilter } from './match-expression'
import { readQuery, significantTerms, withoutRepeats, type Query } from './read-query'
import { createPageResolver, type PageResolver, type ResolvedPage } from './resolve-page'

export type SearchRequest = {
  query: string
  locale: LocaleCode
  collection: Collection | null
  /** Maximum number of hits. */
  limit: number
  /** Routes whose pages are switched off. */
  disabledRoutes: readonly RouteId[]
  /** Search titles, headings and ids only: for suggestions on a page that was not found. */
  namesOnly?: boolean
}

/**
 * In the page's language, the search stops at twice the limit, but counts at least this many, so
 * that `total` is exact for small results.
 */
const minCounted = 40
/** Hits of a fallback may be pages that the language has itself, so more of them are looked up. */
const maxFallbackCandidates = 150

type Result = ResolvedPage & {
  isList: boolean
  /** 2: the title is the query; 1: the title contains it; 0: the text does. */
  titleRank: number
  stage: number
  score: number
}

/** Of two pages that match equally well, the one that explains is better. 1 where absent. */
const collectionWeights: Readonly<Partial<Record<Collection, number>>> = {
  docs: 1.3,
  helps: 1.35,
  guide: 1.2,
  blog: 1.15,
  features: 1.1,
  pages: 1.05,
  solutions: 0.85,
  news: 0.9,
  industries: 0.8,
  alternatives: 0.75,
  partner: 0.8,
  release: 0.8,
}

/** The length is compared first: folding hundreds of titles takes longer than finding them. */
const isSameTitle = (title: string, foldedQuery: string): boolean =>
  Math.abs(title.length - foldedQuery.length) < 8 && fold(title).trim() === foldedQuery

/** What an excerpt highlights: insignificant terms only where there are no others. */
function highlightsOf(
  { whole, terms }: Query,
  corrections: ReadonlyMap<string, readonly string[]>,
): Highlight[] {
  return significantTerms(withoutRepeats([...whole, ...terms])).flatMap((term): Highlight[] => {
    if (term.kind === 'letters') return [{ text: term.text, match: 'anywhere' }]
    const stem = stemOf(term)
    const corrected = corrections.get(term.text) ?? []
    return [
      { text: term.text, match: term.unfinished ? 'prefix' : 'word' },
      ...(stem ? [{ text: stem, match: 'prefix' as const }] : []),
      ...corrected.map((word): Highlight => ({ text: word, match: 'word' })),
    ]
  })
}

/** Collections that a language does not offer, such as the Russian blog, are not searched. */
const offeredCollections: ReadonlyMap<LocaleCode, CollectionFilter> = new Map(
  localeCodes.map((locale) => {
    const missing = collections.filter(
      (collection) => collection !== 'industries' && entryHref(collection, 'any', locale) === null,
    )
    return [locale, { except: missing }]
  }),
)

/** Texts in the page's language first, then those whose title matches, then by stage and score. */
const compareResults =
  (locale: LocaleCode) =>
  (a: Result, b: Result): number =>
    Number(a.locale !== locale) - Number(b.locale !== locale) ||
    b.titleRank - a.titleRank ||
    Number(a.isList) - Number(b.isList) ||
    a.stage - b.stage ||
    b.score - a.score

function toResult(
  pages: PageResolver,
  { key, inTitle, stage, score }: Candidate,
  source: LocaleCode,
  { locale, disabledRoutes }: SearchRequest,
  foldedQuery: string,
): Result | null {
  const page = pages.resolve(key, source, locale, disabledRoutes)
  if (!page) return null
  const hasSameTitle = inTitle && isSameTitle(page.title, foldedQuery)
  return {
    ...page,
    isList: !inTitle && pages.isList(key),
    titleRank: Number(inTitle) + Number(hasSameTitle),
    stage,
    score: score * (collectionWeights[page.collection] ?? 1),
  }
}

function toHit(
  pages: PageResolver,
  { url, title, collection, key, locale: source, hasMenuTitle }: Result,
  highlights: readonly Highlight[],
  locale: LocaleCode,
): SearchHit {
  const { description, text } = pages.textOf(key)
  return {
    url,
    title,
    collection,
    ...createExcerpt(description, text, highlights),
    ...(source === locale ? {} : { foreign: source }),
    ...(hasMenuTitle ? { mark: languageName(source, locale) } : {}),
  }
}

/**
 * Searches the content database. Hits in the page's language come first, then those in its fallback
 * languages, for pages that are not translated. Only pages that the language offers are found. It
 * is synchronous and runs in a process that can be killed (`search-process.ts`).
 */
export function createSearcher(db: Connection): (request: SearchRequest) => SearchResult {
  const findCandidates = createCandidateFinder(db)
  const pages = createPageResolver(db)
  return (request) => {
    const { locale, collection, limit, namesOnly = false } = request
    const foldedQuery = fold(request.query).trim()
    const results = new Map<string, Result>()
    const highlights: Highlight[] = []
    for (const source of locales[locale].fallback) {
      // Fallback languages are searched only where the page's own language has too few hits.
      if (results.size >= limit) break
      const query = readQuery(request.query, source)
      if (query.terms.length === 0) break
      const { candidates, corrections } = findCandidates({
        query,
        locale: source,
        collections: collection
          ? { only: collection }
          : (offeredCollections.get(locale) ?? { except: [] }),
        enough: limit,
        maxShown: source === locale ? Math.max(2 * limit, minCounted) : maxFallbackCandidates,
        namesOnly,
      })
      highlights.push(...highlightsOf(query, corrections))
      const found = new Map<string, Result>()
      for (const candidate of candidates) {
        const result = toResult(pages, candidate, source, request, foldedQuery)
        if (result && !results.has(result.url) && !found.has(result.url))
          found.set(result.url, result)
      }
      for (const result of [...found.values()].sort(compareResults(locale)))
        results.set(result.url, result)
    }
    const ranked = [...results.values()]
    return {
      hits: ranked.slice(0, limit).map((result) => toHit(pages, result, highlights, locale)),
      total: ranked.length,
    }
  }
}
