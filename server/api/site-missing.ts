import type { RequestHandler } from 'express'
import { SiteError, success } from '../errors'
import { errorView } from '../render/make-view'
import { pageCarrying } from '../render/page-carrying'
import type { Site } from '../site'
import { splitTarget } from '../url/decode-path'
import { localeOfCall } from '../url/negotiate-locale'

/**
 * `GET /api/site/missing?lang=`: the 404 page as payloads carry pages, so that a click on a dead link shows it without a
 * full load. A 404 payload names only the message (decisions 6); message and path are empty here, the browser has them.
 */
export function siteMissing(site: Site): RequestHandler {
  return function siteMissingCall(request, response) {
    const locale = localeOfCall(new URLSearchParams(splitTarget(request.originalUrl).query).get('lang') ?? '')
    if (!locale) throw new SiteError('badRequest', 'lang: no such language')
    response.setHeader('Cache-Control', 'no-store')
    response.json(success(pageCarrying(errorView(site, locale, 404, '', '').view, [])))
  }
}
