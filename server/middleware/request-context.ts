import type { RequestHandler } from 'express'
import { chooseRequestId } from '../request/request-id'
import { createRequestLog } from '../telemetry/access-log'
import { loggedPath } from '../telemetry/logged-path'
import { setRequestContext, type Logger, type RequestContext } from '../telemetry/logger'
import type { Metrics } from '../telemetry/metrics'
import type { Tracing } from '../telemetry/tracing'
import type { AddressCounter } from '../url/count-addresses'

type Services = {
  log: Logger
  metrics: Metrics
  tracing: Tracing | null
  addressCounter: AddressCounter | null
}

/**
 * Gives each request its id, and logs it when the answer is finished or the client has
 * disconnected.
 */
export function requestContext({
  log,
  metrics,
  tracing,
  addressCounter,
}: Services): RequestHandler {
  const requestLog = createRequestLog(log)
  return function requestContextRow(request, response, next) {
    const context: RequestContext = { id: chooseRequestId(request.headers['x-request-id']) }
    const startedAt = performance.now()
    const bytesBefore = request.socket.bytesWritten
    const span = tracing?.startRequest(request, startedAt)
    const path = loggedPath(request.url)
    response.setHeader('X-Request-Id', context.id)
    response.once('close', () => {
      const durationMs = performance.now() - startedAt
      const status = response.writableFinished ? response.statusCode : 499
      const { route = 'other', locale = '', cache = 'none' } = context
      if (status > 300 && status < 405) addressCounter?.count(request, status)
      metrics.countRequest(route, locale, cache, status, durationMs)
      span?.end({ route, locale, cache, status })
      requestLog.info(
        {
          id: context.id,
          method: request.method,
          host: request.headers.host && loggedPath(request.headers.host),
          path,
          route: context.route,
          locale: context.locale,
          status,
          duration: Math.round(durationMs * 10) / 10,
          cache: context.cache,
          bytes: request.socket.bytesWritten - bytesBefore,
        },
        'request',
      )
    })
    setRequestContext(response, context)
    if (span) span.run(next)
    else next()
  }
}
