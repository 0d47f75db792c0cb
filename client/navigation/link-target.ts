import { locales, type LocaleCode } from '../../shared/i18n/locales'

/** First segments that are no pages: the site answers them as files or data, or the application does. */
const otherSegments: readonly string[] = [
  'api',
  'app',
  'assets',
  'builds',
  'downloads',
  'healthz',
  'readyz',
  '_image',
  '_ops',
  '__nuxt_island',
]
/** Links of these kinds lead to files and to the application. */
const otherActions: readonly string[] = ['download', 'login', 'register']
/** `feed.xml`, `llms.txt`, `article.md`; but not the release `1.2.0`, nor `.html`, which the server takes off. */
const file = /\.(?!html$)[a-z][a-z0-9]*$/i

/**
 * `page`: a page of this host and language, shown without a load. `site`: another host or language of the site, loaded fully.
 * `none`: the browser's own business (another site, a file, a place on this page).
 */
export type LinkTarget = { kind: 'page'; url: URL } | { kind: 'site' } | { kind: 'none' }
export type LinkScope = {
  /** Where the visitor is. */ here: Pick<Location, 'origin' | 'pathname' | 'search'>
  locale: LocaleCode
  /** Origins of the language hosts. */ origins: readonly string[]
}

const prefixes = Object.values(locales)
  .map(({ prefix }) => prefix)
  .filter(Boolean)
const isBelow = (path: string, prefix: string): boolean =>
  path === prefix || path.startsWith(`${prefix}/`)

/** A path of this host without its language's prefix; null when it belongs to another language. */
export function unprefixed(path: string, locale: LocaleCode): string | null {
  const own = prefixes.find((prefix) => isBelow(path, prefix)) ?? ''
  return own === locales[locale].prefix ? path.slice(own.length) || '/' : null
}

/** What following a link means. Modified clicks are not looked at here. */
export function linkTarget(
  link: HTMLAnchorElement,
  { here, locale, origins }: LinkScope,
): LinkTarget {
  if (
    (link.target && link.target !== '_self') ||
    link.hasAttribute('download') ||
    otherActions.includes(link.dataset['action'] ?? '') ||
    !URL.canParse(link.href)
  )
    return { kind: 'none' }
  const url = new URL(link.href)
  if (
    !['http:', 'https:'].includes(url.protocol) ||
    (url.origin !== here.origin && !origins.includes(url.origin))
  )
    return { kind: 'none' }
  if (otherSegments.includes(url.pathname.split('/')[1] ?? '') || file.test(url.pathname))
    return { kind: 'none' }
  if (url.origin !== here.origin || unprefixed(url.pathname, locale) === null)
    return { kind: 'site' }
  return url.pathname === here.pathname && url.search === here.search && link.href.includes('#')
    ? { kind: 'none' }
    : { kind: 'page', url }
}

/** The link that a click follows in this window, or null: modified clicks and those that were dealt with are left alone. */
export function followedLink(event: MouseEvent): HTMLAnchorElement | null {
  if (
    event.defaultPrevented ||
    event.button !== 0 ||
    event.metaKey ||
    event.ctrlKey ||
    event.shiftKey ||
    event.altKey
  )
    return null
  return event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href]') : null
}
