import type { RequestHandler } from 'express'
import { securityHeaders } from '../cache/security-headers'
import type { Settings } from '../env'
import type { Hosts } from '../url/hosts'

type Services = { hosts: Hosts; settings: Pick<Settings, 'INDEXING'> }

/** Security headers of everything but stored answers, which have their own. */
export function responseHeaders({ hosts, settings }: Services): RequestHandler {
  return function responseHeadersRow(request, response, next) {
    const isHttps = hosts.isSecureFor(request.headers.host)
    for (const [name, value] of Object.entries(securityHeaders(isHttps)))
      response.setHeader(name, value)
    // On staging, search engines must index nothing, files and feeds included.
    if (!settings.INDEXING) response.setHeader('X-Robots-Tag', 'noindex')
    next()
  }
}
