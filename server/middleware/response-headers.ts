import type { RequestHandler } from 'express'
import { commonHeaders } from '../cache/security-headers'
import type { Settings } from '../env'
import type { Hosts } from '../url/hosts'

type Services = { hosts: Hosts; settings: Pick<Settings, 'INDEXING'> }

/** The headers of everything but stored answers, which hold them already. */
export function responseHeaders({ hosts, settings }: Services): RequestHandler {
  return function responseHeadersRow(request, response, next) {
    const isHttps = hosts.isSecureFor(request.headers.host)
    for (const [name, value] of Object.entries(commonHeaders(isHttps, settings)))
      response.setHeader(name, value)
    next()
  }
}
