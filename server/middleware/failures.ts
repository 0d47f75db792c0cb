import type { ErrorRequestHandler, RequestHandler } from 'express'
import { failure, SiteError } from '../errors'
import type { Site } from '../site'
import { securityHeaders } from '../render/security-headers'
import { isPayloadTarget } from '../url/payload-target'

const jsonPaths = /^\/(?:api|_image|__nuxt_island|_ops|builds)(?:\/|$)/

/** Nothing answered: an address below the API that no call has. */
export function notFound(): RequestHandler {
  return function notFoundRow() {
    throw new SiteError('notFound')
  }
}

/** The one place where a failure becomes an answer: its public message, never a stack, a path or a library's name. */
export function failures({ log }: Site): ErrorRequestHandler {
  return function failuresRow(error: unknown, request, response, next) {
    const known = error instanceof SiteError ? error : asSiteError(error)
    if (known.status >= 500) log.error({ err: error }, 'a request failed')
    if (response.headersSent) return next(error)
    for (const [name, value] of Object.entries({ ...securityHeaders(false), 'Cache-Control': 'no-store', ...known.headers })) response.setHeader(name, value)
    response.status(known.status)
    if (jsonPaths.test(request.path) || isPayloadTarget(request.originalUrl)) return void response.json(failure(known))
    response.type('html').send(`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${known.status}</title></head><body><h1>${known.message}</h1></body></html>\n`)
  }
}

/** Errors of libraries carry a status at most; their texts stay in the log. */
function asSiteError(error: unknown): SiteError {
  const status = error !== null && typeof error === 'object' && 'status' in error ? error.status : undefined
  if (status === 404) return new SiteError('notFound')
  return typeof status === 'number' && status >= 400 && status < 500 ? new SiteError('badRequest') : new SiteError('internal')
}
