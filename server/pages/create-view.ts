import type { PageServices } from './page-services'
import { locales, localeCodes, type LocaleCode } from '../../shared/i18n/locales'
import { shellNamespace } from '../../shared/i18n/namespaces'
import { localePath } from '../../shared/routes/href'
import { paramsInBounds, pathOf, type Match } from '../../shared/routes/match'
import { routeOf } from '../../shared/routes/table'
import type { IslandUse } from '../../shared/islands'
import type { PageData, PageKind } from '../../shared/page-data'
import type { PageView } from '../../shared/view'
import { guards } from './guards'
import { islandUse } from './islands/island-id'
import type { LoadContext } from './loaders/context'
import { loadPage } from './loaders/load-page'
import { addressIn, entryOf, existenceOf, type Existence } from '../url/page-availability'
import { seoOf } from './seo/seo'
import { siteInfo } from './render/site-info'

/** What a view is made from. */
export type ViewServices = Pick<
  PageServices,
  'settings' | 'store' | 'hosts' | 'build' | 'urlContext' | 'baseInfo'
>

export type ViewRequest = {
  locale: LocaleCode
  match: Match | null
  /** Of a list, from 1. Null: the query names no page. */ page: number | null
  /** As it was asked for, for messages. */ path: string
}
type ErrorData = PageData['error']
/** `tags` grows while islands are rendered: it is complete when the page is. */
export type Made = {
  status: 200 | 404 | 502
  view: PageView
  tags: Set<string>
  /** In the order in which the page's loader asked for them. */ islands: readonly IslandUse[]
}

/** Spec section 8: no route matches / a route matches but its parameters name nothing. */
const notFoundMessage = (match: Match | null, path: string): string =>
  match && match.route.id !== 'single' ? `Page Not Found: ${path}` : `Page not found: ${path}`

/** Every page shows texts of its language and of those that it falls back to, and the site's configuration. */
const commonTags = (locale: LocaleCode): string[] => [
  'site',
  'base-info',
  ...locales[locale].fallback.map((code) => `locale:${code}`),
]

function guardPasses(
  { store }: Pick<PageServices, 'store'>,
  { route, params }: Match,
  locale: LocaleCode,
): boolean {
  const collection = 'collection' in route.load ? route.load.collection : null
  return !route.guard || guards[route.guard].passes({ params, locale, collection, store })
}

/** Loads a page and puts together what it is rendered from; what names nothing becomes the 404 page. */
export function createView(site: ViewServices, { locale, match, page, path }: ViewRequest): Made {
  const tags = new Set(commonTags(locale))
  const islands: IslandUse[] = []
  const island: LoadContext['island'] = (name, props) => {
    const use = islandUse(name, locale, props, site.build.id)
    islands.push(use)
    return use
  }
  if (
    match &&
    page !== null &&
    paramsInBounds(match.params) &&
    !match.route.redirects &&
    guardPasses(site, match, locale)
  ) {
    const { found, data } = loadPage(
      {
        store: site.store,
        locale,
        route: match.route.id,
        params: match.params,
        page,
        tags,
        path,
        island,
      },
      match.route.load,
    )
    if (found && !(data && 'status' in data))
      return { status: 200, view: viewOf(site, locale, match, data, page), tags, islands }
    if (found && data && 'status' in data)
      return errorView(
        site,
        locale,
        data.status,
        data.status === 404 ? notFoundMessage(null, path) : '',
        path,
      )
  }
  return errorView(
    site,
    locale,
    404,
    notFoundMessage(match, path),
    path,
    match ? elsewhere(site, match) : [],
  )
}

/** The languages that have an entry which the asked one lacks: its 404 page leads there. */
function elsewhere(
  { store, hosts, urlContext }: Pick<PageServices, 'store' | 'hosts' | 'urlContext'>,
  { route, params }: Match,
): ErrorData['elsewhere'] {
  const page = { route: route.id, params }
  if (!paramsInBounds(params) || !entryOf(page, store)) return []
  const existence = existenceOf(page, store, urlContext())
  return existence.own.map((code) => ({
    code,
    href: addressIn(page, code, existence, hosts.origins),
  }))
}

/** The error page of a status. */
export function errorView(
  site: ViewServices,
  locale: LocaleCode,
  status: 404 | 502,
  message: string,
  path: string,
  found: ErrorData['elsewhere'] = [],
): Made {
  const match: Match = { route: routeOf(status === 404 ? 'error-404' : 'error-502'), params: {} }
  return {
    status,
    view: viewOf(
      site,
      locale,
      match,
      { status, message, path, ...(found.length > 0 ? { elsewhere: found } : {}) },
      1,
    ),
    tags: new Set(commonTags(locale)),
    islands: [],
  }
}

function viewOf(
  site: ViewServices,
  locale: LocaleCode,
  { route, params }: Match,
  data: PageData[PageKind],
  page: number,
): PageView {
  const { store, hosts, build } = site
  const isError = data !== null && 'status' in data
  const existence: Existence = isError
    ? { own: [], served: [] }
    : existenceOf({ route: route.id, params }, store, site.urlContext())
  return {
    buildId: build.id,
    locale,
    route: route.id,
    params,
    path: localePath(locale, pathOf(route.id, params)),
    seo: seoOf({ site, locale, route, params, data, page, existence }),
    site: siteInfo(site, locale),
    origins: hosts.origins,
    languages: localeCodes.map((code) => ({
      code,
      href: addressIn({ route: route.id, params }, code, existence, hosts.origins),
      same: existence.served.includes(code),
    })),
    texts: Object.fromEntries(
      [shellNamespace, ...route.texts].map((namespace) => [
        namespace,
        store.texts(locale, namespace),
      ]),
    ),
    data,
  }
}
