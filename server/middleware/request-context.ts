import type { Tracing } from '../telemetry/tracing'
import type { Metrics } from '../telemetry/metrics'
import type { Logger } from '../telemetry/logger'
import { randomUUID } from 'node:crypto'
import type { RequestHandler } from 'express'
import { createRequestLog } from '../telemetry/access-log'
import { acceptableId, beginRequest, type RequestContext } from '../telemetry/logger'

/** Gives each request its id and writes its one line when the answer is finished or its client has gone. */
export function requestContext({
  log,
  metrics,
  tracing,
}: {
  log: Logger
  metrics: Metrics
  tracing: Tracing | null
}): RequestHandler {
  const requestLog = createRequestLog(log)
  return function requestContextRow(request, response, next) {
    const given = request.headers['x-request-id']
    const context: RequestContext = {
      id: typeof given === 'string' && acceptableId.test(given) ? given : randomUUID(),
    }
    const started = performance.now()
    const socketBytes = request.socket.bytesWritten
    const span = tracing?.request(request, started)
    const path = request.url.split('?', 1)[0]
    response.setHeader('X-Request-Id', context.id)
    response.once('close', () => {
      const duration = performance.now() - started
      const status = response.writableFinished ? response.statusCode : 499
      const { route = 'other', locale = '', cache = 'none' } = context
      metrics.request(route, locale, cache, status, duration)
      span?.end({ route, locale, cache, status })
      requestLog.info(
        {
          id: context.id,
          method: request.method,
          host: request.headers.host,
          path,
          route: context.route,
          locale: context.locale,
          status,
          duration: Math.round(duration * 10) / 10,
          cache: context.cache,
          bytes: request.socket.bytesWritten - socketBytes,
        },
        'request',
      )
    })
    beginRequest(response, context)
    if (span) span.within(next)
    else next()
  }
}
