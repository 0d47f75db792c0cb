import { collections, type Collection } from '../../shared/content'
import { languageName } from '../../shared/i18n/language-name'
import { locales, type LocaleCode } from '../../shared/i18n/locales'
import { href } from '../../shared/routes/href'
import type { Params } from '../../shared/routes/match'
import { routeOf, type RouteId } from '../../shared/routes/table'
import type { SearchHit, SearchResult } from '../../shared/search-result'
import type { Connection } from '../content/database'
import { fold } from '../content/fold-text'
import { entryHref } from '../url/entry-href'
import { createCandidates } from './candidates'
import { excerptOf, type Mark } from './excerpt'
import { stemOf, type Places } from './match-expression'
import { isTelling, readQuery, type Query } from './read-query'

export type SearchRequest = {
  query: string
  locale: LocaleCode
  collection: Collection | null
  /** Hits wanted. */ limit: number
  /** Pages that are switched off. */ off: readonly RouteId[]
  /** Only what its title, its headings or its id name: for an address that leads nowhere. */ named?: boolean
}

/** A page's own language is not searched for texts behind twice as many titles as are wanted; a count up to so many is whole all the same. */
const fewestCounted = 40
/** Of a fallback's titles any number may be pages that the language has itself, so many more are looked at. */
const mostForeign = 150

type Opened = {
  url: string
  title: string
  collection: Collection
  /** Row that the excerpt comes from. */ key: number
  locale: LocaleCode
  /** The title is the interface's name of a page whose text is foreign. */ named: boolean
}
type Found = Opened & {
  /** A list of articles that only names what its articles explain. */ list: boolean
  /** 2 = the title is the query, 1 = the title holds it, 0 = the text does. */ rank: number
  stage: number
  score: number
}
type ArticleRow = { collection: Collection; id: string; title: string; live: number }
type Text = { locale: LocaleCode; key: number; title: string }
type PageRow = { route: RouteId; params: string; collection: Collection; id: string; title: string }

/** Of two pages that fit equally well, visitors look for the one that explains. */
const worth: Readonly<Record<Collection, number>> = {
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

/** Whether a title is what was typed. Folding hundreds of titles would take longer than finding them. */
const isTitle = (title: string, typed: string): boolean =>
  Math.abs(title.length - typed.length) < 8 && fold(title).trim() === typed

/** What is marked in an excerpt: what tells little only when there is nothing else. */
function marksOf(
  { whole, terms: parts }: Query,
  corrections: ReadonlyMap<string, readonly string[]>,
): Mark[] {
  const all = [...whole, ...parts].filter(
    ({ text }, index, list) => list.findIndex((other) => other.text === text) === index,
  )
  const terms = all.some(isTelling) ? all.filter(isTelling) : all
  return terms.flatMap((term): Mark[] => {
    if (term.kind === 'letters') return [{ text: term.text, fits: 'inside' }]
    const stem = stemOf(term)
    return [
      { text: term.text, fits: term.unfinished ? 'beginning' : 'whole' },
      ...(stem ? [{ text: stem, fits: 'beginning' as const }] : []),
      ...(corrections.get(term.text) ?? []).map((word): Mark => ({ text: word, fits: 'whole' })),
    ]
  })
}

const offered = new Map<LocaleCode, Places>()
/** Collections that a language does not offer are left out: Russian has neither blog nor news, and their rows must not fill the candidates. */
function placesIn(locale: LocaleCode, wanted: Collection | null): Places {
  if (wanted) return { only: wanted }
  const known = offered.get(locale) ?? {
    except: collections.filter(
      (collection) => collection !== 'industries' && entryHref(collection, 'any', locale) === null,
    ),
  }
  offered.set(locale, known)
  return known
}

/**
 * Searches the content database. Results in the page's language come first, then those in the languages that it falls back to, where
 * the page has no text of its own; within a language titles before texts. Only pages that the language offers. Synchronous: for a worker thread.
 */
export function createSearcher(db: Connection): (request: SearchRequest) => SearchResult {
  const candidatesIn = createCandidates(db)
  const article = db.prepare<[number], ArticleRow>(
    'SELECT collection, id, title, live FROM articles WHERE key = ?',
  )
  const page = db.prepare<[number], PageRow>(
    'SELECT route, params, collection, id, title FROM search_pages WHERE key = ?',
  )
  const articleText = db.prepare<[number], { description: string; text: string }>(
    'SELECT description, text FROM articles WHERE key = ?',
  )
  const pageText = db.prepare<[number], { description: string; text: string }>(
    'SELECT description, text FROM search_pages WHERE key = ?',
  )
  const written = db.prepare<[string, string], Text>(
    'SELECT locale, key, title FROM articles WHERE collection = ? AND id = ? AND live = 1',
  )

  /** The text that a page shows in a language: that of the first language of its chain. */
  function sourceOf(collection: Collection, id: string, locale: LocaleCode): Text | null {
    const own = written.all(collection, id)
    const code = locales[locale].fallback.find((candidate) =>
      own.some((row) => row.locale === candidate),
    )
    return own.find((row) => row.locale === code) ?? null
  }

  function openArticle(key: number, source: LocaleCode, locale: LocaleCode): Opened | null {
    const row = article.get(key)
    if (!row || row.live === 0) return null
    const url = entryHref(row.collection, row.id, locale)
    // Only the text that the page shows: a fallback's hit is none where a better language has the page.
    if (!url || (source !== locale && sourceOf(row.collection, row.id, locale)?.locale !== source))
      return null
    return { url, title: row.title, collection: row.collection, key, locale: source, named: false }
  }

  const isList = (key: number): boolean => {
    const route = key < 0 ? page.get(-key)?.route : undefined
    return route !== undefined && routeOf(route).texts[0] === 'lists'
  }

  function openPage(
    key: number,
    source: LocaleCode,
    { locale, off }: SearchRequest,
  ): Opened | null {
    const row = source === locale ? page.get(-key) : undefined
    if (!row || off.includes(row.route)) return null
    const { title, collection, id } = row
    const opened = {
      url: href(locale, row.route, JSON.parse(row.params) as Params),
      title,
      collection,
      key,
      locale,
      named: false,
    }
    if (collection === 'pages') return opened
    const shown = sourceOf(collection, id, locale)
    // The page itself says more than its name in the menu; where it is foreign, the name is what its visitors know.
    return (
      shown && {
        ...opened,
        key: shown.key,
        locale: shown.locale,
        ...(shown.locale === locale ? { title: shown.title } : { named: true }),
      }
    )
  }

  function show(
    { url, title, collection, key, locale: source, named }: Found,
    marks: readonly Mark[],
    locale: LocaleCode,
  ): SearchHit {
    const { description, text } = (key < 0 ? pageText.get(-key) : articleText.get(key)) ?? {
      description: '',
      text: '',
    }
    return {
      url,
      title,
      collection,
      ...excerptOf(description, text, marks),
      ...(source === locale
        ? {}
        : { foreign: source, ...(named ? { mark: languageName(source, locale) } : {}) }),
    }
  }

  return function search(request) {
    const { query, locale, collection, limit } = request
    const places = placesIn(locale, collection)
    const typed = fold(query).trim()
    const found = new Map<string, Found>()
    const marks: Mark[] = []
    for (const source of locales[locale].fallback) {
      // Foreign texts are asked for where the page's own language has too little to say.
      if (found.size >= limit) break
      const asked = readQuery(query, source)
      if (asked.terms.length === 0) break
      const { keys, corrections } = candidatesIn({
        query: asked,
        locale: source,
        places,
        enough: limit,
        shown: source === locale ? Math.max(2 * limit, fewestCounted) : mostForeign,
        named: request.named ?? false,
      })
      marks.push(...marksOf(asked, corrections))
      const here: Found[] = []
      for (const { key, titled, stage, score } of keys) {
        const opened = key < 0 ? openPage(key, source, request) : openArticle(key, source, locale)
        if (!opened || found.has(opened.url)) continue
        const rank = !titled ? 0 : isTitle(opened.title, typed) ? 2 : 1
        const entry = {
          ...opened,
          list: rank === 0 && isList(key),
          rank,
          stage,
          score: score * worth[opened.collection],
        }
        found.set(entry.url, entry)
        here.push(entry)
      }
      here.sort(
        (a, b) =>
          Number(a.locale !== locale) - Number(b.locale !== locale) ||
          b.rank - a.rank ||
          Number(a.list) - Number(b.list) ||
          a.stage - b.stage ||
          b.score - a.score,
      )
      for (const entry of here) {
        found.delete(entry.url)
        found.set(entry.url, entry)
      }
    }
    const all = [...found.values()]
    return {
      hits: all.slice(0, limit).map((entry) => show(entry, marks, locale)),
      total: all.length,
    }
  }
}
