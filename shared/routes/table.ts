/**
 * THE ROUTES (spec 2.2, decisions 5): one row each. Router, guards, cache key, sitemaps, head and client read this
 * table. A new page is one row here, one file `client/pages/{RouteId}.tsx` and its texts.
 */
import type { Collection } from '../content'
import type { Namespace } from '../i18n/namespaces'

/** What the loader fetches before a page is rendered; `server/loaders/` has one function for each kind. */
export type Load =
  | { kind: 'static' }
  | { kind: 'home' }
  | { kind: 'links' }
  | { kind: 'download' }
  | { kind: 'icons' }
  | { kind: 'articles'; collection: 'blog' | 'news'; by?: 'category' | 'tags' }
  | { kind: 'article'; collection: 'blog' | 'news' | 'guide' | 'helps' | 'docs' | 'partner' }
  | { kind: 'sections'; collection: 'guide' | 'helps' }
  | { kind: 'landing'; collection: 'solutions' | 'alternatives' }
  | { kind: 'landings'; collection: 'solutions' }
  | { kind: 'partners' }
  | { kind: 'releases' }
  | { kind: 'release' }
  | { kind: 'single' }
  | { kind: 'error'; status: 404 | 502 }

/** Named guards of spec 2.5; what each checks stands in `server/pages/guards.ts`. */
export type GuardName =
  | 'alternative'
  | 'blog'
  | 'case'
  | 'guide'
  | 'help'
  | 'html'
  | 'pre-sales'
  | 'solution'
  | 'solutions'

/** Extra route meta: place in the menus, robots directive, and which shell surrounds the page. */
export type RouteMeta = {
  nav?: 'general' | 'solutions' | 'features'
  robots?: 'noindex'
  shell?: 'full' | 'bare'
}

export type RouteRow = {
  id: string
  pattern: string
  load: Load
  texts: readonly Namespace[]
  /** Query parameters that are part of the cache key; all others change nothing. */
  query?: readonly 'page'[]
  guard?: GuardName
  meta?: RouteMeta
  /** A route that is never a page of its own: every request of it is redirected by availability. */
  redirects?: true
}

const rows = [
  { id: 'home', pattern: '/', load: { kind: 'home' }, texts: ['home'] },
  {
    id: 'icons',
    pattern: '/_icons',
    load: { kind: 'icons' },
    texts: ['icons'],
    meta: { robots: 'noindex', shell: 'bare' },
  },
  { id: 'about-us', pattern: '/about-us', load: { kind: 'static' }, texts: ['about'] },
  {
    id: 'alternative',
    pattern: '/alternatives/{id}',
    load: { kind: 'landing', collection: 'alternatives' },
    texts: ['landing'],
    guard: 'alternative',
  },
  {
    id: 'blog',
    pattern: '/blog',
    load: { kind: 'articles', collection: 'blog' },
    texts: ['lists'],
    query: ['page'],
    guard: 'blog',
  },
  {
    id: 'blog-article',
    pattern: '/blog/{id}',
    load: { kind: 'article', collection: 'blog' },
    texts: ['article'],
    guard: 'blog',
  },
  {
    id: 'blog-category',
    pattern: '/blog-{category}',
    load: { kind: 'articles', collection: 'blog', by: 'category' },
    texts: ['lists'],
    query: ['page'],
    guard: 'blog',
  },
  {
    id: 'blog-tags',
    pattern: '/blog-{category}/{tags}',
    load: { kind: 'articles', collection: 'blog', by: 'tags' },
    texts: ['lists'],
    query: ['page'],
    guard: 'blog',
  },
  {
    id: 'case',
    pattern: '/case/{id}',
    load: { kind: 'static' },
    texts: [],
    guard: 'case',
    redirects: true,
  },
  { id: 'docs', pattern: '/docs', load: { kind: 'static' }, texts: [], redirects: true },
  {
    id: 'doc',
    pattern: '/docs/{id}',
    load: { kind: 'article', collection: 'docs' },
    texts: ['article', 'docs'],
  },
  { id: 'download', pattern: '/download', load: { kind: 'download' }, texts: ['download'] },
  {
    id: 'error-404',
    pattern: '/error/404',
    load: { kind: 'error', status: 404 },
    texts: ['errors'],
    meta: { robots: 'noindex' },
  },
  {
    id: 'error-502',
    pattern: '/error/502',
    load: { kind: 'error', status: 502 },
    texts: ['errors'],
    meta: { robots: 'noindex', shell: 'bare' },
  },
  { id: 'faq', pattern: '/faq', load: { kind: 'static' }, texts: ['faq'] },
  {
    id: 'guide',
    pattern: '/guide',
    load: { kind: 'sections', collection: 'guide' },
    texts: ['lists'],
    guard: 'guide',
  },
  {
    id: 'guide-article',
    pattern: '/guide/{id}',
    load: { kind: 'article', collection: 'guide' },
    texts: ['article', 'docs'],
    guard: 'guide',
  },
  {
    id: 'helps',
    pattern: '/helps',
    load: { kind: 'sections', collection: 'helps' },
    texts: ['lists'],
    guard: 'help',
  },
  {
    id: 'help-article',
    pattern: '/helps/{id}',
    load: { kind: 'article', collection: 'helps' },
    texts: ['article', 'docs'],
    guard: 'help',
  },
  { id: 'links', pattern: '/links', load: { kind: 'links' }, texts: ['links'] },
  {
    id: 'news',
    pattern: '/news',
    load: { kind: 'articles', collection: 'news' },
    texts: ['lists'],
    query: ['page'],
    guard: 'blog',
  },
  {
    id: 'news-article',
    pattern: '/news/{id}',
    load: { kind: 'article', collection: 'news' },
    texts: ['article'],
    guard: 'blog',
  },
  {
    id: 'news-category',
    pattern: '/news-{category}',
    load: { kind: 'articles', collection: 'news', by: 'category' },
    texts: ['lists'],
    query: ['page'],
    guard: 'blog',
  },
  {
    id: 'news-tags',
    pattern: '/news-{category}/{tags}',
    load: { kind: 'articles', collection: 'news', by: 'tags' },
    texts: ['lists'],
    query: ['page'],
    guard: 'blog',
  },
  { id: 'partner', pattern: '/partner', load: { kind: 'partners' }, texts: ['lists'] },
  {
    id: 'partner-detail',
    pattern: '/partner/{id}',
    load: { kind: 'article', collection: 'partner' },
    texts: ['article'],
  },
  {
    id: 'partner-plan',
    pattern: '/partner-plan',
    load: { kind: 'static' },
    texts: ['partner-plan'],
  },
  {
    id: 'pre-sales',
    pattern: '/pre-sales',
    load: { kind: 'static' },
    texts: ['pre-sales'],
    guard: 'pre-sales',
    meta: { nav: 'general', shell: 'full' },
  },
  { id: 'pricing', pattern: '/pricing', load: { kind: 'static' }, texts: ['pricing'] },
  {
    id: 'referral-program',
    pattern: '/referral-program',
    load: { kind: 'static' },
    texts: ['referral-program'],
  },
  {
    id: 'release',
    pattern: '/release',
    load: { kind: 'releases' },
    texts: ['lists'],
    query: ['page'],
  },
  { id: 'release-detail', pattern: '/release/{id}', load: { kind: 'release' }, texts: ['article'] },
  {
    id: 'solutions',
    pattern: '/solutions',
    load: { kind: 'landings', collection: 'solutions' },
    texts: ['lists'],
    guard: 'solutions',
    meta: { nav: 'solutions', shell: 'full' },
  },
  {
    id: 'solution',
    pattern: '/solutions/{id}',
    load: { kind: 'landing', collection: 'solutions' },
    texts: ['landing'],
    guard: 'solution',
  },
  {
    id: 'use-cases',
    pattern: '/use-cases',
    load: { kind: 'landings', collection: 'solutions' },
    texts: ['lists'],
    guard: 'solutions',
  },
  // Last: a catch-all of one segment. An unknown one counts as "no route matches" (decisions 5).
  {
    id: 'single',
    pattern: '/{html}',
    load: { kind: 'single' },
    texts: ['landing', 'article'],
    guard: 'html',
  },
] as const satisfies readonly RouteRow[]

/** The benchmark's pages (`BENCH_PAGES=1`): known to server and browser, matched only where the setting says so. */
const benchRows = [
  {
    id: 'bench-home',
    pattern: '/bench/home',
    load: { kind: 'static' },
    texts: [],
    meta: { robots: 'noindex', shell: 'bare' },
  },
  {
    id: 'bench-article',
    pattern: '/bench/article',
    load: { kind: 'static' },
    texts: [],
    meta: { robots: 'noindex', shell: 'bare' },
  },
] as const satisfies readonly RouteRow[]

export type RouteId = (typeof rows)[number]['id'] | (typeof benchRows)[number]['id']
export type Route = RouteRow & { id: RouteId }
export const routes: readonly Route[] = rows
export const benchRoutes: readonly Route[] = benchRows
export const routeById: ReadonlyMap<string, Route> = new Map(
  [...routes, ...benchRoutes].map((route) => [route.id, route]),
)

/** The row of a known id. */
export function routeOf(id: RouteId): Route {
  const route = routeById.get(id)
  if (!route) throw new Error(`no route has the id ${id}`)
  return route
}

/** Collections that have pages of their own, and the route of one entry. Single pages (features, industries, pages) are `single`. */
export const routeOfCollection: Readonly<Record<Collection, RouteId>> = {
  blog: 'blog-article',
  news: 'news-article',
  guide: 'guide-article',
  helps: 'help-article',
  docs: 'doc',
  partner: 'partner-detail',
  release: 'release-detail',
  solutions: 'solution',
  alternatives: 'alternative',
  features: 'single',
  industries: 'single',
  pages: 'single',
}
