import { collections, type Collection } from '../../shared/front-matter'
import {
  allLocales,
  localeBySegment,
  localeCodes,
  locales,
  type LocaleCode,
} from '../../shared/i18n/locales'
import { reservedPathOf } from '../../shared/reserved-paths'
import { industryOf, industrySlug, switchLocale, type Page } from '../../shared/routes/availability'
import { absoluteUrl, href, type Origins } from '../../shared/routes/href'
import { match } from '../../shared/routes/match'
import type { Load } from '../../shared/routes/route-row'
import { routeOf, routeOfCollection } from '../../shared/routes/table'
import { canonicalize } from './canonicalize'
import type { EntryLocales, ListCounts } from './content-facts'
import { paramsOf } from './entry-href'
import type { UrlContext } from './url-context'

/** Without the counts of lists, every list counts as filled. */
export type EntrySource = EntryLocales & Partial<ListCounts>
export type EntryId = { collection: Collection; id: string }

export type PageAvailability = {
  /** Languages that the page is written in, without fallbacks: hreflang and sitemaps. */
  own: readonly LocaleCode[]
  /** Languages in which it responds with 200, with a fallback text if needed: language menu. */
  served: readonly LocaleCode[]
}

/** The entry that a page shows; null for pages that show none. */
export function entryOf({ route, params }: Page, store: EntryLocales): EntryId | null {
  const { load } = routeOf(route)
  switch (load.kind) {
    case 'article':
    case 'landing':
    case 'release':
      return { collection: load.collection, id: params['id'] ?? '' }
    case 'single':
      return singleEntry(params['html'] ?? '', store)
    default:
      return null
  }
}

/** The entry of `/{html}`: features come before industries, and both before other pages. */
function singleEntry(slug: string, store: EntryLocales): EntryId {
  const industry = industryOf(slug)
  const page: EntryId = { collection: 'pages', id: slug }
  const candidates: EntryId[] = [
    { collection: 'features', id: slug },
    ...(industry ? [{ collection: 'industries' as const, id: industry }] : []),
  ]
  return candidates.find(({ collection, id }) => store.localesOf(collection, id).length > 0) ?? page
}

/** Collections whose entries share `/{html}` with each other, fixed pages and reserved paths. */
export const singleCollections = collections.filter((name) => routeOfCollection[name] === 'single')

/**
 * What an entry's address shows instead of the entry; null where it shows the entry, or the
 * language does not offer it.
 */
export function shadowOf(
  { collection, id }: EntryId,
  locale: LocaleCode,
  store: EntryLocales,
): string | null {
  if (!singleCollections.includes(collection)) return null
  if (collection === 'industries' && industrySlug(id, locale) === null) return null
  const { html = '' } = paramsOf(collection, id, locale)
  const path = `/${html}`
  if (reservedPathOf(path) || localeBySegment.has(html)) return `${path} is a reserved path`
  const route = match(path)?.route
  if (route?.id !== 'single') return `${path} is a page of the site itself`
  const shown = singleEntry(html, store)
  return shown.collection === collection && shown.id === id
    ? null
    : `${path} shows ${shown.collection}/${shown.id}`
}

/**
 * Whether a list has entries: an empty one is not found, except the first page of blog and news.
 */
function hasEntries(
  load: Load,
  { params }: Page,
  code: LocaleCode,
  { countEntries }: EntrySource,
): boolean {
  if (!countEntries) return true
  if (load.kind === 'sections' || load.kind === 'landings')
    return countEntries(load.collection, code, {}) > 0
  if (load.kind !== 'articles' || !load.by) return true
  const { category = '', tags } = params
  return countEntries(load.collection, code, { category, tags: tags?.split('+') ?? [] }) > 0
}

/**
 * Whether URL rules let a request reach the page: the redirect table or site.yaml may prevent it.
 */
function isReachable(page: Page, code: LocaleCode, context: UrlContext): boolean {
  if (context.redirects.rows.length === 0 && page.route !== 'pre-sales') return true
  const path = href(code, page.route, page.params)
  return canonicalize({ host: locales[code].domain, path, query: '' }, context).kind === 'page'
}

/**
 * In which languages a page exists: head, sitemaps, language menu and feeds use it. Without a
 * context, the redirect table and site.yaml are ignored. `entryLocales` saves the query where the
 * caller knows the languages of the entry.
 */
export function pageAvailability(
  page: Page,
  store: EntrySource,
  context: UrlContext | null = null,
  entryLocales?: readonly LocaleCode[],
): PageAvailability {
  const { load } = routeOf(page.route)
  const offered = localeCodes.filter((code) => {
    const equivalent = switchLocale(page, code)
    return (
      equivalent !== null &&
      hasEntries(load, page, code, store) &&
      (context === null || isReachable(equivalent, code, context))
    )
  })
  const entry = entryOf(page, store)
  if (!entry) return { own: offered, served: offered }
  const sources = new Set(entryLocales ?? store.localesOf(entry.collection, entry.id))
  return {
    own: offered.filter((code) => sources.has(code)),
    served: offered.filter((code) => locales[code].fallback.some((source) => sources.has(source))),
  }
}

/** URL of a page in another language; of its home page where the page does not exist there. */
export function urlInLocale(
  page: Page,
  code: LocaleCode,
  { served }: PageAvailability,
  origins: Origins,
): string {
  const equivalent = served.includes(code) ? switchLocale(page, code) : null
  const path = equivalent ? href(code, equivalent.route, equivalent.params) : href(code, 'home')
  return absoluteUrl(origins, code, path)
}

/** hreflang links of a page (spec 9.2): every language that has it, and English as the default. */
export function hreflangLinks(
  page: Page,
  availability: PageAvailability,
  origins: Origins,
): Array<{ hreflang: string; href: string }> {
  const links = allLocales
    .filter(({ code }) => availability.own.includes(code))
    .flatMap(({ code, hreflang }) => {
      const url = urlInLocale(page, code, availability, origins)
      return hreflang.map((tag) => ({ hreflang: tag, href: url }))
    })
  return availability.own.includes('en')
    ? [...links, { hreflang: 'x-default', href: urlInLocale(page, 'en', availability, origins) }]
    : links
}
