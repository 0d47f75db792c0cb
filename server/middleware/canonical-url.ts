import type { Request, RequestHandler, Response } from 'express'
import { cookies } from '../../shared/constants'
import { serializeCookie } from '../../shared/cookies'
import { isLocaleCode } from '../../shared/i18n/locales'
import type { AnswerCache } from '../cache/answer-cache'
import { storeRedirect } from '../cache/store-redirect'
import type { Settings } from '../env'
import { SiteError } from '../errors'
import { cookiesOf } from '../request/cookies'
import { addLogFields } from '../telemetry/logger'
import { decideUrl, type PageDecision } from '../url/decide-url'
import { splitTarget } from '../url/decode-path'
import type { Hosts } from '../url/hosts'
import type { VisitorHeaders } from '../url/negotiate-locale'
import { redirect } from '../url/redirect'
import type { UrlContext } from '../url/url-context'

type Services = {
  cache: AnswerCache
  hosts: Hosts
  urlContext: () => UrlContext
  settings: Settings
}

function visitorHeaders(request: Request): VisitorHeaders {
  const { method, headers } = request
  const fetchSite = headers['sec-fetch-site']
  const cookieLocale = cookiesOf(request)[cookies.locale.name]
  return {
    method,
    acceptLanguage: headers['accept-language'],
    hasCookies: Boolean(headers.cookie),
    // An unknown value counts as absent (spec 4.5).
    cookieLocale: isLocaleCode(cookieLocale) ? cookieLocale : null,
    fetchSite: typeof fetchSite === 'string' ? fetchSite : undefined,
    referer: headers.referer,
    userAgent: headers['user-agent'],
  }
}

/** For answers that depend on the visitor's language. */
const varyByVisitor = { Vary: 'Accept-Language, Cookie' }

/** The canonical page that a request asks for, once this row has passed it on. */
export const canonicalPageOf = (response: Response): PageDecision =>
  // The row before the page row sets it on every request that it passes on.
  response.locals['page'] as PageDecision

/** Redirects every URL that is not canonical, once, and passes canonical pages on. */
export function canonicalUrl(services: Services): RequestHandler {
  const { hosts, urlContext, settings } = services
  return function canonicalUrlRow(request, response, next) {
    const host = hosts.hostNameOf(request.headers.host ?? '')
    const { decision, varies } = decideUrl(
      { host, ...splitTarget(request.originalUrl) },
      visitorHeaders(request),
      settings.LOCALE_NEGOTIATION,
      urlContext(),
    )
    if (decision.kind === 'bad')
      throw new SiteError(decision.status === 414 ? 'targetTooLong' : 'badPath')
    if (decision.kind === 'page') {
      response.locals['page'] = decision
      return void next()
    }
    addLogFields(response, { route: 'redirect' })
    if (decision.kind === 'redirect') {
      // All visitors get the same redirect, so the front may answer the next request.
      if (!varies) storeRedirect(services, host, request.originalUrl, decision)
      return void redirect(response, decision, hosts.origins, varies ? varyByVisitor : {})
    }
    const { location, locale } = decision
    redirect(response, { location, status: 302, external: false }, hosts.origins, {
      ...varyByVisitor,
      'Cache-Control': 'private, no-store',
      'Set-Cookie': serializeCookie('locale', locale, {
        secure: hosts.isSecure('en'),
        domain: settings.COOKIE_DOMAIN,
      }),
    })
  }
}
