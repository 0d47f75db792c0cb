import type { RequestHandler } from 'express'
import { limits } from '../../shared/constants'
import { reservedPathOf } from '../../shared/reserved-paths'
import { allowAt } from '../api/calls'
import { SiteError } from '../errors'
import { decodePath, originOf, splitTarget } from '../url/decode-path'
import { isHostHeader } from '../url/hosts'

/**
 * Refuses what no later row has to handle: missing, repeated, contradicting or malformed hosts,
 * long targets and headers, paths that cannot be decoded, TRACE, and writes to anything but the API
 * and the operations.
 */
export function requestLimits(): RequestHandler {
  return function requestLimitsRow(request, _response, next) {
    const { rawHeaders } = request
    const hostHeaders = rawHeaders.filter(
      (value, index) => index % 2 === 0 && value.toLowerCase() === 'host',
    ).length
    const { host } = request.headers
    // HTTP/1.0 allows a request without a host; it gets the en host.
    const isHostValid = host === undefined ? request.httpVersion === '1.0' : isHostHeader(host)
    // An absolute-form target that names the same host has become a path already.
    const namesOtherHost = originOf(request.url) !== null
    if (hostHeaders > 1 || !isHostValid || namesOtherHost) throw new SiteError('badHost')
    if (request.url.length > limits.maxTargetBytes) throw new SiteError('targetTooLong')
    // Names and values, and for each pair the four characters `: ` and CR LF.
    const headerBytes = rawHeaders.reduce((sum, value) => sum + value.length + 2, 0)
    if (headerBytes > limits.maxHeaderBytes) throw new SiteError('headersTooLarge')
    const { path } = splitTarget(request.url)
    if (decodePath(path) === null) throw new SiteError('badPath')
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    const takesWrites = reservedPathOf(path)?.methods === 'GET, HEAD, POST'
    // TRACE would send the visitor's headers back.
    if (!isRead && (!takesWrites || request.method === 'TRACE'))
      throw new SiteError('methodNotAllowed', undefined, { Allow: allowAt(path) })
    // Express reads `\` as `/` when a `#` follows. A proxy that guards `/_ops/` would not see that
    // `/_ops\console#` leads there.
    if (request.url.includes('#') && path !== request.path) throw new SiteError('badPath')
    next()
  }
}
