import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HostName } from '../../../shared/i18n/locales'
import { fetchRetryStatuses, upstream as upstreamLimits } from '../../../shared/constants'
import { SiteError } from '../../errors'
import { addLogFields } from '../../telemetry/logger'
import { withSpan, type Tracing } from '../../telemetry/tracing'
import type { Hosts } from '../../url/hosts'
import { forwardResponse } from './forward-response'
import { connectTimeoutCode } from './upstream-agent'
import type { Upstream, UpstreamRequest } from './upstream-client'

type ForwarderOptions = {
  upstream: Upstream
  hosts: Hosts
  cookieDomain: string
  /** Records an attempt: its outcome and the time to its first byte. */
  observe: (outcome: string, durationMs: number) => void
  /** With tracing each attempt is a span, which the upstream continues. */
  tracing: Tracing | null
}

type Forwarding = {
  /** Ends the exchange; the caller aborts when the visitor disconnects. */
  abort: AbortController
  /** The language host of the request. */
  host: HostName
  /** Path below the upstream's base path. */
  path: string
}

/**
 * Forwards requests to the upstream and its responses to the visitor, within 3.5 s unless the
 * response streams. A GET is repeated once when the first attempt failed or was answered with a
 * status that is worth a retry, while there is time. Rejects with the error that the visitor
 * receives; resolves when the visitor has disconnected.
 */
export function createRequestForwarder(options: ForwarderOptions) {
  return async function forwardRequest(
    request: UpstreamRequest,
    response: ServerResponse,
    { abort, host, path }: Forwarding,
  ): Promise<void> {
    const { method } = request
    const canRetry = method === 'GET' || method === 'HEAD'
    const deadline = createDeadline(abort)
    addLogFields(response, { route: 'upstream' })

    async function attempt(isLast: boolean): Promise<'forwarded' | 'retry'> {
      deadline.awaitFirstByte()
      const upstreamResponse = await sendObserved(options, request, response, abort.signal)
      if (!isLast && fetchRetryStatuses.includes(upstreamResponse.statusCode ?? 0)) {
        upstreamResponse.destroy()
        return 'retry'
      }
      deadline.awaitBody()
      const { upstream, hosts, cookieDomain } = options
      await forwardResponse(upstreamResponse, response, {
        method,
        signal: abort.signal,
        headers: { target: upstream.target, hosts, host, path, cookieDomain },
      })
      return 'forwarded'
    }

    try {
      const outcome = await attempt(!canRetry).catch((error: unknown) => {
        if (!canRetry || abort.signal.aborted || error instanceof SiteError) throw error
        return 'retry' as const
      })
      if (outcome === 'retry') await attempt(true)
    } catch (error) {
      if (!response.destroyed) throw toSiteError(error)
    } finally {
      deadline.clear()
    }
  }
}

/** Sends the request within a span, and records the outcome and the time to the first byte. */
async function sendObserved(
  { upstream, observe, tracing }: ForwarderOptions,
  request: UpstreamRequest,
  response: ServerResponse,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const startedAt = performance.now()
  const record = (outcome: string): void => observe(outcome, performance.now() - startedAt)
  const send = (): Promise<IncomingMessage> => {
    const headers = { ...request.headers, ...tracing?.propagationHeaders() }
    return upstream.send({ ...request, headers }, signal)
  }
  const upstreamResponse = await withSpan(tracing, 'upstream', send, true).catch(
    (error: unknown) => {
      if (signal.reason instanceof SiteError) record(signal.reason.error)
      else record(response.destroyed ? 'gone' : toSiteError(error).error)
      throw error
    },
  )
  record(`${Math.floor((upstreamResponse.statusCode ?? 0) / 100)}xx`)
  return upstreamResponse
}

/**
 * Aborts with `upstreamTimeout` when the first byte, or later the whole of a buffered response, is
 * late (spec 10.1). Both times count from the first call, so that a second attempt gets no extra
 * time.
 */
function createDeadline(abort: AbortController) {
  let startedAt: number | null = null
  let timer: NodeJS.Timeout | undefined
  const setTimer = (timeoutMs: number): void => {
    startedAt ??= performance.now()
    clearTimeout(timer)
    timer = setTimeout(
      () => abort.abort(new SiteError('upstreamTimeout')),
      startedAt + timeoutMs - performance.now(),
    )
  }
  return {
    awaitFirstByte: () => setTimer(upstreamLimits.firstByteTimeoutMs),
    awaitBody: () => setTimer(upstreamLimits.responseTimeoutMs),
    clear: () => clearTimeout(timer),
  }
}

/** Visitors see one of two messages of the error catalogue; the cause is only logged. */
function toSiteError(error: unknown): SiteError {
  if (error instanceof SiteError) return error
  const isConnectTimeout =
    error instanceof Error && 'code' in error && error.code === connectTimeoutCode
  return Object.assign(new SiteError(isConnectTimeout ? 'upstreamTimeout' : 'upstreamFailed'), {
    cause: error,
  })
}
