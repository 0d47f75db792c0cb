import type { Settings } from '../env'
import type { Hosts } from '../url/hosts'
import type { RequestHandler } from 'express'
import { securityHeaders } from '../cache/security-headers'

/** Security headers of everything that is no page; pages bring their own, stored with them. */
export function responseHeaders({
  hosts,
  settings,
}: {
  hosts: Hosts
  settings: Settings
}): RequestHandler {
  const plain = securityHeaders(false)
  const secure = securityHeaders(true)
  return function responseHeadersRow(request, response, next) {
    const headers = hosts.secure(hosts.nameOf(request.headers.host ?? '')) ? secure : plain
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
    // Staging: nothing of it shall be found, files and feeds included.
    if (!settings.INDEXING) response.setHeader('X-Robots-Tag', 'noindex')
    next()
  }
}
