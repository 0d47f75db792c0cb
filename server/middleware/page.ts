import type { RequestHandler } from 'express'
import { matchBench } from '../../shared/routes/match'
import type { PageServices } from '../pages/page-services'
import { createPageServer } from '../pages/serve-page'
import { isNegotiated } from '../url/decide-url'
import { pageNumber } from '../url/page-number'
import { canonicalPageOf } from './canonical-url'

/** Serves canonical pages, and the 404 page for a path that matches no route. */
export function page(services: PageServices): RequestHandler {
  const { BENCH_PAGES, LOCALE_NEGOTIATION } = services.settings
  const servePage = createPageServer(services)
  return function pageRow(request, response, next) {
    response.locals['skipCompression'] = true
    const canonicalPage = canonicalPageOf(response)
    const { host, locale, path, pathOnHost, query } = canonicalPage
    const match = canonicalPage.match ?? (BENCH_PAGES ? matchBench(path) : null)
    servePage(
      {
        host,
        locale,
        match,
        page: pageNumber(match, query),
        path: pathOnHost,
        negotiated: isNegotiated(LOCALE_NEGOTIATION, { host, locale, path }),
      },
      request,
      response,
    ).catch(next)
  }
}
