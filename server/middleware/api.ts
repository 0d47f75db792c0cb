import type { RequestHandler } from 'express'
import { assertSameSite } from '../api/assert-same-site'
import { calls, callsAt } from '../api/calls'
import { allowOf, type ApiServices, type CheckRateLimit } from '../api/define-call'
import { parseFields, readBody } from '../api/read-body'
import { renewedCookies } from '../api/visitor/renewed-cookies'
import { SiteError, success } from '../errors'
import { clientAddress } from '../request/client-address'
import { cookiesOf } from '../request/cookies'
import { splitTarget } from '../url/decode-path'

/**
 * The embedded API, from the table `server/api/calls.ts`: finds the row, counts the request, reads
 * the input, wraps the data that the call returns. It sends no CORS headers and does not accept
 * OPTIONS, so pages of other sites cannot read anything.
 */
export function api(services: ApiServices & { checkRateLimit: CheckRateLimit }): RequestHandler {
  const { settings, hosts, locate, checkRateLimit } = services
  const handlers = new Map(calls.map((call) => [call, call.createHandler(services)]))
  return async function apiRow(request, response) {
    const rows = callsAt(request.path)
    if (rows.length === 0) throw new SiteError('notFound')
    const method = request.method === 'HEAD' ? 'GET' : request.method
    const call = rows.find((row) => row.method === method)
    const handle = call && handlers.get(call)
    if (!handle) throw new SiteError('methodNotAllowed', undefined, { Allow: allowOf(rows) })

    assertSameSite(request, call, hosts)
    const address = clientAddress(request, settings.TRUST_PROXY)
    await checkRateLimit(call, address)
    const input =
      call.inputFrom === 'query'
        ? parseFields(new URLSearchParams(splitTarget(request.originalUrl).query))
        : await readBody(request, call.inputFrom)
    response.setHeader('Cache-Control', call.cacheControl ?? 'no-store')
    const host = hosts.hostNameOf(request.headers.host ?? '')
    const cookies = cookiesOf(request)
    // An answer that a cache may store sets no cookie.
    if (!call.cacheControl)
      response.setHeader(
        'Set-Cookie',
        renewedCookies(
          { cookies },
          {
            trackingAllowed: false,
            secure: hosts.isSecure(host),
            domain: settings.COOKIE_DOMAIN,
          },
        ),
      )
    const disconnected = new AbortController()
    response.on('close', () => !response.writableFinished && disconnected.abort())
    const data = await handle(input, {
      signal: disconnected.signal,
      address,
      headers: request.headers,
      location: () => locate(address),
      host,
      cookies,
      setHeader: (name, value) => void response.setHeader(name, value),
    })
    response.json(success(data))
  }
}
