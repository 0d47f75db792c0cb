/** What the browser fetches to move about without loading a page, and where (decisions 6). Plain JSON, no visitor data. */
import type { LocaleCode } from './i18n/locales'
import type { IslandProps } from './islands'
import type { PageView } from './view'

/** An island of the page: its address and, unless it is late, its markup. `html` is null then: the browser fetches `url`. */
export type PayloadIsland = { url: string; html: string | null }

/**
 * A page without what the browser has already: the namespaces of the route (not `shell`), none of `site` and `origins`.
 * So a payload is enough to render its page in the language that is loaded; another language is a full load.
 */
export type PageCarrying = { buildId: string } & PagePart
export type PagePart = Pick<
  PageView,
  'path' | 'locale' | 'route' | 'params' | 'seo' | 'data' | 'languages' | 'texts'
> & {
  islands: readonly PayloadIsland[]
  /** The page's own part of `<head>` as HTML, the very tags of its document. */
  head: string
}

/** The page lies elsewhere. `external`: an absolute address, to be loaded fully; else a path of this host, followed inside the app. */
export type Redirecting = {
  buildId: string
  redirect: { location: string; status: 301 | 302 | 307 | 308; external: boolean }
}

/** No such page; the answer's status is 404 too. What is shown in its place is `GET /api/site/missing?lang=`. */
export type Missing = { buildId: string; statusCode: 404; message: string }

export type Payload = PageCarrying | Redirecting | Missing

export const payloadSuffix = '/_payload.json'

/**
 * Address of a page's payload on the page's own host. `path` is the page's, `query` its query with `?` or empty: it is
 * sent along, because a redirect keeps it. `/pricing` -> `/pricing/_payload.json?{buildId}`.
 */
export function payloadUrl(path: string, query: string, buildId: string): string {
  const rest = query.replace(/^\?/, '')
  return `${path.replace(/\/$/, '')}${payloadSuffix}?${buildId}${rest === '' ? '' : `&${rest}`}`
}

/** Address of an island. `id` is `{Name}_{hash}`; only the server makes it, and hands it on with the page. */
export const islandUrl = (id: string, locale: LocaleCode, props: IslandProps): string =>
  `/__nuxt_island/${id}.json?lang=${locale}&props=${encodeURIComponent(canonicalJson(props))}`

/** What `GET /__nuxt_island/{id}.json` answers. */
export type IslandAnswer = {
  id: string
  html: string
  head: { link: ReadonlyArray<Readonly<Record<string, string>>> }
  props: IslandProps
}

/** JSON with sorted keys and no spaces: equal props are equal text. */
export const canonicalJson = (props: IslandProps): string =>
  JSON.stringify(Object.fromEntries(Object.entries(props).sort(([a], [b]) => (a < b ? -1 : 1))))
