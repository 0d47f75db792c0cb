import type { ErrorRequestHandler } from 'express'
import { SiteError, type ErrorName } from '../errors'
import { errorResponse } from '../http/error-response'
import { requestIdField, type Logger } from '../telemetry/logger'
import type { Metrics } from '../telemetry/metrics'
import type { RecentErrors } from '../telemetry/recent-errors'
import { loggedPath } from '../telemetry/logged-path'
import { splitTarget } from '../url/decode-path'
import type { Hosts } from '../url/hosts'

type Services = {
  log: Logger
  metrics: Pick<Metrics, 'countError'>
  recentErrors: Pick<RecentErrors, 'add'>
  hosts: Hosts
}

/**
 * Answers of a site that protects itself, or that is starting or stopping. Under a flood there are
 * thousands a second: the access log and the metrics have them.
 */
const refusals: ReadonlySet<ErrorName> = new Set(['notReady', 'busy', 'searchBusy', 'imagesBusy'])

/**
 * The only place that turns an error into an answer: its public message, and never a stack, a path
 * or the name of a library.
 */
export function errorHandler({ log, metrics, recentErrors, hosts }: Services): ErrorRequestHandler {
  return function errorHandlerRow(error: unknown, request, response, _next) {
    const siteError = error instanceof SiteError ? error : toSiteError(error)
    metrics.countError(siteError.error)
    if (siteError.status >= 500 && !refusals.has(siteError.error)) {
      log.error({ ...requestIdField(response), err: error }, 'a request failed')
      const { id = '' } = requestIdField(response)
      recentErrors.add({ id, path: loggedPath(request.originalUrl), message: siteError.error })
    }
    // Express would do the same, and print the stack to standard error.
    if (response.headersSent) return void response.destroy()
    const { path } = splitTarget(request.originalUrl)
    const isHttps = hosts.isSecureFor(request.headers.host)
    const { status, headers, body } = errorResponse(siteError, path, isHttps)
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
    response.status(status).send(body)
  }
}

/** Keeps only the status of a library's error. Its message stays in the log. */
function toSiteError(error: unknown): SiteError {
  const status =
    error !== null && typeof error === 'object' && 'status' in error ? error.status : undefined
  if (status === 404) return new SiteError('notFound')
  if (status === 416) return new SiteError('badRange')
  const isBadRequest = typeof status === 'number' && status >= 400 && status < 500
  return new SiteError(isBadRequest ? 'badRequest' : 'internal')
}
