import type { Metrics } from '../telemetry/metrics'
import type { Logger } from '../telemetry/logger'
import type { ErrorRequestHandler, RequestHandler } from 'express'
import { SiteError } from '../errors'
import { requestId } from '../telemetry/logger'
import { refusalOf } from '../http/refusal'
import { splitTarget } from '../url/decode-path'

/** Nothing answered: an address below the API that no call has. */
export function notFound(): RequestHandler {
  return function notFoundRow() {
    throw new SiteError('notFound')
  }
}

/** The one place where a failure becomes an answer: its public message, never a stack, a path or a library's name. */
export function failures({ log, metrics }: { log: Logger; metrics: Metrics }): ErrorRequestHandler {
  return function failuresRow(error: unknown, request, response, next) {
    const known = error instanceof SiteError ? error : asSiteError(error)
    metrics.refused(known.error)
    if (known.status >= 500) log.error({ ...requestId(response), err: error }, 'a request failed')
    if (response.headersSent) return next(error)
    const { status, headers, body } = refusalOf(known, splitTarget(request.originalUrl).path)
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
    response.status(status).send(body)
  }
}

/** Errors of libraries carry a status at most; their texts stay in the log. */
function asSiteError(error: unknown): SiteError {
  const status =
    error !== null && typeof error === 'object' && 'status' in error ? error.status : undefined
  if (status === 404) return new SiteError('notFound')
  return typeof status === 'number' && status >= 400 && status < 500
    ? new SiteError('badRequest')
    : new SiteError('internal')
}
