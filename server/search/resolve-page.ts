import type { Collection } from '../../shared/front-matter'
import { locales, type LocaleCode } from '../../shared/i18n/locales'
import { href } from '../../shared/routes/href'
import type { Params } from '../../shared/routes/path-of'
import { routeOf, type RouteId } from '../../shared/routes/table'
import type { Connection } from '../content/database'
import { createEntryQueries } from '../content/store/entry-queries'
import { entryHref } from '../url/entry-href'
import { shadowOf } from '../url/page-availability'

/** The page that a row of the index leads to, as it is shown in a language. */
export type ResolvedPage = {
  url: string
  title: string
  collection: Collection
  /** Row that the excerpt is taken from. */
  key: number
  /** Language of the page's text. */
  locale: LocaleCode
  /** The title is an interface text in the page's language, although the page's text is not. */
  hasMenuTitle: boolean
}
type Article = { collection: Collection; id: string; title: string; live: number }
type Page = { route: RouteId; params: string; collection: Collection; id: string; title: string }
type Translation = { locale: LocaleCode; source: string; key: number; title: string }
export type PageResolver = ReturnType<typeof createPageResolver>
type Queries = ReturnType<typeof prepareQueries>

const prepareQueries = (db: Connection) => {
  const entries = createEntryQueries(db)
  return {
    localesOf: (collection: Collection, id: string): LocaleCode[] =>
      entries.localesOf.all(collection, id).map((row) => row.locale),
    article: db.prepare<[number], Article>(
      'SELECT collection, id, title, live FROM articles WHERE key = ?',
    ),
    page: db.prepare<[number], Page>(
      'SELECT route, params, collection, id, title FROM search_pages WHERE key = ?',
    ),
    articleText: db.prepare<[number], { description: string; text: string }>(
      'SELECT description, text FROM articles WHERE key = ?',
    ),
    pageText: db.prepare<[number], { description: string; text: string }>(
      'SELECT description, text FROM search_pages WHERE key = ?',
    ),
    translations: db.prepare<[string, string], Translation>(
      `SELECT locale, source, key, title FROM articles
     WHERE collection = ? AND id = ? AND live = 1`,
    ),
  }
}

/** The text that a page shows in a language: that of the first language of its chain. */
function shownTranslation(
  { translations }: Queries,
  collection: Collection,
  id: string,
  locale: LocaleCode,
): Translation | null {
  const available = translations.all(collection, id)
  for (const code of locales[locale].fallback) {
    const found = available.find((translation) => translation.locale === code)
    if (found) return found
  }
  return null
}

/** An article that was found in the texts of the language `source`. */
function resolveArticle(
  queries: Queries,
  key: number,
  source: LocaleCode,
  locale: LocaleCode,
): ResolvedPage | null {
  const article = queries.article.get(key)
  if (!article || article.live === 0) return null
  const { collection, id, title } = article
  const url = entryHref(collection, id, locale)
  if (!url || shadowOf({ collection, id }, locale, queries)) return null
  const page = { url, title, collection, key, locale: source, hasMenuTitle: false }
  if (source === locale) return page
  // A text of a fallback language counts only where the page shows it, or a conversion of it.
  const shown = shownTranslation(queries, collection, id, locale)
  if (shown?.locale === source) return page
  return shown?.source === source ? { ...page, title: shown.title, key: shown.key, locale } : null
}

/** A page that was found by its interface texts. */
function resolveInterfacePage(
  queries: Queries,
  key: number,
  locale: LocaleCode,
  disabledRoutes: readonly RouteId[],
): ResolvedPage | null {
  const row = queries.page.get(-key)
  if (!row || disabledRoutes.includes(row.route)) return null
  const { title, collection, id } = row
  // The cast: the compiler has stored the parameters as JSON.
  const url = href(locale, row.route, JSON.parse(row.params) as Params)
  const page = { url, title, collection, key, locale, hasMenuTitle: false }
  if (collection === 'pages') return page
  const shown = shownTranslation(queries, collection, id, locale)
  if (!shown) return null
  // A translated page has a better title than the menu; where it is not translated, the name in
  // the menu is the one that its visitors know.
  return shown.locale === locale
    ? { ...page, key: shown.key, title: shown.title }
    : { ...page, key: shown.key, locale: shown.locale, hasMenuTitle: true }
}

/** Resolves rows of the full-text index to pages. Interface pages have negative keys. */
export function createPageResolver(db: Connection) {
  const queries = prepareQueries(db)
  return {
    /** Null where the language does not offer the page, or shows another text of it. */
    resolve(
      key: number,
      source: LocaleCode,
      locale: LocaleCode,
      disabledRoutes: readonly RouteId[],
    ): ResolvedPage | null {
      if (key > 0) return resolveArticle(queries, key, source, locale)
      return source === locale ? resolveInterfacePage(queries, key, locale, disabledRoutes) : null
    },
    /** Whether a row is a list, which only names what its articles explain. */
    isList(key: number): boolean {
      const route = key < 0 ? queries.page.get(-key)?.route : undefined
      return route !== undefined && routeOf(route).texts[0] === 'lists'
    },
    textOf(key: number): { description: string; text: string } {
      const row = key < 0 ? queries.pageText.get(-key) : queries.articleText.get(key)
      return row ?? { description: '', text: '' }
    },
  }
}
