import type { LocaleCode } from '../i18n/locales'
import { switchLocale, type Page } from './availability'
import { href } from './href'
import { linkLists, type LinkList, type NavKey } from './route-row'
import { routeOf, routes, type Route, type RouteId } from './table'

/** A link of a menu. `key` is the key of its text in the `menus` namespace. */
type NavItem = { key: NavKey; page: Page }
type NavLink = NavItem & { href: string }

export const featureIds = [
  'multi-account-management',
  'synchronizer',
  'rpa',
  'local-api',
  'multi-profiles-management',
  'teamwork',
] as const
export const solutionIds = [
  'affiliate-marketing',
  'e-commerce',
  'digital-agency',
  'social-marketing',
  'web-scraping',
  'traffic-arbitrage',
  'ticketing',
  // The spelling is part of the URL (spec 5.2).
  'google-servies',
  'facebook',
  'twitter-x',
  'tiktok',
  'amazon',
  'discord',
  'linkedin',
  'crypto',
  'betting',
] as const
export const alternativeIds = [
  'gologin',
  'incogniton',
  'dolphin-anty',
  'multilogin',
  'octo-browser',
  'undetectable',
  'ziniao',
] as const

/** Key of the menu text of a solution or feature: `local-api` -> `NAVBAR_LOCAL_API`. */
export const navKeyOf = (id: string): NavKey =>
  // The unit tests check that the texts exist.
  `NAVBAR_${id.toUpperCase().replaceAll('-', '_')}` as NavKey

/** Name of a page in tracking keys: `NAVBAR_LOCAL_API` -> `local-api`. */
export const pageNameOf = (key: NavKey): string =>
  key.slice('NAVBAR_'.length).toLowerCase().replaceAll('_', '-')

/** The page that links to a route lead to. */
const linkedPage = ({ id, linkTarget }: Route): Page => linkTarget ?? { route: id, params: {} }

const navItemOf = (route: Route): NavItem[] =>
  route.meta?.nav ? [{ key: `NAVBAR_${route.meta.nav.label}`, page: linkedPage(route) }] : []

/** Routes without a position come last, in the order of the table. */
const unlisted = Number.MAX_SAFE_INTEGER
const positionIn = (list: LinkList, { meta }: Route): number => meta?.nav?.[list] ?? unlisted
const byPosition =
  (list: LinkList) =>
  (a: Route, b: Route): number =>
    positionIn(list, a) - positionIn(list, b)

/** Routes with a position in a list, sorted by it. */
const routesIn = (list: LinkList): readonly Route[] =>
  routes.filter((route) => positionIn(list, route) !== unlisted).sort(byPosition(list))

const routeLists = Object.fromEntries(
  linkLists.map((list) => [list, routesIn(list).flatMap(navItemOf)]),
  // One list for each of `linkLists`.
) as Record<LinkList, NavItem[]>

/** Menus of the header (spec 5.2), columns of the footer, and the pages of the links page. */
export const nav = {
  ...routeLists,
  solutions: solutionIds.map((id): NavItem => ({
    key: navKeyOf(id),
    page: { route: 'solution', params: { id } },
  })),
  features: featureIds.map((id): NavItem => ({
    key: navKeyOf(id),
    page: { route: 'single', params: { html: id } },
  })),
} satisfies Record<string, readonly NavItem[]>

/** Pages that site.yaml disables: no link may lead there. */
export const disabledRoutes = (preSales: boolean): readonly RouteId[] =>
  preSales ? [] : ['pre-sales']

/** Links of a menu in a language, without pages that it does not offer and disabled ones. */
export function navIn(
  menu: keyof typeof nav,
  locale: LocaleCode,
  disabled: readonly RouteId[] = [],
): readonly NavLink[] {
  return nav[menu].flatMap(({ key, page }): NavLink[] => {
    const offered = switchLocale(page, locale)
    return offered && !disabled.includes(offered.route)
      ? [{ key, href: href(locale, offered.route, offered.params), page: offered }]
      : []
  })
}

/** Named pages without parameters: search finds them by their names and texts. */
export const namedPages: ReadonlyArray<{ route: RouteId; key: NavKey }> = [...routes]
  .sort(byPosition('links'))
  .filter(({ pattern, redirects }) => !pattern.includes('{') && !redirects)
  .flatMap((route) => navItemOf(route).map(({ key }) => ({ route: route.id, key })))

const namedKeys = new Map(namedPages.map(({ route, key }) => [route, key]))
const namedItems = [...nav.solutions, ...nav.features]

/** The name of a page in menus; null for pages that no menu names, such as articles. */
export function menuNameOf({ route, params }: Page): NavKey | null {
  const named = namedKeys.get(route)
  if (named) return named
  const id = params['id'] ?? params['html']
  if (id === undefined) return null
  const item = namedItems.find(
    ({ page }) => page.route === route && (page.params['id'] ?? page.params['html']) === id,
  )
  return item?.key ?? null
}

/** The page one step up in the breadcrumb; null for pages directly below the home page. */
export function parentOf(id: RouteId, locale: LocaleCode): NavLink | null {
  const { parent } = routeOf(id)
  const [item] = parent ? navItemOf(routeOf(parent)) : []
  const page = item && switchLocale(item.page, locale)
  return page ? { key: item.key, href: href(locale, page.route, page.params), page } : null
}
