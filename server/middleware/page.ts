import type { Settings } from '../env'
import type { PageServices } from '../pages/page-services'
import type { RequestHandler } from 'express'
import { matchBench } from '../../shared/routes/match'
import { createPageServer } from '../pages/serve-page'
import { isNegotiated } from '../url/decide'
import { pageNumber } from '../url/page-number'
import type { CanonicalPage } from './canonical-url'

/** Serves canonical pages, 404 pages among them. */
export function page(site: PageServices): RequestHandler {
  const servePage = createPageServer(site)
  return function pageRow(request, response, next) {
    response.locals['answer'] = true
    const {
      host,
      locale,
      path,
      pathOnHost,
      query,
      match: known,
    } = response.locals['page'] as CanonicalPage
    const match = known ?? (site.settings.BENCH_PAGES ? matchBench(path) : null)
    servePage(
      {
        host,
        locale,
        match,
        page: pageNumber(match, query),
        path: pathOnHost,
        negotiated: isNegotiated(site.settings.LOCALE_NEGOTIATION, { host, locale, path }),
      },
      request,
      response,
    ).catch(next)
  }
}
