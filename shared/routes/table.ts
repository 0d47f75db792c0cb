/**
 * The routes (spec 5.1): one row each. Matching, guards, cache keys, head, menus, breadcrumbs, the
 * links page, sitemaps and search are derived from it. A new page is one row here, one file in
 * `client/pages/` (`partner-plan` is `PartnerPlan.tsx`), and its texts in `locales/`.
 */
import type { Collection } from '../front-matter'
import { articleRoutes } from './article-routes'
import type { Load, RouteRow } from './route-row'

const rows = {
  home: {
    pattern: '/',
    load: { kind: 'home' },
    texts: ['home'],
    meta: { nav: { label: 'HOME', links: 1 } },
  },
  icons: {
    pattern: '/_icons',
    load: { kind: 'icons' },
    texts: ['icons'],
    meta: { robots: 'noindex', shell: 'bare' },
  },
  'about-us': {
    pattern: '/about-us',
    texts: ['about'],
    meta: { nav: { label: 'ABOUT', general: 8, company: 2, links: 14 } },
  },
  alternative: {
    pattern: '/alternatives/{id}',
    load: { kind: 'landing', collection: 'alternatives' },
    texts: ['landing'],
    guard: 'alternative',
  },
  ...articleRoutes('blog', { label: 'BLOG', general: 4, resources: 6, links: 6 }),
  case: { pattern: '/case/{id}', texts: [], guard: 'case', redirects: true },
  docs: {
    pattern: '/docs',
    texts: [],
    redirects: true,
    linkTarget: { route: 'doc', params: { id: 'profiles' } },
    meta: { nav: { label: 'DOCS', general: 1, resources: 3 } },
  },
  doc: {
    pattern: '/docs/{id}',
    load: { kind: 'article', collection: 'docs' },
    texts: ['article', 'docs'],
    parent: 'docs',
  },
  download: {
    pattern: '/download',
    load: { kind: 'download' },
    texts: ['download'],
    meta: { nav: { label: 'DOWNLOAD', bar: 2, resources: 2, links: 3 } },
  },
  'error-404': {
    pattern: '/error/404',
    load: { kind: 'error', status: 404 },
    texts: ['errors'],
    meta: { robots: 'noindex', shell: 'plain' },
  },
  'error-502': {
    pattern: '/error/502',
    load: { kind: 'error', status: 502 },
    texts: ['errors'],
    meta: { robots: 'noindex', shell: 'bare' },
  },
  faq: { pattern: '/faq', texts: ['faq'], meta: { nav: { label: 'FAQ', company: 6, links: 15 } } },
  guide: {
    pattern: '/guide',
    load: { kind: 'sections', collection: 'guide' },
    texts: ['lists'],
    guard: 'guide',
    meta: { nav: { label: 'GUIDE', general: 3, resources: 5, links: 8 } },
  },
  'guide-article': {
    pattern: '/guide/{id}',
    load: { kind: 'article', collection: 'guide' },
    texts: ['article', 'docs'],
    guard: 'guide',
    parent: 'guide',
  },
  helps: {
    pattern: '/helps',
    load: { kind: 'sections', collection: 'helps' },
    texts: ['lists'],
    guard: 'help',
    meta: { nav: { label: 'HELPS', general: 2, resources: 4, links: 9 } },
  },
  'help-article': {
    pattern: '/helps/{id}',
    load: { kind: 'article', collection: 'helps' },
    texts: ['article', 'docs'],
    guard: 'help',
    parent: 'helps',
  },
  links: {
    pattern: '/links',
    load: { kind: 'links' },
    texts: ['links'],
    meta: { nav: { label: 'LINKS', company: 7 } },
  },
  ...articleRoutes('news', { label: 'NEWS', general: 5, resources: 7, links: 7 }),
  partner: {
    pattern: '/partner',
    load: { kind: 'partners' },
    texts: ['lists'],
    meta: { nav: { label: 'PARTNER', general: 7, company: 1, links: 11 } },
  },
  'partner-detail': {
    pattern: '/partner/{id}',
    load: { kind: 'article', collection: 'partner' },
    texts: ['article'],
    parent: 'partner',
  },
  'partner-plan': {
    pattern: '/partner-plan',
    texts: ['partner-plan'],
    parent: 'partner',
    meta: { nav: { label: 'PARTNER_PLAN', company: 4, links: 12 } },
  },
  'pre-sales': {
    pattern: '/pre-sales',
    texts: ['pre-sales'],
    guard: 'pre-sales',
    meta: { nav: { label: 'PRE_SALES', general: 9, company: 3 }, shell: 'full' },
  },
  pricing: {
    pattern: '/pricing',
    load: { kind: 'plans' },
    texts: ['pricing'],
    meta: { nav: { label: 'PRICING', bar: 1, resources: 1, links: 2 } },
  },
  'referral-program': {
    pattern: '/referral-program',
    load: { kind: 'plans' },
    texts: ['referral-program'],
    meta: { nav: { label: 'REFERRAL_PROGRAM', company: 5, links: 13 } },
  },
  release: {
    pattern: '/release',
    load: { kind: 'releases', collection: 'release' },
    texts: ['lists'],
    query: ['page'],
    meta: { nav: { label: 'RELEASE', general: 6, resources: 8, links: 10 } },
  },
  'release-detail': {
    pattern: '/release/{id}',
    load: { kind: 'release', collection: 'release' },
    texts: ['article'],
    parent: 'release',
  },
  solutions: {
    pattern: '/solutions',
    load: { kind: 'landings', collection: 'solutions' },
    texts: ['lists'],
    guard: 'solutions',
    meta: { nav: { label: 'SOLUTIONS', links: 4 }, shell: 'full' },
  },
  solution: {
    pattern: '/solutions/{id}',
    load: { kind: 'landing', collection: 'solutions' },
    texts: ['landing'],
    guard: 'solution',
    parent: 'solutions',
  },
  'use-cases': {
    pattern: '/use-cases',
    load: { kind: 'landings', collection: 'solutions' },
    texts: ['lists'],
    guard: 'solutions',
    meta: { nav: { label: 'USE_CASES', links: 5 } },
  },
  // Last: a catch-all of one segment. An unknown one counts as "no route matches" (spec 5.7).
  single: {
    pattern: '/{html}',
    load: { kind: 'single', collections: ['features', 'industries', 'pages'] },
    texts: ['landing', 'article'],
    guard: 'html',
  },
} as const satisfies Record<string, RouteRow>

/** Pages of the benchmark, which the site serves only with `BENCH_PAGES=1`. */
const benchRows = {
  'bench-home': { pattern: '/bench/home', texts: [], meta: { robots: 'noindex', shell: 'bare' } },
  'bench-article': {
    pattern: '/bench/article',
    texts: [],
    meta: { robots: 'noindex', shell: 'bare' },
  },
} as const satisfies Record<string, RouteRow>

export type RouteId = keyof typeof rows | keyof typeof benchRows
export type Route = RouteRow<RouteId> & { id: RouteId; load: Load }

const routesOf = (table: Readonly<Partial<Record<RouteId, RouteRow<RouteId>>>>): readonly Route[] =>
  Object.entries(table).map(([id, row]) => ({
    load: { kind: 'static' },
    ...row,
    // `Object.entries` forgets the type of the keys.
    id: id as RouteId,
  }))
export const routes = routesOf(rows)
export const benchRoutes = routesOf(benchRows)
export const routeById: ReadonlyMap<string, Route> = new Map(
  [...routes, ...benchRoutes].map((route) => [route.id, route]),
)

/** The row of a route. */
export function routeOf(id: RouteId): Route {
  const route = routeById.get(id)
  if (!route) throw new Error(`no route has the id ${id}`)
  return route
}

/** What a page shows around its content (`route-row.ts`). */
export const shellOf = (id: RouteId): 'full' | 'plain' | 'bare' => routeOf(id).meta?.shell ?? 'full'

/** Name of the page file without its extension: `blog-article` is `BlogArticle`. */
export const pageFileOf = (id: RouteId): string =>
  id.replace(/(?:^|-)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

/** Collections whose entries a route shows, one entry per page. */
function entryCollections({ load }: Route): readonly Collection[] {
  if (load.kind === 'single') return load.collections
  return load.kind === 'article' || load.kind === 'landing' || load.kind === 'release'
    ? [load.collection]
    : []
}

/** The route that shows an entry of a collection. */
export const routeOfCollection = Object.fromEntries(
  routes.flatMap((route) => entryCollections(route).map((collection) => [collection, route.id])),
  // The unit tests check that every collection has a route.
) as Readonly<Record<Collection, RouteId>>
