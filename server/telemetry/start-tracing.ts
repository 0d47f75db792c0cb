import {
  context,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Span,
  type Tracer,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import {
  defaultResource,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceNameEnvDetector,
} from '@opentelemetry/resources'
import { NodeSDK } from '@opentelemetry/sdk-node'
import type { Build } from '../build-info'
import { loggedPath } from './logged-path'
import type { RequestSpan, Tracing } from './tracing'

/** A collector that does not answer must not hold up a shutdown. */
const shutdownTimeoutMs = 1000
const serviceName = 'site'

/**
 * Starts tracing with OpenTelemetry's SDK, which reads the standard variables itself:
 * OTEL_EXPORTER_OTLP_ENDPOINT and _HEADERS, OTEL_SERVICE_NAME, OTEL_RESOURCE_ATTRIBUTES,
 * OTEL_TRACES_SAMPLER, OTEL_BSP_* and the others. Spans are sent in batches in the background, and
 * dropped while the collector is unavailable. Import this module only with `import()`, so that a
 * site without tracing does not load these packages.
 */
export function startTracing(build: Pick<Build, 'id'>): Tracing {
  const sdk = createSdk(build.id)
  // Sets Node's async context as the context manager, and W3C `traceparent` as the propagator.
  sdk.start()
  const tracer = trace.getTracer(serviceName, build.id)
  return {
    startRequest: (request, startedAt) => startRequestSpan(tracer, request, startedAt),
    runSpan: (name, work, isOutgoing = false) =>
      tracer.startActiveSpan(
        name,
        { kind: isOutgoing ? SpanKind.CLIENT : SpanKind.INTERNAL },
        (span) => endWithWork(span, work),
      ),
    propagationHeaders() {
      const headers: Record<string, string> = {}
      propagation.inject(context.active(), headers)
      return headers
    },
    stop: () => shutDown(sdk),
  }
}

const createSdk = (buildId: string): NodeSDK =>
  new NodeSDK({
    resource: defaultResource().merge(
      resourceFromAttributes({ 'service.name': serviceName, 'service.version': buildId }),
    ),
    // The other default detectors add the host name, the user and the command line.
    // OTEL_SERVICE_NAME wins, so it comes last.
    resourceDetectors: [resourceAttributesEnvDetector, serviceNameEnvDetector],
    traceExporter: new OTLPTraceExporter(),
    metricReaders: [],
    logRecordProcessors: [],
  })

function startRequestSpan(
  tracer: Tracer,
  { method = '', url = '/', headers }: Parameters<Tracing['startRequest']>[0],
  startedAt: number,
): RequestSpan {
  const parent = propagation.extract(ROOT_CONTEXT, headers)
  const attributes = { 'http.request.method': method, 'url.path': loggedPath(url) }
  const span = tracer.startSpan(
    method,
    { kind: SpanKind.SERVER, startTime: performance.timeOrigin + startedAt, attributes },
    parent,
  )
  return {
    run: (work) => context.with(trace.setSpan(parent, span), work),
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
}

/** Runs work, and ends the span when it returns or throws, or when its promise settles. */
function endWithWork<T>(span: Span, work: () => T): T {
  const endFailed = (error: unknown): void => {
    // The name only: a message may hold what a visitor sent.
    const message = error instanceof Error ? error.name : 'failure'
    span.setStatus({ code: SpanStatusCode.ERROR, message })
    span.end()
  }
  try {
    const result = work()
    if (result instanceof Promise) result.then(() => span.end(), endFailed)
    else span.end()
    return result
  } catch (error) {
    endFailed(error)
    throw error
  }
}

async function shutDown(sdk: NodeSDK): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  await Promise.race([
    sdk.shutdown().catch(() => undefined),
    new Promise((resolve) => (timer = setTimeout(resolve, shutdownTimeoutMs))),
  ])
  clearTimeout(timer)
}
