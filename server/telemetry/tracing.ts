import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'

/** The result of a request: the same fields as in its log line. */
type AnsweredRequest = { route: string; locale: string; cache: string; status: number }

export type RequestSpan = {
  /**
   * Runs work as part of the request; asynchronous work that it starts belongs to the request too.
   */
  run: <T>(work: () => T) => T
  end: (answered: AnsweredRequest) => void
}

/**
 * Sends traces of requests to an OpenTelemetry collector. Exists only when the standard environment
 * variables name a collector; callers use `?.`. Without a collector, none of the packages is
 * loaded.
 */
export type Tracing = {
  /**
   * Starts the span of a request, as a child of its `traceparent` header where there is one (W3C
   * Trace Context). `startedAt`: from `performance.now()`.
   */
  startRequest: (
    request: Pick<IncomingMessage, 'method' | 'url' | 'headers'>,
    startedAt: number,
  ) => RequestSpan
  /**
   * Runs a part of the current work as a span. `isOutgoing`: the work is a request to another
   * service. The span ends with the work, as a failure when the work throws or rejects.
   */
  runSpan: <T>(name: string, work: () => T, isOutgoing?: boolean) => T
  /** Headers of an outgoing request by which the other service continues the trace. */
  propagationHeaders: () => IncomingHttpHeaders
  /** Sends the remaining spans; gives up after a second. */
  stop: () => Promise<void>
}

/** Runs work as a span when tracing is on, else runs it without one. */
export const withSpan = <T>(
  tracing: Tracing | null,
  name: string,
  work: () => T,
  isOutgoing = false,
): T => (tracing ? tracing.runSpan(name, work, isOutgoing) : work())
