import type { RequestHandler } from 'express'
import { limits } from '../../shared/constants'
import { SiteError } from '../errors'
import { isHostHeader } from '../url/hosts'

/** Refuses what no later row shall have to think of: missing, repeated or malformed hosts, huge targets and headers, TRACE. */
export function requestLimits(): RequestHandler {
  return function requestLimitsRow(request, _response, next) {
    const { rawHeaders } = request
    const hosts = rawHeaders.filter((value, index) => index % 2 === 0 && value.toLowerCase() === 'host').length
    const { host } = request.headers
    // HTTP/1.0 may come without a host: it is served as the en host.
    if (hosts > 1 || (host === undefined ? request.httpVersion !== '1.0' : !isHostHeader(host))) throw new SiteError('badHost')
    if (request.url.length > limits.targetBytes) throw new SiteError('targetTooLong')
    if (rawHeaders.reduce((sum, value) => sum + value.length + 2, 0) > limits.headerBytes) throw new SiteError('headersTooLarge')
    if (request.method === 'TRACE') throw new SiteError('methodNotAllowed', undefined, { Allow: 'GET, HEAD' })
    next()
  }
}
