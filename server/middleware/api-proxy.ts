import type { RequestHandler } from 'express'
import { assertSameSite } from '../api/assert-same-site'
import { callsAt, forwardedCall, isSiteCall } from '../api/calls'
import { allowOf, type CheckRateLimit } from '../api/define-call'
import { readBytes } from '../api/read-body'
import { createRequestForwarder } from '../api/upstream/forward-request'
import { toUpstreamHeaders } from '../api/upstream/request-headers'
import type { Upstream } from '../api/upstream/upstream-client'
import { upstreamPath } from '../api/upstream/upstream-path'
import type { Settings } from '../env'
import { SiteError } from '../errors'
import { clientAddress } from '../request/client-address'
import { requestIdField } from '../telemetry/logger'
import type { Metrics } from '../telemetry/metrics'
import type { Tracing } from '../telemetry/tracing'
import { splitTarget } from '../url/decode-path'
import type { Hosts } from '../url/hosts'

type Services = {
  settings: Settings
  hosts: Hosts
  checkRateLimit: CheckRateLimit
  metrics: Pick<Metrics, 'upstream'>
  tracing: Tracing | null
  upstream: Upstream | null
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

/**
 * With API_UPSTREAM, forwards `/api/X` to `X` of the operator's backend, except for the site's own
 * calls. Without it, the embedded API answers. In both cases it refuses a path that leaves `/api`
 * after decoding.
 */
export function apiProxy(services: Services): RequestHandler {
  const { settings, hosts, checkRateLimit, metrics, tracing, upstream } = services
  const forwardRequest =
    upstream &&
    createRequestForwarder({
      upstream,
      hosts,
      cookieDomain: settings.COOKIE_DOMAIN,
      observe: metrics.upstream.observe,
      tracing,
    })
  return async function apiProxyRow(request, response, next) {
    const target = splitTarget(request.originalUrl)
    const path = upstreamPath(target.path.slice('/api'.length))
    if (path === null) throw new SiteError('badPath')
    if (!forwardRequest || isSiteCall(path)) return void next()
    if (!methods.includes(request.method))
      throw new SiteError('methodNotAllowed', undefined, {
        Allow: allowOf(callsAt(path)) || methods.join(', '),
      })
    const call = forwardedCall(path, request.method)
    assertSameSite(request, call, hosts)
    const address = clientAddress(request, settings.TRUST_PROXY)
    await checkRateLimit(call ?? { rateLimit: 'other' }, address)

    const abort = new AbortController()
    response.once('close', () => abort.abort(new Error('the visitor disconnected')))
    // The body is read completely before anything is sent: a client that stops halfway must not
    // hold a connection to the upstream, and the upstream gets no framing that a client chose.
    const body = await readBytes(request)
    const { method } = request
    const host = hosts.hostNameOf(request.headers.host ?? '')
    const headers = toUpstreamHeaders(request, requestIdField(response), hosts, {
      trustedProxies: settings.TRUST_PROXY,
      bodyBytes: body.length,
    })
    const url = (path || '/') + target.query
    await forwardRequest({ method, url, headers, body }, response, { abort, host, path })
  }
}
