/**
 * Which page exists in which language (spec 5.3). Each row names pages, the languages that do not
 * offer them, and the page that visitors are redirected to. Canonical URLs, the language menu,
 * hreflang and sitemaps use this table.
 */
import { localeCodes, type LocaleCode } from '../i18n/locales'
import type { Params } from './path-of'
import type { RouteId } from './table'

export type Page = { route: RouteId; params: Params }
type UnavailablePageRedirect = Page & { status: 301 | 302 }

type AvailabilityRow = {
  routes: readonly RouteId[]
  /** Only pages with these values of the route's parameter. */
  ids?: readonly string[]
  /** Languages in which the page is not offered. */
  notIn: readonly LocaleCode[]
  to: (params: Params) => Page
  status: 301 | 302
  /** The target is the same page at another path: its equivalent in language menu and hreflang. */
  isSamePage?: true
}

const chinese: readonly LocaleCode[] = ['zh', 'tc']
const allExcept = (codes: readonly LocaleCode[]): readonly LocaleCode[] =>
  localeCodes.filter((code) => !codes.includes(code))
const home = (): Page => ({ route: 'home', params: {} })
const pageOf = (route: RouteId) => (): Page => ({ route, params: {} })

/**
 * Industry pages: the content id, which is the slug outside Chinese, and the slug in Chinese; null:
 * not offered in Chinese.
 */
export const industries: ReadonlyArray<{ id: string; chinese: string | null }> = [
  { id: 'traffic', chinese: 'traffic' },
  { id: 'ad-placement', chinese: 'ad-placement' },
  { id: 'e-commerce', chinese: 'e-commerce' },
  { id: 'affiliate-market', chinese: 'affiliate-market' },
  { id: 'betting', chinese: 'media-market' },
  { id: 'crypto', chinese: 'data-collection' },
  { id: 'agencies', chinese: 'price-comparison' },
  { id: 'ticketing', chinese: 'self-examination' },
  { id: 'web-scraping', chinese: null },
]
const renamedIndustries = industries.filter((row) => row.chinese !== row.id)
const industryBySlug: ReadonlyMap<string, string> = new Map(
  industries.flatMap(({ id, chinese }) =>
    chinese === null
      ? [[id, id]]
      : [
          [id, id],
          [chinese, id],
        ],
  ),
)

/** Content id of the industry with a slug in any language; null for other slugs. */
export const industryOf = (slug: string): string | null => industryBySlug.get(slug) ?? null
/** Slug of an industry in a language; null where the language does not offer it. */
export function industrySlug(id: string, locale: LocaleCode): string | null {
  const row = industries.find((industry) => industry.id === id)
  if (!row) return null
  return chinese.includes(locale) ? row.chinese : row.id
}

export const availability: readonly AvailabilityRow[] = [
  {
    routes: ['solutions'],
    notIn: ['ru', 'vn'],
    to: pageOf('use-cases'),
    status: 301,
    isSamePage: true,
  },
  {
    routes: ['use-cases'],
    notIn: allExcept(['ru', 'vn']),
    to: pageOf('solutions'),
    status: 301,
    isSamePage: true,
  },
  { routes: ['guide', 'guide-article'], notIn: ['ru'], to: home, status: 301 },
  {
    routes: ['guide', 'guide-article'],
    notIn: allExcept(['zh', 'ru']),
    to: pageOf('blog'),
    status: 302,
  },
  {
    routes: [
      'blog',
      'blog-category',
      'blog-tags',
      'blog-article',
      'news',
      'news-category',
      'news-tags',
      'news-article',
    ],
    notIn: ['ru'],
    to: home,
    status: 301,
  },
  { routes: ['solution'], ids: ['crypto'], notIn: chinese, to: home, status: 302 },
  { routes: ['solution'], ids: ['betting'], notIn: [...chinese, 'vn'], to: home, status: 302 },
  {
    routes: ['alternative'],
    ids: ['octo-browser', 'undetectable'],
    notIn: chinese,
    to: home,
    status: 302,
  },
  { routes: ['alternative'], ids: ['ziniao'], notIn: allExcept(chinese), to: home, status: 302 },
  ...renamedIndustries.map(({ id, chinese: slug }): AvailabilityRow => ({
    routes: ['single'],
    ids: [id],
    notIn: chinese,
    to: slug ? () => ({ route: 'single', params: { html: slug } }) : home,
    ...(slug ? { status: 301 as const, isSamePage: true as const } : { status: 302 as const }),
  })),
  ...renamedIndustries.flatMap(({ id, chinese: slug }): AvailabilityRow[] =>
    slug
      ? [
          {
            routes: ['single'],
            ids: [slug],
            notIn: allExcept(chinese),
            to: () => ({ route: 'single', params: { html: id } }),
            status: 301,
            isSamePage: true,
          },
        ]
      : [],
  ),
]

const rowsByRoute = new Map<RouteId, AvailabilityRow[]>()
for (const row of availability)
  for (const route of row.routes) rowsByRoute.set(route, [...(rowsByRoute.get(route) ?? []), row])

/** The row that makes a page unavailable in a language. */
function unavailableRow({ route, params }: Page, locale: LocaleCode): AvailabilityRow | null {
  const rows = rowsByRoute.get(route)
  if (!rows) return null
  const id = params['id'] ?? params['html']
  return (
    rows.find(
      (row) =>
        row.notIn.includes(locale) && (!row.ids || (id !== undefined && row.ids.includes(id))),
    ) ?? null
  )
}

/** Redirect of a page that a language does not offer; null where it is offered. */
export function redirectFor(page: Page, locale: LocaleCode): UnavailablePageRedirect | null {
  const row = unavailableRow(page, locale)
  return row ? { ...row.to(page.params), status: row.status } : null
}

/**
 * The equivalent of a page in another language; null where that language does not offer it.
 * Industries change their slugs, and `/solutions` and `/use-cases` are one page.
 */
export function switchLocale(page: Page, target: LocaleCode): Page | null {
  const row = unavailableRow(page, target)
  if (!row) return page
  return row.isSamePage ? row.to(page.params) : null
}
