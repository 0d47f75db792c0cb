import type { RequestHandler } from 'express'
import { SiteError } from '../errors'
import { note } from '../log'
import type { Site } from '../site'
import { canonicalise, type Decision } from '../url/canonicalise'
import { splitTarget } from '../url/decode-path'
import { redirect } from '../url/redirect'

/** The canonical page that a request asks for, as this row leaves it for the next. */
export type CanonicalPage = Extract<Decision, { kind: 'page' }>

/** Answers every URL that is not canonical with its one redirect; hands canonical pages on in `response.locals`. */
export function canonicalUrl({ hosts, world }: Site): RequestHandler {
  return function canonicalUrlRow(request, response, next) {
    const decision = canonicalise({ host: hosts.nameOf(request.headers.host ?? ''), ...splitTarget(request.originalUrl) }, world())
    if (decision.kind === 'bad') throw new SiteError(decision.status === 414 ? 'targetTooLong' : 'badPath')
    if (decision.kind === 'redirect') {
      note({ route: 'redirect' })
      return redirect(response, decision, hosts.origins)
    }
    response.locals['page'] = decision
    next()
  }
}
