import {
  context,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Span,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { defaultResource, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import { NodeSDK } from '@opentelemetry/sdk-node'
import type { Build } from '../build-info'
import type { Tracing } from './tracing'

/** A collector that hangs must not hold up a shutdown (ms). */
const stopTimeout = 1000
const serviceName = 'site'

/**
 * Starts tracing with OpenTelemetry's SDK, which reads the standard variables itself: OTEL_EXPORTER_OTLP_ENDPOINT and _HEADERS, OTEL_SERVICE_NAME,
 * OTEL_RESOURCE_ATTRIBUTES, OTEL_TRACES_SAMPLER, OTEL_BSP_* and the rest. Spans are batched and sent in the background; they are dropped while the collector is away.
 * Loaded by `import()` alone, so that a site without tracing never loads these packages.
 */
export function startTracing(build: Pick<Build, 'id'>): Tracing {
  const sdk = new NodeSDK({
    resource: defaultResource().merge(
      resourceFromAttributes({ 'service.name': serviceName, 'service.version': build.id }),
    ),
    // The other default detectors add host name, user and command line.
    resourceDetectors: [envDetector],
    traceExporter: new OTLPTraceExporter(),
    metricReaders: [],
    logRecordProcessors: [],
  })
  // Sets Node's async context as the context manager, and W3C `traceparent` as the propagator.
  sdk.start()
  const tracer = trace.getTracer('site', build.id)

  const failed = (span: Span, error: unknown): void => {
    span.setStatus({
      code: SpanStatusCode.ERROR,
      message: error instanceof Error ? error.name : 'failure',
    })
    span.end()
  }

  return {
    request({ method = '', url = '/', headers }, started) {
      const parent = propagation.extract(ROOT_CONTEXT, headers)
      // The path alone: a query may hold what no log may.
      const attributes = { 'http.request.method': method, 'url.path': url.split('?', 1)[0] ?? '/' }
      const span = tracer.startSpan(
        method,
        { kind: SpanKind.SERVER, startTime: performance.timeOrigin + started, attributes },
        parent,
      )
      return {
        within: (work) => context.with(trace.setSpan(parent, span), work),
        end({ route, locale, cache, status }) {
          span.updateName(`${method} ${route}`)
          span.setAttributes({
            'http.route': route,
            'http.response.status_code': status,
            'site.cache': cache,
            ...(locale ? { 'site.locale': locale } : {}),
          })
          if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
          span.end()
        },
      }
    },
    span(name, work, outwards = false) {
      return tracer.startActiveSpan(
        name,
        { kind: outwards ? SpanKind.CLIENT : SpanKind.INTERNAL },
        (span) => {
          try {
            const made = work()
            if (made instanceof Promise)
              made.then(
                () => span.end(),
                (error: unknown) => failed(span, error),
              )
            else span.end()
            return made
          } catch (error) {
            failed(span, error)
            throw error
          }
        },
      )
    },
    onwards() {
      const headers: Record<string, string> = {}
      propagation.inject(context.active(), headers)
      return headers
    },
    async stop() {
      let timer: NodeJS.Timeout | undefined
      await Promise.race([
        sdk.shutdown().catch(() => undefined),
        new Promise((resolve) => (timer = setTimeout(resolve, stopTimeout))),
      ])
      clearTimeout(timer)
    },
  }
}
