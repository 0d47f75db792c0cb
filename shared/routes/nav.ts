/** The three menus of the header (spec 2.3): keys of the `shell` namespace, prefixed NAVBAR_, and what they lead to. */
import type { LocaleCode } from '../i18n/locales'
import { switchLocale, type Page } from './availability'
import { href } from './href'
import type { Params } from './match'
import type { RouteId } from './table'

export type NavItem = { key: string; page: Page }
const item = (key: string, route: RouteId, params: Params = {}): NavItem => ({
  key: `NAVBAR_${key}`,
  page: { route, params },
})
const keyOf = (id: string): string => id.toUpperCase().replaceAll('-', '_')

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

export const nav = {
  general: [
    item('PRICING', 'pricing'),
    item('DOWNLOAD', 'download'),
    item('DOCS', 'doc', { id: 'profiles' }),
    item('HELPS', 'helps'),
    item('GUIDE', 'guide'),
    item('BLOG', 'blog'),
    item('NEWS', 'news'),
    item('RELEASE', 'release'),
    item('PARTNER', 'partner'),
    item('ABOUT', 'about-us'),
    item('PRE_SALES', 'pre-sales'),
  ],
  solutions: solutionIds.map((id) => item(keyOf(id), 'solution', { id })),
  features: featureIds.map((id) => item(keyOf(id), 'single', { html: id })),
} as const satisfies Record<string, readonly NavItem[]>

/** A menu as it is in a language: what is not offered there, or switched off, is left out. Paths are on the language's own host. */
export function navIn(
  menu: keyof typeof nav,
  locale: LocaleCode,
  switchedOff: readonly RouteId[] = [],
): ReadonlyArray<{ key: string; href: string; page: Page }> {
  return nav[menu].flatMap((entry: NavItem) => {
    const page = switchLocale(entry.page, locale)
    return page && !switchedOff.includes(page.route)
      ? [{ key: entry.key, href: href(locale, page.route, page.params), page }]
      : []
  })
}
