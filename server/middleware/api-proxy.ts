import type { IncomingMessage } from 'node:http'
import type { RequestHandler } from 'express'
import { limits } from '../../shared/constants'
import { allowOf, callsAt, isSiteCall } from '../api/calls'
import type { CheckRateLimit } from '../api/define-call'
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
 * Measures a body while it passes. Throws, or calls `onTooLarge`, when it is larger than a call
 * accepts.
 */
function limitBody(request: IncomingMessage, onTooLarge: (error: SiteError) => void): void {
  // The connection is closed: Node would take the unread rest of the body for the next request.
  const error = (): SiteError => new SiteError('bodyTooLarge', undefined, { Connection: 'close' })
  if (Number(request.headers['content-length'] ?? 0) > limits.maxBodyBytes) throw error()
  let size = 0
  request.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > limits.maxBodyBytes) onTooLarge(error())
  })
  // The listener has started the stream. It is paused until the body is piped on, so that no bytes
  // are lost.
  request.pause()
}

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
    const calls = callsAt(path)
    if (!methods.includes(request.method))
      throw new SiteError('methodNotAllowed', undefined, {
        Allow: allowOf(calls) || methods.join(', '),
      })
    const call = calls.find(({ method }) => method === request.method) ?? calls[0]
    const address = clientAddress(request, settings.TRUST_PROXY)
    await checkRateLimit(call ?? { rateLimit: 'other' }, address)

    const abort = new AbortController()
    response.once('close', () => abort.abort(new Error('the visitor disconnected')))
    limitBody(request, (error) => abort.abort(error))
    const host = hosts.hostNameOf(request.headers.host ?? '')
    const id = requestIdField(response)
    request.headers = toUpstreamHeaders(request, id, hosts, settings.TRUST_PROXY)
    request.url = (path || '/') + target.query
    await forwardRequest(request, response, { abort, host, path })
  }
}
