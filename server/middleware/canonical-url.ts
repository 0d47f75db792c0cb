import type { Settings } from '../env'
import type { UrlContext } from '../url/canonicalize'
import type { Hosts } from '../url/hosts'
import type { Request, RequestHandler } from 'express'
import { localeCookie } from '../../shared/locale-cookie'
import type { AnswerCache } from '../cache/answer-cache'
import { keepRedirect } from '../cache/keep-redirect'
import { SiteError } from '../errors'
import { note } from '../telemetry/logger'
import { decide, type PageDecision } from '../url/decide'
import { splitTarget } from '../url/decode-path'
import type { Visitor } from '../url/negotiate-locale'
import { redirect } from '../url/redirect'

type Services = {
  cache: AnswerCache
  hosts: Hosts
  urlContext: () => UrlContext
  settings: Settings
}

/** The canonical page that a request asks for, as this row leaves it for the next. */
export type CanonicalPage = PageDecision

const visitorOf = ({ method, headers }: Request): Visitor => ({
  method,
  acceptLanguage: headers['accept-language'],
  cookie: headers.cookie,
  fetchSite: typeof headers['sec-fetch-site'] === 'string' ? headers['sec-fetch-site'] : undefined,
  referer: headers.referer,
  userAgent: headers['user-agent'],
})

/** What depends on the visitor's language says so. */
const byVisitor = { Vary: 'Accept-Language, Cookie' }

/** Answers every URL that is not canonical with its one redirect; hands canonical pages on in `response.locals`. */
export function canonicalUrl(site: Services): RequestHandler {
  const { hosts, urlContext, settings } = site
  return function canonicalUrlRow(request, response, next) {
    const asked = {
      host: hosts.nameOf(request.headers.host ?? ''),
      ...splitTarget(request.originalUrl),
    }
    const { answer, varies } = decide(
      asked,
      visitorOf(request),
      settings.LOCALE_NEGOTIATION,
      urlContext(),
    )
    if (answer.kind === 'bad')
      throw new SiteError(answer.status === 414 ? 'targetTooLong' : 'badPath')
    if (answer.kind === 'page') {
      response.locals['page'] = answer
      return next()
    }
    note(response, { route: 'redirect' })
    if (answer.kind === 'redirect') {
      // The same for everybody: the front may answer the next one.
      if (!varies) keepRedirect(site, asked.host, request.originalUrl, answer)
      return redirect(response, answer, hosts.origins, varies ? byVisitor : {})
    }
    const cookie = localeCookie(answer.locale, {
      secure: hosts.secure('en'),
      domain: settings.COOKIE_DOMAIN,
    })
    redirect(response, { location: answer.location, status: 302, external: false }, hosts.origins, {
      ...byVisitor,
      'Cache-Control': 'private, no-store',
      'Set-Cookie': cookie,
    })
  }
}
