/** Payloads and islands: what the browser fetches for a navigation (spec 6.3, 6.4). Plain JSON. */
import type { LocaleCode } from './i18n/locales'
import type { IslandProps } from './islands'
import { reservedPaths } from './reserved-paths'
import type { PageView } from './view'

/** An island of the page. `html` is null while it is not ready: the browser then fetches `url`. */
export type PayloadIsland = { url: string; html: string | null }

/**
 * A page without what the browser already has: no texts of shell and menus, no `site`, no `origins`. It is
 * enough for pages in the loaded language; a change of the language loads the page fully.
 */
export type PagePayload = { buildId: string } & PagePart
export type PagePart = Pick<
  PageView,
  'path' | 'locale' | 'route' | 'params' | 'seo' | 'data' | 'languages' | 'breadcrumb' | 'texts'
> & {
  islands: readonly PayloadIsland[]
  /** The page's part of `<head>` as HTML, identical to the tags of its document. */
  head: string
}

/**
 * The page has another URL. `external`: `location` is absolute and must be loaded fully; otherwise
 * it is a path of this host, which the router follows.
 */
export type RedirectPayload = {
  buildId: string
  redirect: { location: string; status: 301 | 302 | 307 | 308; external: boolean }
}

/** Sent with status 404. The browser shows the page of `GET /api/site/missing` instead. */
export type NotFoundPayload = { buildId: string; statusCode: 404; message: string }

export type Payload = PagePayload | RedirectPayload | NotFoundPayload

export const payloadSuffix = '/_payload.json'

/**
 * URL of a page's payload on the page's host: `/pricing` -> `/pricing/_payload.json?{buildId}`.
 * `query` is the page's query with `?`, or empty; it is sent too because redirects keep it.
 */
export function payloadUrl(path: string, query: string, buildId: string): string {
  const rest = query.replace(/^\?/, '')
  return `${path.replace(/\/$/, '')}${payloadSuffix}?${buildId}${rest === '' ? '' : `&${rest}`}`
}

/** URL of an island. `id` is `{Name}_{hash}`; only the server can compute it. */
export function islandUrl(id: string, locale: LocaleCode, props: IslandProps): string {
  const encodedProps = encodeURIComponent(canonicalJson(props))
  return `${reservedPaths.islands.path}/${id}.json?lang=${locale}&props=${encodedProps}`
}

/** Response of `GET /__nuxt_island/{id}.json`. */
export type IslandResponse = {
  id: string
  html: string
  head: { link: ReadonlyArray<Readonly<Record<string, string>>> }
  props: IslandProps
}

/** JSON with sorted keys and without spaces: equal props give equal text. */
export const canonicalJson = (props: IslandProps): string =>
  JSON.stringify(Object.fromEntries(Object.entries(props).sort(([a], [b]) => (a < b ? -1 : 1))))
