import type { Upstream } from '../api/upstream/exchange'
import type { Hosts } from '../url/hosts'
import type { Settings } from '../env'
import type { RateLimits } from '../api/api-call'
import type { Tracing } from '../telemetry/tracing'
import type { Metrics } from '../telemetry/metrics'
import type { ApiServices } from '../api/api-services'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { RequestHandler } from 'express'
import { limits } from '../../shared/constants'
import { clientAddress } from '../request/client-address'
import { allowOf, callsAt, isSiteCall } from '../api/calls'
import { SiteError } from '../errors'
import { requestId } from '../telemetry/logger'
import { createExchange } from '../api/upstream/exchange'
import { upstreamHeaders } from '../api/upstream/request-headers'
import { upstreamPath } from '../api/upstream/upstream-path'
import { splitTarget } from '../url/decode-path'

type Services = {
  settings: Settings
  hosts: Hosts
  limits: RateLimits
  metrics: Metrics
  tracing: Tracing | null
  upstream: Upstream | null
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Counts a body as it passes; `tooLarge` is called once, when it is longer than a call may be. */
function limitBody(request: IncomingMessage, tooLarge: (error: SiteError) => void): void {
  // The rest of a body that is not read must not be taken for the next request.
  const error = (): SiteError => new SiteError('bodyTooLarge', undefined, { Connection: 'close' })
  if (Number(request.headers['content-length'] ?? 0) > limits.bodyBytes) throw error()
  let size = 0
  request.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > limits.bodyBytes) tooLarge(error())
  })
  // Flows again when it is piped on; till then nothing may be lost.
  request.pause()
}

/**
 * With API_UPSTREAM: `/api/X` is the operator's backend's `X`, but for the site's own calls. Without: on to the embedded API. In both
 * cases an address that leads out of its prefix ends here.
 */
export function apiProxy(site: Services): RequestHandler {
  const { settings, hosts, upstream } = site
  const exchange =
    upstream &&
    createExchange(
      upstream,
      hosts,
      settings.COOKIE_DOMAIN,
      site.metrics.upstream.observe,
      site.tracing,
    )
  return async function apiProxyRow(request, response, next) {
    const target = splitTarget(request.originalUrl)
    const path = upstreamPath(target.path.slice('/api'.length))
    if (path === null) throw new SiteError('badPath')
    if (!exchange || isSiteCall(path)) return next()
    const calls = callsAt(path)
    if (!methods.includes(request.method))
      throw new SiteError('methodNotAllowed', undefined, {
        Allow: allowOf(calls) || methods.join(', '),
      })
    await site.limits(
      calls.find(({ method }) => method === request.method) ?? calls[0] ?? { limit: 'other' },
      clientAddress(request, settings.TRUST_PROXY),
    )

    const stop = new AbortController()
    response.once('close', () => stop.abort(new Error('the visitor has gone')))
    limitBody(request, (error) => stop.abort(error))
    const host = hosts.nameOf(request.headers.host ?? '')
    request.headers = upstreamHeaders(request, requestId(response), hosts, settings.TRUST_PROXY)
    request.url = (path || '/') + target.query
    await exchange(request as IncomingMessage, response as ServerResponse, stop, {
      host,
      asked: path,
    })
  }
}
