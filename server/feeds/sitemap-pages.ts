import { listPageSize } from '../../shared/constants'
import type { LocaleCode } from '../../shared/i18n/locales'
import { routes } from '../../shared/routes/table'
import type { ContentStore } from '../content/store/store'
import type { UrlContext } from '../url/url-context'
import { createSections, type Section, type SitemapPage } from './sitemap-sections'

/**
 * The pages of sitemaps: every page that has a text in the language (spec 9.1). The store
 * counts lists and entries, so a part in the middle of 100,000 articles is read without the parts
 * before it. For one generation of content: when it changes, create it again.
 */
export function createSitemapPages(store: ContentStore, context: UrlContext) {
  const cached = new Map<LocaleCode, Section[]>()
  function sectionsOf(locale: LocaleCode): Section[] {
    const sections = cached.get(locale) ?? createSections({ store, context }, locale)
    cached.set(locale, sections)
    return sections
  }

  /** At least the number of pages, from one query: lists count one page more than they have. */
  const upperBound = (locale: LocaleCode): number =>
    store
      .outline(locale)
      .reduce(
        (sum, { category, translated, total }) =>
          sum + (category === '' ? translated : 0) + Math.ceil(total / listPageSize) + 1,
        routes.length,
      )

  return {
    /** Whether a language fits into a number of pages. Cheap; false does not prove the opposite. */
    fits: (locale: LocaleCode, pages: number): boolean => upperBound(locale) <= pages,
    /** Number of pages, including those that the redirect table hides. */
    count: (locale: LocaleCode): number =>
      sectionsOf(locale).reduce((sum, { count }) => sum + count, 0),
    /** A range of pages. Hidden pages count, so that ranges neither overlap nor miss a page. */
    *slice(locale: LocaleCode, offset: number, limit: number): Generator<SitemapPage> {
      let skip = offset
      let left = limit
      for (const { count, read } of sectionsOf(locale)) {
        if (left <= 0) return
        if (skip >= count) {
          skip -= count
          continue
        }
        const size = Math.min(left, count - skip)
        yield* read(skip, size)
        left -= size
        skip = 0
      }
    },
  }
}
