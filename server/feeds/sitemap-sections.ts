import { listPageSize } from '../../shared/constants'
import type { Collection } from '../../shared/front-matter'
import { collections } from '../../shared/front-matter'
import type { LocaleCode } from '../../shared/i18n/locales'
import { redirectFor, type Page } from '../../shared/routes/availability'
import { routeOfCollection, routes, type RouteId } from '../../shared/routes/table'
import type { OutlineRow } from '../content/store/document-queries'
import type { TranslatedEntry } from '../content/store/entry'
import type { ContentStore } from '../content/store/store'
import { paramsOf } from '../url/entry-href'
import { pageAvailability, shadowOf, type PageAvailability } from '../url/page-availability'
import type { UrlContext } from '../url/url-context'

export type SitemapPage = {
  page: Page
  /** Page of a list, from 1. */
  number: number
  /** Last change of its text, as an ISO day. */
  modified: string | null
  availability: PageAvailability
}

/**
 * Pages in a fixed order. `count` includes pages that `read` leaves out because they are hidden.
 */
export type Section = {
  count: number
  read: (offset: number, limit: number) => Iterable<SitemapPage>
}

type SitemapServices = { store: ContentStore; context: UrlContext }

/** Small collections, whose languages differ by entry: they are read at once. */
const smallCollections: readonly Collection[] = [
  'solutions',
  'features',
  'industries',
  'alternatives',
  'pages',
]
const maxSmallCollection = 10_000
/** Entries of one query. */
const batchSize = 250

const listKey = (collection: Collection, by: 'category' | 'tags' | undefined): string =>
  `${collection} ${by ?? ''}`
const listRoutes: ReadonlyMap<string, RouteId> = new Map(
  routes.flatMap(({ id, load }) => {
    if (load.kind === 'articles') return [[listKey(load.collection, load.by), id]]
    return load.kind === 'releases' ? [[listKey(load.collection, undefined), id]] : []
  }),
)

/** The routes of pages without parameters that search engines may list. */
export const fixedRoutes = routes.filter(
  ({ pattern, meta, redirects }) =>
    !pattern.includes('{') && !redirects && meta?.robots !== 'noindex',
)

/** All pages that have a text in a language, in an order that only content changes. */
export function createSections(services: SitemapServices, locale: LocaleCode): Section[] {
  const outline = services.store.outline(locale)
  const countOf = (collection: Collection): number =>
    outline.find((row) => row.collection === collection && row.category === '')?.translated ?? 0
  const largeCollections = collections.filter(
    (collection) =>
      !smallCollections.includes(collection) &&
      !redirectFor({ route: routeOfCollection[collection], params: { id: 'x' } }, locale),
  )
  return [
    arraySection([...fixedPages(services, locale), ...smallPages(services, locale)]),
    ...outline.flatMap((row) => listSection(services, locale, row)),
    ...largeCollections.map((collection) =>
      entrySection(services, locale, collection, countOf(collection)),
    ),
  ]
}

const arraySection = (pages: readonly SitemapPage[]): Section => ({
  count: pages.length,
  read: (offset, limit) => pages.slice(offset, offset + limit),
})

/** The page as an array; empty where it is not available in the language. */
function ifAvailable(
  { store, context }: SitemapServices,
  locale: LocaleCode,
  page: Page,
  modified: string | null = null,
  entryLocales?: readonly LocaleCode[],
): SitemapPage[] {
  if (redirectFor(page, locale)) return []
  const availability = pageAvailability(page, store, context, entryLocales)
  return availability.own.includes(locale) ? [{ page, number: 1, modified, availability }] : []
}

const fixedPages = (services: SitemapServices, locale: LocaleCode): SitemapPage[] =>
  fixedRoutes.flatMap(({ id }) => ifAvailable(services, locale, { route: id, params: {} }))

/** Entries of the small collections, except those whose address shows something else. */
const smallPages = (services: SitemapServices, locale: LocaleCode): SitemapPage[] =>
  smallCollections.flatMap((collection) =>
    services.store
      .listTranslated(collection, locale, maxSmallCollection, 0)
      .filter(({ id }) => shadowOf({ collection, id }, locale, services.store) === null)
      .flatMap(({ id, modified }) => {
        const params = paramsOf(collection, id, locale)
        return ifAvailable(
          services,
          locale,
          { route: routeOfCollection[collection], params },
          modified,
        )
      }),
  )

/** The pages of a list. The first page of a list without category is in the route table. */
function listSection(services: SitemapServices, locale: LocaleCode, row: OutlineRow): Section[] {
  const { collection, category, tag, total } = row
  const by = tag !== '' ? 'tags' : category !== '' ? 'category' : undefined
  const route = listRoutes.get(listKey(collection, by))
  const lastPage = Math.ceil(total / listPageSize)
  const firstPage = category === '' ? 2 : 1
  if (!route || lastPage < firstPage) return []
  const params = {
    ...(category === '' ? {} : { category }),
    ...(tag === '' ? {} : { tags: tag }),
  }
  return ifAvailable(services, locale, { route, params }).map((list) => ({
    count: lastPage - firstPage + 1,
    *read(offset, limit) {
      const start = firstPage + offset
      for (let number = start; number < start + limit; number += 1) yield { ...list, number }
    },
  }))
}

/** The entries of a large collection. */
function entrySection(
  services: SitemapServices,
  locale: LocaleCode,
  collection: Collection,
  count: number,
): Section {
  const { store, context } = services
  const route = routeOfCollection[collection]
  // Without redirects, entries with texts in the same languages are available in the same ones.
  const cached = context.redirects.rows.length === 0 ? new Map<string, PageAvailability>() : null

  function entryPages({ id, modified, locales }: TranslatedEntry): SitemapPage[] {
    const page = { route, params: { id } }
    const key = locales.join()
    const availability = cached?.get(key)
    if (availability) return [{ page, number: 1, modified, availability }]
    const pages = ifAvailable(services, locale, page, modified, locales)
    if (pages[0]) cached?.set(key, pages[0].availability)
    return pages
  }

  return {
    count,
    *read(offset, limit) {
      const end = offset + limit
      for (let start = offset; start < end; start += batchSize) {
        const size = Math.min(batchSize, end - start)
        for (const entry of store.listTranslated(collection, locale, size, start))
          yield* entryPages(entry)
      }
    },
  }
}
