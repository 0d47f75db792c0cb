import type { RequestHandler } from 'express'
import { SiteError } from '../errors'

/** Pages take GET and HEAD: only they are redirected, every other method is refused. */
export function pageMethods(): RequestHandler {
  return function pageMethodsRow(request, _response, next) {
    if (request.method !== 'GET' && request.method !== 'HEAD') throw new SiteError('methodNotAllowed', undefined, { Allow: 'GET, HEAD' })
    next()
  }
}
