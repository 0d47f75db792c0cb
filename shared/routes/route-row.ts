import type { Collection } from '../front-matter'
import type { Resources } from '../i18n/generated-namespaces'
import type { Namespace } from '../i18n/namespaces'

/** What the loader fetches for a page: `server/pages/loaders/` has one function for each kind. */
export type Load =
  | { kind: 'static' }
  | { kind: 'home' }
  | { kind: 'links' }
  | { kind: 'download' }
  | { kind: 'icons' }
  | { kind: 'plans' }
  | { kind: 'articles'; collection: ArticleCollection; by?: 'category' | 'tags' }
  | { kind: 'article'; collection: Collection }
  | { kind: 'sections'; collection: 'guide' | 'helps' }
  | { kind: 'landing'; collection: 'solutions' | 'alternatives' }
  | { kind: 'landings'; collection: 'solutions' }
  | { kind: 'partners' }
  | { kind: 'releases'; collection: 'release' }
  | { kind: 'release'; collection: 'release' }
  | { kind: 'single'; collections: readonly ['features', 'industries', 'pages'] }
  | { kind: 'error'; status: 404 | 502 }

/** Collections with lists by category and tag. */
export type ArticleCollection = 'blog' | 'news'

/** Names of guards (spec 5.5); `server/pages/guards.ts` has their functions. */
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

/** Lists of links to pages: in the header, in the footer and on the links page. */
export const linkLists = ['bar', 'general', 'resources', 'company', 'links'] as const
export type LinkList = (typeof linkLists)[number]

/** Keys of the names of pages in the `menus` namespace. */
export type NavKey = Extract<keyof Resources['menus'], `NAVBAR_${string}`>

/** The name of a page, and its position in each list of links; lists without a position omit it. */
export type RouteNav = {
  /** The key `NAVBAR_{label}` of the `menus` texts. Breadcrumbs and search use it too. */
  label: NavKey extends `NAVBAR_${infer Label}` ? Label : never
} & { [List in LinkList]?: number }

type RouteMeta = {
  nav?: RouteNav
  robots?: 'noindex'
  /** `plain`: without header and footer. `bare`: only the loading bar beside the page. */
  shell?: 'full' | 'plain' | 'bare'
}

export type RouteRow<Id extends string = string> = {
  pattern: string
  /** `static` where absent: everything on the page is in its texts. */
  load?: Load
  /** Namespaces of the page's texts besides `shell`. The first has its title and description. */
  texts: readonly Namespace[]
  /** Query parameters that are part of the cache key; others do not change the page. */
  query?: readonly 'page'[]
  guard?: GuardName
  /** Route of the page one step up in the breadcrumb; absent: the home page. */
  parent?: Id
  meta?: RouteMeta
  /** Never a page: URL rules redirect its requests, and the rest is not found. */
  redirects?: true
  /** Page that links lead to instead, so that they avoid the redirect. */
  linkTarget?: { route: Id; params: Readonly<Record<string, string>> }
}
