import {
  hostLanguages,
  hostNames,
  localeBySegment,
  locales,
  type HostName,
  type Locale,
  type LocaleCode,
} from '../../shared/i18n/locales'
import { redirectFor } from '../../shared/routes/availability'
import { reservedPathOf } from '../../shared/reserved-paths'
import { localePath, type Origins } from '../../shared/routes/href'
import { match, type Match } from '../../shared/routes/match'
import { pathOf } from '../../shared/routes/path-of'
import type { RedirectRow, RedirectStatus } from './redirect-table'
import type { UrlContext } from './url-context'

/** A URL between two rules, and what the rules need to know about it. */
export type UrlState = {
  host: HostName
  path: string
  query: string
  hash: string
  /** Language that the first segment names, by its prefix, an alias or the name of a host. */
  namedLocale: Locale | null
  /** The path without the segment that names a language. */
  pathAfterLocale: string
  locale: LocaleCode
  /** The path without the prefix of its language. */
  unprefixedPath: string
  match: Match | null
}

/** What a rule changes. `row`: the row of the redirect table that applied. */
export type UrlChange = {
  path?: string
  query?: string
  hash?: string
  host?: HostName
  /** 301 where absent. */
  status?: RedirectStatus
  /** URL outside of the site, or below a reserved path: the redirect ends there. */
  external?: string
  row?: RedirectRow
}

type PageRule = {
  name: string
  /** `usedRows`: rows of the redirect table apply once, so that the rules end. */
  apply: (
    state: UrlState,
    context: UrlContext,
    usedRows: ReadonlySet<RedirectRow>,
  ) => UrlChange | null
}

/** Rules 6 to 9 (spec 3.6–3.9), on language, host and page. */
export const pageRules: readonly PageRule[] = [
  {
    name: 'language of another host in the path',
    apply: removeHostLanguages,
  },
  {
    name: 'alias of a language prefix',
    apply: ({ namedLocale, path, pathAfterLocale }) =>
      namedLocale && !isBelow(path, namedLocale.prefix)
        ? { path: localePath(namedLocale.code, pathAfterLocale) }
        : null,
  },
  {
    name: 'host of the language',
    apply: ({ host, locale }) =>
      locales[locale].domain === host ? null : { host: locales[locale].domain },
  },
  { name: 'redirect table', apply: applyRedirectTable },
  { name: 'availability', apply: applyAvailability },
  { name: 'content, settings and order of tags', apply: replacePage },
]

/** The language that the first segment of a path names, if any, and the path after it. */
export function splitLocale(path: string): Pick<UrlState, 'namedLocale' | 'pathAfterLocale'> {
  const segmentEnd = path.indexOf('/', 1)
  const segment = segmentEnd < 0 ? path.slice(1) : path.slice(1, segmentEnd)
  const namedLocale = localeBySegment.get(segment) ?? null
  const pathAfterLocale = namedLocale ? (segmentEnd < 0 ? '/' : path.slice(segmentEnd)) : path
  return { namedLocale, pathAfterLocale }
}

/** Derives what the page rules need from a URL. */
export function urlState(host: HostName, path: string, query: string, hash: string): UrlState {
  const { namedLocale, pathAfterLocale } = splitLocale(path)
  const hasPrefix = namedLocale !== null && namedLocale.prefix !== ''
  const unprefixedPath = hasPrefix ? pathAfterLocale : path
  return {
    host,
    path,
    query,
    hash,
    namedLocale,
    pathAfterLocale,
    locale: hasPrefix ? namedLocale.code : hostLanguages[host],
    unprefixedPath,
    match: match(unprefixedPath),
  }
}

const slash = '/'.charCodeAt(0)
const isBelow = (path: string, prefix: string): boolean =>
  path.startsWith(prefix) &&
  (path.length === prefix.length || path.charCodeAt(prefix.length) === slash)

/**
 * Rule 6 for `/en`, `/zh` and `/ru`; the last of several counts. All at once, because a target can
 * repeat them a thousand times.
 */
function removeHostLanguages({ namedLocale, pathAfterLocale }: UrlState): UrlChange | null {
  if (namedLocale?.prefix !== '') return null
  let host = namedLocale.domain
  let path = pathAfterLocale
  for (;;) {
    const next = splitLocale(path)
    if (next.namedLocale?.prefix !== '') return { host, path }
    host = next.namedLocale.domain
    path = next.pathAfterLocale
  }
}

/** Cuts a text at the first `mark`, which belongs to neither part. */
function splitOnce(text: string, mark: string): [before: string, after: string] {
  const at = text.indexOf(mark)
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}

/**
 * Rule 8: by the path with its language prefix, then without it, where the target keeps the
 * language.
 */
function applyRedirectTable(
  state: UrlState,
  { redirects, origins }: UrlContext,
  usedRows: ReadonlySet<RedirectRow>,
): UrlChange | null {
  const { host, path, unprefixedPath, query, locale } = state
  const prefixedHit = redirects.find(path, locale)
  const hit =
    prefixedHit ?? (unprefixedPath === path ? null : redirects.find(unprefixedPath, locale))
  if (!hit || usedRows.has(hit.row)) return null
  const { row } = hit
  const [address, fragment] = splitOnce(hit.to, '#')
  const [target, ownQuery] = splitOnce(address, '?')
  const queries = [ownQuery, query.slice(1)].filter((part) => part !== '')
  const joinedQuery = queries.length > 0 ? `?${queries.join('&')}` : query
  const hash = fragment === '' ? '' : `#${fragment}`
  const { status } = row
  const place = hit.external ? placeOnSite(target, origins) : { host, path: target }
  if (!place) return { external: target + joinedQuery + hash, status, row }
  if (reservedPathOf(place.path))
    return { external: origins[place.host] + place.path + joinedQuery + hash, status, row }
  const hasOwnLanguage = hit.external || prefixedHit !== null || namesLanguage(place.path)
  return {
    host: place.host,
    path: hasOwnLanguage ? place.path : localePath(locale, place.path),
    query: joinedQuery,
    hash,
    status,
    row,
  }
}

/** Host and path of a URL of this site; null for any other. */
function placeOnSite(url: string, origins: Origins): { host: HostName; path: string } | null {
  const host = hostNames.find((name) => isBelow(url, origins[name]))
  return host ? { host, path: url.slice(origins[host].length) || '/' } : null
}

const namesLanguage = (path: string): boolean => localeBySegment.has(path.split('/')[1] ?? '')

/** Rule 9: pages that the language does not offer. */
function applyAvailability({ match: found, locale }: UrlState): UrlChange | null {
  const target = found && redirectFor({ route: found.route.id, params: found.params }, locale)
  return (
    target && {
      path: localePath(locale, pathOf(target.route, target.params)),
      status: target.status,
    }
  )
}

/** The rest of rule 9: redirects that depend on content or settings, and the order of tags. */
function replacePage({ match: found, locale }: UrlState, context: UrlContext): UrlChange | null {
  if (!found) return null
  const { route, params } = found
  if (route.id === 'docs') {
    const id = context.firstDoc(locale)
    return id ? { path: localePath(locale, pathOf('doc', { id })), status: 302 } : null
  }
  if (route.id === 'case' && context.isSolution(params['id'] ?? ''))
    return { path: localePath(locale, pathOf('solution', params)) }
  if (route.id === 'pre-sales' && !context.preSales)
    return { path: localePath(locale, '/'), status: 302 }
  const { tags } = params
  // Other characters name no tag, so such a list has no canonical order.
  if (tags === undefined || !/^[a-z0-9+-]+$/.test(tags)) return null
  const sortedTags = [...new Set(tags.split('+'))].sort().join('+')
  return sortedTags === tags || sortedTags === ''
    ? null
    : { path: localePath(locale, pathOf(route.id, { ...params, tags: sortedTags })) }
}
