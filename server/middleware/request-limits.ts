import type { RequestHandler } from 'express'
import { limits } from '../../shared/constants'
import { SiteError } from '../errors'
import { decodePath, splitTarget } from '../url/decode-path'
import { isHostHeader } from '../url/hosts'

/** Where more than GET and HEAD may be meant. */
const writable = /^\/(?:api|_ops)(?:\/|$)/

/** Refuses what no later row shall have to think of: missing, repeated or malformed hosts, huge targets and headers, paths that cannot be read, TRACE. */
export function requestLimits(): RequestHandler {
  return function requestLimitsRow(request, _response, next) {
    const { rawHeaders } = request
    const hosts = rawHeaders.filter(
      (value, index) => index % 2 === 0 && value.toLowerCase() === 'host',
    ).length
    const { host } = request.headers
    // HTTP/1.0 may come without a host: it is served as the en host.
    if (hosts > 1 || (host === undefined ? request.httpVersion !== '1.0' : !isHostHeader(host)))
      throw new SiteError('badHost')
    if (request.url.length > limits.targetBytes) throw new SiteError('targetTooLong')
    // Names, values, and the four characters that part them.
    if (rawHeaders.reduce((sum, value) => sum + value.length + 2, 0) > limits.headerBytes)
      throw new SiteError('headersTooLarge')
    const { path } = splitTarget(request.url)
    if (decodePath(path) === null) throw new SiteError('badPath')
    // All but the API are pages or files; nobody is sent his own headers back.
    const reads = request.method === 'GET' || request.method === 'HEAD'
    if (!reads && (!writable.test(path) || request.method === 'TRACE'))
      throw new SiteError('methodNotAllowed', undefined, {
        Allow: writable.test(path) ? 'GET, HEAD, POST' : 'GET, HEAD',
      })
    next()
  }
}
