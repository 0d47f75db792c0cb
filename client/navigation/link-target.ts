import { locales, type LocaleCode } from '../../shared/i18n/locales'
import { reservedPathOf } from '../../shared/reserved-paths'

/** Values of `data-action` whose links lead to files or to the application. */
const externalActions: readonly string[] = ['download', 'login', 'register']
/** Whether an element leads to a file or to the application instead of a page. */
export const leavesSite = ({ dataset }: HTMLElement): boolean =>
  externalActions.includes(dataset['action'] ?? '')
/**
 * True for `feed.xml`, `llms.txt` and `article.md`; false for the release `1.2.0` and for `.html`,
 * which the server removes.
 */
const isFile = (path: string): boolean => /\.[a-z][a-z0-9]*$/i.test(path) && !/\.html$/i.test(path)

/**
 * `page`: a page of this host and language, shown without a load. `site`: another host or language
 * of the site, loaded fully. `none`: left to the browser (another site, a file, an anchor on this
 * page).
 */
type LinkTarget = { kind: 'page'; url: URL } | { kind: 'site' } | { kind: 'none' }
export type LinkScope = {
  /** Of the page on the screen. */
  location: Pick<Location, 'origin' | 'pathname' | 'search'>
  locale: LocaleCode
  /** Origins of the language hosts. */
  origins: readonly string[]
}

const prefixes = Object.values(locales)
  .map(({ prefix }) => prefix)
  .filter(Boolean)
const isBelow = (path: string, prefix: string): boolean =>
  path === prefix || path.startsWith(`${prefix}/`)

/**
 * A path of this host without the prefix of `locale`; null when the path belongs to another
 * language.
 */
export function withoutLocalePrefix(path: string, locale: LocaleCode): string | null {
  const prefix = prefixes.find((candidate) => isBelow(path, candidate)) ?? ''
  return prefix === locales[locale].prefix ? path.slice(prefix.length) || '/' : null
}

/** What following a link means. `followedLink` excludes modified clicks. */
export function linkTarget(
  link: HTMLAnchorElement,
  { location, locale, origins }: LinkScope,
): LinkTarget {
  if (
    (link.target && link.target !== '_self') ||
    link.hasAttribute('download') ||
    leavesSite(link) ||
    !URL.canParse(link.href)
  )
    return { kind: 'none' }
  const url = new URL(link.href)
  if (
    !['http:', 'https:'].includes(url.protocol) ||
    (url.origin !== location.origin && !origins.includes(url.origin))
  )
    return { kind: 'none' }
  if (reservedPathOf(url.pathname) || isFile(url.pathname)) return { kind: 'none' }
  if (url.origin !== location.origin || withoutLocalePrefix(url.pathname, locale) === null)
    return { kind: 'site' }
  const isSamePage = url.pathname === location.pathname && url.search === location.search
  return isSamePage && link.href.includes('#') ? { kind: 'none' } : { kind: 'page', url }
}

/**
 * The link that a click follows in this tab. Null for clicks with a modifier key or another button,
 * and for clicks that another listener has handled.
 */
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
