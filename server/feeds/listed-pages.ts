import { listPageSize } from '../../shared/constants'
import { collections, type Collection } from '../../shared/content'
import type { LocaleCode } from '../../shared/i18n/locales'
import { industrySlug, redirectFor, type Page } from '../../shared/routes/availability'
import { routes, routeOfCollection, type RouteId } from '../../shared/routes/table'
import type { OutlineRow } from '../content/store/statements'
import type { ContentStore, Written } from '../content/store/store'
import { existenceOf, type Existence } from '../url/page-availability'
import type { UrlContext } from '../url/canonicalize'

/** A page that a sitemap lists: `number` of a list's page, `modified` the ISO day of its text, where it has one. */
export type ListedPage = {
  page: Page
  number: number
  modified: string | null
  existence: Existence
}

/** Pages in order: `count` candidates, of which `from` gives those of a range that really exist. */
type Section = { count: number; from: (offset: number, limit: number) => Iterable<ListedPage> }

/** Collections that an operator writes by hand, a few dozen at most, and whose languages depend on the id. */
const few: readonly Collection[] = ['solutions', 'features', 'industries', 'alternatives', 'pages']
const lists: Partial<Record<Collection, { index: RouteId; category?: RouteId; tags?: RouteId }>> = {
  blog: { index: 'blog', category: 'blog-category', tags: 'blog-tags' },
  news: { index: 'news', category: 'news-category', tags: 'news-tags' },
  release: { index: 'release' },
}
/** Entries that are read from the database at once. */
const batch = 250

/** The list that a row of the outline counts, or null where the collection has no such list. */
function listOf({ collection, category, tag }: OutlineRow): Page | null {
  const found = lists[collection]
  const route = tag !== '' ? found?.tags : category !== '' ? found?.category : found?.index
  return route
    ? {
        route,
        params: { ...(category === '' ? {} : { category }), ...(tag === '' ? {} : { tags: tag }) },
      }
    : null
}

const paramsOf = (collection: Collection, id: string, locale: LocaleCode): Page['params'] =>
  routeOfCollection[collection] === 'single'
    ? { html: collection === 'industries' ? (industrySlug(id, locale) ?? id) : id }
    : { id }

/**
 * Every page that exists in a language with a text of its own: what its sitemap holds, in an order that does not change
 * while content does not. Lists are counted in the outline, so that a part of the sitemap of 100,000 articles is found
 * without walking over those before it. Good for one state of the content: make it anew when that changes.
 */
export function createListedPages(store: ContentStore, urlContext: UrlContext) {
  const exists = (
    locale: LocaleCode,
    page: Page,
    modified: string | null,
    number = 1,
    written?: readonly LocaleCode[],
  ): ListedPage[] => {
    if (redirectFor(page, locale)) return []
    const existence = existenceOf(page, store, urlContext, written)
    return existence.own.includes(locale) ? [{ page, number, modified, existence }] : []
  }

  function plain(locale: LocaleCode): ListedPage[] {
    const fixed = routes.filter(
      ({ pattern, meta, redirects }) =>
        !pattern.includes('{') && !redirects && meta?.robots !== 'noindex',
    )
    return fixed.flatMap((route) => exists(locale, { route: route.id, params: {} }, null))
  }

  function landings(locale: LocaleCode): ListedPage[] {
    const found = new Map<string, ListedPage>()
    for (const collection of few)
      for (const { id, modified } of store.written(collection, locale, 10_000, 0)) {
        const page = {
          route: routeOfCollection[collection],
          params: paramsOf(collection, id, locale),
        }
        const key = JSON.stringify(page)
        // A feature hides a page of the authors' own of the same name, as it does when it is asked for.
        if (!found.has(key))
          for (const listed of exists(locale, page, modified)) found.set(key, listed)
      }
    return [...found.values()]
  }

  function listSections(locale: LocaleCode, outline: readonly OutlineRow[]): Section[] {
    return outline.flatMap((row) => {
      const page = listOf(row)
      const pages = Math.ceil(row.total / listPageSize)
      // The first page of a front page is in the route table; those of categories and tags begin with theirs.
      const first = row.category === '' ? 2 : 1
      if (!page || pages < first) return []
      return exists(locale, page, null).map(({ existence }): Section => ({
        count: pages - first + 1,
        *from(offset, limit) {
          for (let number = first + offset; number < first + offset + limit; number += 1)
            yield { page, number, modified: null, existence }
        },
      }))
    })
  }

  function entrySection(locale: LocaleCode, collection: Collection, count: number): Section {
    const route = routeOfCollection[collection]
    // Where no row of the redirect table can hide a page, articles written in the same languages exist in the same ones: one answer for all of them.
    const shared = urlContext.redirects.rows.length === 0 ? new Map<string, Existence>() : null
    function listed({ id, modified, locales }: Written): ListedPage[] {
      const page = { route, params: { id } }
      const key = locales.join()
      const known = shared?.get(key)
      if (known) return [{ page, number: 1, modified, existence: known }]
      const found = exists(locale, page, modified, 1, locales)
      if (found[0]) shared?.set(key, found[0].existence)
      return found
    }
    return {
      count,
      *from(offset, limit) {
        for (let at = offset; at < offset + limit; at += batch) {
          for (const entry of store.written(
            collection,
            locale,
            Math.min(batch, offset + limit - at),
            at,
          ))
            yield* listed(entry)
        }
      },
    }
  }

  const fixedSection = (pages: readonly ListedPage[]): Section => ({
    count: pages.length,
    from: (offset, limit) => pages.slice(offset, offset + limit),
  })

  const made = new Map<LocaleCode, Section[]>()
  function sections(locale: LocaleCode): Section[] {
    const known = made.get(locale)
    if (known) return known
    const outline = store.outline(locale)
    const own = (collection: Collection): number =>
      outline.find((row) => row.collection === collection && row.category === '')?.own ?? 0
    const many = collections.filter(
      (collection) =>
        !few.includes(collection) &&
        !redirectFor({ route: routeOfCollection[collection], params: { id: 'x' } }, locale),
    )
    const found = [
      fixedSection([...plain(locale), ...landings(locale)]),
      ...listSections(locale, outline),
      ...many.map((collection) => entrySection(locale, collection, own(collection))),
    ]
    made.set(locale, found)
    return found
  }

  /** A bound that one query gives: every list has one page more than it needs, every own text a page. */
  const bound = (locale: LocaleCode): number =>
    store
      .outline(locale)
      .reduce(
        (sum, { category, own, total }) =>
          sum + (category === '' ? own : 0) + Math.ceil(total / listPageSize) + 1,
        routes.length,
      )

  return {
    /** Whether a language fits into so many pages: answered without looking at each where it plainly does. */
    fits: (locale: LocaleCode, pages: number): boolean => bound(locale) <= pages,
    /** Number of pages at most: a page that the redirect table hides counts, though it is left out. */
    count: (locale: LocaleCode): number =>
      sections(locale).reduce((sum, { count }) => sum + count, 0),
    *slice(locale: LocaleCode, offset: number, limit: number): Generator<ListedPage> {
      let skip = offset
      let left = limit
      for (const section of sections(locale)) {
        if (left <= 0) return
        if (skip >= section.count) {
          skip -= section.count
          continue
        }
        // What is left out counts too, so that parts neither overlap nor miss a page.
        const wanted = Math.min(left, section.count - skip)
        yield* section.from(skip, wanted)
        left -= wanted
        skip = 0
      }
    },
  }
}
