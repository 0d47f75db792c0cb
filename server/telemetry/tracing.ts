import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'

/** What is known of a request when it has been answered; the words of its log line. */
export type AnsweredRequest = { route: string; locale: string; cache: string; status: number }

/** A request on its way: work done `within` it belongs to it, also what comes later of it. */
export type RequestSpan = {
  within: <T>(work: () => T) => T
  end: (answered: AnsweredRequest) => void
}

/**
 * Tells a collector of OpenTelemetry what requests are made of. There is one only where the standard environment variables name a collector: everything that asks
 * for it asks with `?.`, and nothing of it is loaded otherwise.
 */
export type Tracing = {
  /** A request, continued from its `traceparent` where it bears one (W3C Trace Context). `started`: as `performance.now()`. */
  request: (
    request: Pick<IncomingMessage, 'method' | 'url' | 'headers'>,
    started: number,
  ) => RequestSpan
  /** A part of what is being done now; `outwards`: by somebody else, who is asked. Ends when the work does, as a failure when it throws or rejects. */
  span: <T>(name: string, work: () => T, outwards?: boolean) => T
  /** Headers by which whoever is asked continues the trace. */
  onwards: () => IncomingHttpHeaders
  /** Hands over what is left, within a second. */
  stop: () => Promise<void>
}

/** Runs a part of the work as a span where there is tracing, else as it is. */
export const traced = <T>(
  tracing: Tracing | null,
  name: string,
  work: () => T,
  outwards = false,
): T => (tracing ? tracing.span(name, work, outwards) : work())
