import type { RequestHandler } from 'express'
import type { RedirectPayload } from '../../shared/payload'
import { SiteError } from '../errors'
import type { PageServices } from '../pages/page-services'
import { createPayloadServer } from '../pages/serve-payload'
import { addLogFields } from '../telemetry/logger'
import { canonicalize, type Decision, type RequestedUrl } from '../url/canonicalize'
import { pageNumber } from '../url/page-number'
import { payloadTarget } from '../url/payload-target'
import { redirectCaching, toClientRedirect } from '../url/redirect'
import type { UrlContext } from '../url/url-context'

/**
 * The URL rules, applied to the page of a payload. `/es/_payload.json` may belong to `/es` or to
 * `/es/`, which is the canonical form with a query (spec 3.10), so both are tried.
 */
function decidePage(requested: RequestedUrl, urlContext: UrlContext): Decision {
  const decision = canonicalize(requested, urlContext)
  if (decision.kind !== 'redirect') return decision
  const slashed = canonicalize({ ...requested, path: `${requested.path}/` }, urlContext)
  return slashed.kind === 'page' ? slashed : decision
}

/**
 * `{page}/_payload.json?{buildId}` (spec 6.3): the data that the browser renders a page from. This
 * row answers every path with that ending, so that no later row takes one for a page. It never
 * negotiates a language.
 */
export function payloads(services: PageServices): RequestHandler {
  const { hosts, urlContext, build } = services
  const servePayload = createPayloadServer(services)
  return function payloadsRow(request, response, next) {
    const target = payloadTarget(request.originalUrl)
    if (!target) return void next()
    const host = hosts.hostNameOf(request.headers.host ?? '')
    const { path, query: pageQuery, buildId } = target
    const decision = decidePage({ host, path, query: pageQuery }, urlContext())
    if (decision.kind === 'bad')
      throw new SiteError(decision.status === 414 ? 'targetTooLong' : 'badPath')
    const otherBuild = buildId !== null && buildId !== build.id
    if (decision.kind === 'redirect') {
      addLogFields(response, { route: 'payload redirect' })
      const caching = otherBuild ? 'no-store' : redirectCaching(decision.status)
      response.setHeader('Cache-Control', caching)
      const body: RedirectPayload = {
        buildId: build.id,
        redirect: toClientRedirect(decision, hosts.origins[host]),
      }
      return void response.json(body)
    }
    const { locale, match, pathOnHost, query } = decision
    response.locals['skipCompression'] = true
    servePayload(
      { host, locale, match, page: pageNumber(match, query), path: pathOnHost, otherBuild },
      request,
      response,
    ).catch(next)
  }
}
