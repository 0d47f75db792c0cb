import type { Build } from '../build-info'
import type { Hosts } from '../url/hosts'
import type { PageServices } from '../pages/page-services'
import type { RequestHandler } from 'express'
import type { Redirecting } from '../../shared/payload'
import { SiteError } from '../errors'
import { note } from '../telemetry/logger'
import { createPayloadServer } from '../pages/serve-payload'
import {
  canonicalize,
  type RequestedUrl,
  type Decision,
  type UrlContext,
} from '../url/canonicalize'
import { pageNumber } from '../url/page-number'
import { payloadTarget } from '../url/payload-target'
import { redirectCaching } from '../url/redirect'
import { seenFromHost } from '../url/seen-from-host'

/**
 * The rules of URLs, applied to the page (decisions 3). `/es/_payload.json` is asked of `/es` and, with a query, of `/es/`,
 * which rule 10 wants: the slash may be the payload's or the page's.
 */
function decidePage(asked: RequestedUrl, urlContext: UrlContext): Decision {
  const decision = canonicalize(asked, urlContext)
  if (decision.kind !== 'redirect') return decision
  const slashed = canonicalize({ ...asked, path: `${asked.path}/` }, urlContext)
  return slashed.kind === 'page' ? slashed : decision
}

/**
 * `{page}/_payload.json?{buildId}` (decisions 6): what the browser renders the page from. It takes every address of that
 * ending, so that no later row can take one for a page; a language is never chosen for its visitor.
 */
export function payloads(site: PageServices): RequestHandler {
  const servePayload = createPayloadServer(site)
  const { hosts, urlContext, build } = site
  return function payloadsRow(request, response, next) {
    const target = payloadTarget(request.originalUrl)
    if (!target) return next()
    const host = hosts.nameOf(request.headers.host ?? '')
    const decision = decidePage({ host, path: target.path, query: target.query }, urlContext())
    if (decision.kind === 'bad')
      throw new SiteError(decision.status === 414 ? 'targetTooLong' : 'badPath')
    const otherBuild = target.buildId !== null && target.buildId !== build.id
    if (decision.kind === 'redirect') {
      note(response, { route: 'payload redirect' })
      const body: Redirecting = {
        buildId: build.id,
        redirect: seenFromHost(decision, hosts.origins[host]),
      }
      response.setHeader(
        'Cache-Control',
        otherBuild ? 'no-store' : redirectCaching(decision.status),
      )
      return void response.json(body)
    }
    const { locale, match, pathOnHost, query } = decision
    response.locals['answer'] = true
    servePayload(
      { host, locale, match, page: pageNumber(match, query), path: pathOnHost, otherBuild },
      request,
      response,
    ).catch(next)
  }
}
