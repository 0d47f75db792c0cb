/**
 * Which page exists in which language (spec 2.4, decisions 5): a table. Each row says for some pages where they are not
 * offered, and where the visitor goes instead. Canonical URLs, language menu, hreflang and sitemaps all ask here.
 */
import { localeCodes, type LocaleCode } from '../i18n/locales'
import { type Params } from './match'
import type { RouteId } from './table'

export type Page = { route: RouteId; params: Params }
export type Instead = Page & { status: 301 | 302 }

type Row = {
  routes: readonly RouteId[]
  /** Only for these values of the route's only parameter. */
  ids?: readonly string[]
  /** Languages in which the page is not offered. */
  notIn: readonly LocaleCode[]
  to: (params: Params) => Page
  status: 301 | 302
  /** The target is the same page under another address: it counts as its equivalent in language menu and hreflang. */
  same?: true
}

const chinese: readonly LocaleCode[] = ['zh', 'tc']
const except = (codes: readonly LocaleCode[]): readonly LocaleCode[] =>
  localeCodes.filter((code) => !codes.includes(code))
const home = (): Page => ({ route: 'home', params: {} })
const to = (route: RouteId) => (): Page => ({ route, params: {} })

/** Industry pages: the content id (also the slug outside Chinese) and the Chinese slug; null = not offered there. */
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
const renamed = industries.filter((row) => row.chinese !== row.id)
const industryBySlug = new Map(
  industries.flatMap(
    (row) =>
      [[row.id, row.id], ...(row.chinese ? [[row.chinese, row.id]] : [])] as Array<
        [string, string]
      >,
  ),
)

/** Content id of an industry's slug in any language, or null when it is no industry. */
export const industryOf = (slug: string): string | null => industryBySlug.get(slug) ?? null
/** Slug of an industry in a language, or null when it is not offered there. */
export function industrySlug(id: string, locale: LocaleCode): string | null {
  const row = industries.find((industry) => industry.id === id)
  if (!row) return null
  return chinese.includes(locale) ? row.chinese : row.id
}

export const availability: readonly Row[] = [
  { routes: ['solutions'], notIn: ['ru', 'vn'], to: to('use-cases'), status: 301, same: true },
  {
    routes: ['use-cases'],
    notIn: except(['ru', 'vn']),
    to: to('solutions'),
    status: 301,
    same: true,
  },
  { routes: ['guide', 'guide-article'], notIn: ['ru'], to: home, status: 301 },
  { routes: ['guide', 'guide-article'], notIn: except(['zh', 'ru']), to: to('blog'), status: 302 },
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
  { routes: ['alternative'], ids: ['ziniao'], notIn: except(chinese), to: home, status: 302 },
  ...renamed.map(({ id, chinese: slug }): Row => ({
    routes: ['single'],
    ids: [id],
    notIn: chinese,
    to: slug ? () => ({ route: 'single', params: { html: slug } }) : home,
    ...(slug ? { status: 301 as const, same: true as const } : { status: 302 as const }),
  })),
  ...renamed.flatMap(({ id, chinese: slug }): Row[] =>
    slug
      ? [
          {
            routes: ['single'],
            ids: [slug],
            notIn: except(chinese),
            to: () => ({ route: 'single', params: { html: id } }),
            status: 301,
            same: true,
          },
        ]
      : [],
  ),
]

const byRoute = new Map<RouteId, Row[]>()
for (const row of availability)
  for (const route of row.routes) byRoute.set(route, [...(byRoute.get(route) ?? []), row])

function rowFor({ route, params }: Page, locale: LocaleCode): Row | null {
  const rows = byRoute.get(route)
  if (!rows) return null
  const id = params['id'] ?? params['html']
  return (
    rows.find(
      (row) =>
        row.notIn.includes(locale) && (!row.ids || (id !== undefined && row.ids.includes(id))),
    ) ?? null
  )
}

/** Where a page that is not offered in a language sends its visitor; null when it is offered. */
export function redirectFor(page: Page, locale: LocaleCode): Instead | null {
  const row = rowFor(page, locale)
  return row ? { ...row.to(page.params), status: row.status } : null
}

/**
 * The equivalent of a page in another language (spec 2.4 "language switching keeps the equivalent page"), or null when
 * that language does not offer it. Industry slugs are renamed, `/solutions` and `/use-cases` are one page.
 */
export function switchLocale(page: Page, target: LocaleCode): Page | null {
  const row = rowFor(page, target)
  if (!row) return page
  return row.same ? row.to(page.params) : null
}
