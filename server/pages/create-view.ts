import { localeCodes, locales, type LocaleCode } from '../../shared/i18n/locales'
import {
  menusNamespace,
  navigationNamespace,
  shellNamespace,
  type Namespace,
} from '../../shared/i18n/namespaces'
import type { IslandUse } from '../../shared/islands'
import type { PageData, PageKind } from '../../shared/page-data'
import type { Page } from '../../shared/routes/availability'
import { href, localePath } from '../../shared/routes/href'
import { areParamsWithinLimits, type Match } from '../../shared/routes/match'
import { pathOf } from '../../shared/routes/path-of'
import { menuNameOf, parentOf } from '../../shared/routes/nav'
import type { NavKey } from '../../shared/routes/route-row'
import { routeOf, shellOf, type Route } from '../../shared/routes/table'
import type { Breadcrumb, PageView, Texts } from '../../shared/view'
import {
  entryOf,
  pageAvailability,
  urlInLocale,
  type PageAvailability,
} from '../url/page-availability'
import { guards } from './guards'
import { islandUse } from './islands/island-id'
import type { LoadContext } from './loaders/context'
import { loadPage } from './loaders/load-page'
import { searchWordsOf } from './not-found-suggestions'
import type { PageServices } from './page-services'
import { seoOf } from './seo/seo'
import { organizationOf, siteInfo } from './site-info/site-info'

export type ViewServices = Pick<
  PageServices,
  'settings' | 'store' | 'hosts' | 'build' | 'urlContext' | 'baseInfo'
>

export type ViewRequest = {
  locale: LocaleCode
  match: Match | null
  /** Page of a list, from 1; null: the query requests no valid page. */
  page: number | null
  /** Requested path, for messages. */
  path: string
}

/** What a page is rendered from. */
export type ViewResult = {
  status: 200 | 404 | 502
  view: PageView
  /** Surrogate tags: complete when the islands are rendered, which add theirs. */
  tags: Set<string>
  /** All that the page shows, in the order in which the loader requested them. */
  islands: readonly IslandUse[]
}

type ErrorData = PageData['error']
type ErrorRequest = Pick<ErrorData, 'status' | 'message' | 'path'> & {
  locale: LocaleCode
  elsewhere?: ErrorData['elsewhere'] | undefined
}

/** Spec 5.7: no route matches, or its parameters name nothing. */
const notFoundMessage = (match: Match | null, path: string): string =>
  match && match.route.id !== 'single' ? `Page Not Found: ${path}` : `Page not found: ${path}`

/** Every page shows the site's configuration, and texts of its language and its fallbacks. */
const commonTags = (locale: LocaleCode): string[] => [
  'site',
  'base-info',
  ...locales[locale].fallback.map((code) => `locale:${code}`),
]

const isErrorData = (data: PageData[PageKind]): data is ErrorData =>
  data !== null && 'status' in data

/** Loads a page and creates its view; the view of the 404 page where it does not exist. */
export function createView(services: ViewServices, request: ViewRequest): ViewResult {
  const { locale, match, page, path } = request
  const tags = new Set(commonTags(locale))
  const islands: IslandUse[] = []
  const island: LoadContext['island'] = (name, props) => {
    const use = islandUse(name, locale, props, services.build.id)
    islands.push(use)
    return use
  }
  if (match && page !== null && mayLoad(services, match, locale)) {
    const { route, params } = match
    const { store } = services
    const context = { store, locale, route: route.id, params, page, tags, path, island }
    const loaded = loadPage(context, route.load)
    if (loaded && isErrorData(loaded.data)) {
      const { status } = loaded.data
      const message = status === 404 ? notFoundMessage(null, path) : ''
      return createErrorView(services, { locale, status, message, path })
    }
    if (loaded) {
      const view = assembleView(services, locale, match, loaded.data, page)
      return { status: 200, view, tags, islands }
    }
  }
  return createErrorView(services, {
    locale,
    status: 404,
    message: notFoundMessage(match, path),
    path,
    elsewhere: match ? otherLanguages(services, match) : [],
  })
}

function mayLoad(
  { store }: Pick<PageServices, 'store'>,
  { route, params }: Match,
  locale: LocaleCode,
): boolean {
  if (route.redirects || !areParamsWithinLimits(params)) return false
  const collection = 'collection' in route.load ? route.load.collection : null
  return !route.guard || guards[route.guard].passes({ params, locale, collection, store })
}

/** Languages that have the entry which the requested language lacks: the 404 page links to them. */
function otherLanguages(
  { store, hosts, urlContext }: Pick<PageServices, 'store' | 'hosts' | 'urlContext'>,
  { route, params }: Match,
): ErrorData['elsewhere'] {
  const page = { route: route.id, params }
  if (!areParamsWithinLimits(params) || !entryOf(page, store)) return []
  const availability = pageAvailability(page, store, urlContext())
  return availability.own.map((code) => ({
    code,
    href: urlInLocale(page, code, availability, hosts.origins),
  }))
}

/** The view of an error page. */
export function createErrorView(
  services: ViewServices,
  { locale, status, message, path, elsewhere = [] }: ErrorRequest,
): ViewResult {
  const match: Match = { route: routeOf(status === 404 ? 'error-404' : 'error-502'), params: {} }
  const words = status === 404 ? searchWordsOf(path) : ''
  const nearest = words ? islandUse('SimilarPages', locale, { words }, services.build.id) : null
  const data = {
    status,
    message,
    path,
    ...(elsewhere.length > 0 ? { elsewhere } : {}),
    ...(nearest ? { nearest } : {}),
  }
  return {
    status,
    view: assembleView(services, locale, match, data, 1),
    tags: new Set(commonTags(locale)),
    islands: nearest ? [nearest] : [],
  }
}

function assembleView(
  services: ViewServices,
  locale: LocaleCode,
  { route, params }: Match,
  data: PageData[PageKind],
  page: number,
): PageView {
  const { store, hosts, build, urlContext } = services
  const availability: PageAvailability = isErrorData(data)
    ? { own: [], served: [] }
    : pageAvailability({ route: route.id, params }, store, urlContext())
  return {
    buildId: build.id,
    locale,
    route: route.id,
    params,
    path: localePath(locale, pathOf(route.id, params)),
    seo: seoOf(services, { locale, route, params, data, page, availability }),
    site: siteInfo(services, locale),
    organization: organizationOf(store.siteConfig()),
    origins: hosts.origins,
    languages: localeCodes.map((code) => ({
      code,
      href: urlInLocale({ route: route.id, params }, code, availability, hosts.origins),
      same: availability.served.includes(code),
    })),
    breadcrumb: breadcrumbOf(
      store.texts(locale, menusNamespace),
      { route: route.id, params },
      locale,
    ),
    texts: Object.fromEntries(
      namespacesOf(route).map((namespace) => [namespace, store.texts(locale, namespace)]),
    ),
    data,
  }
}

const namespacesOf = ({ id, texts }: Route): Namespace[] => [
  navigationNamespace,
  ...(shellOf(id) === 'bare' ? [] : [shellNamespace]),
  menusNamespace,
  ...texts,
]

function breadcrumbOf(names: Texts, page: Page, locale: LocaleCode): Breadcrumb {
  const nameOf = (key: NavKey): string => {
    const name = names[key]
    return typeof name === 'string' ? name : ''
  }
  const ownKey = menuNameOf(page)
  const parent = parentOf(page.route, locale)
  return {
    above: [
      { href: href(locale, 'home'), text: nameOf('NAVBAR_HOME') },
      ...(parent ? [{ href: parent.href, text: nameOf(parent.key) }] : []),
    ],
    name: ownKey && nameOf(ownKey),
  }
}
