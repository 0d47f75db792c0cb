import { shellNamespace } from '../../shared/i18n/namespaces'
import type { PageCarrying, PayloadIsland } from '../../shared/payload'
import type { PageView } from '../../shared/view'
import { pageHead } from './seo/head'

/** A page as its payload carries it: without what the browser has from the page it loaded. */
export function pageCarrying(view: PageView, islands: readonly PayloadIsland[]): PageCarrying {
  const { buildId, path, locale, route, params, seo, data, languages, texts } = view
  const { [shellNamespace]: _shell, ...own } = texts
  return {
    buildId,
    path,
    locale,
    route,
    params,
    seo,
    data,
    languages,
    texts: own,
    head: pageHead(view),
    islands,
  }
}
