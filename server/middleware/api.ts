import type { Hosts } from '../url/hosts'
import type { RateLimits } from '../api/api-call'
import type { Settings } from '../env'
import type { ApiServices } from '../api/api-services'
import cookieParser from 'cookie-parser'
import type { RequestHandler } from 'express'
import { clientAddress } from '../request/client-address'
import type { CallContext } from '../api/api-call'
import { allowOf, callsAt, calls } from '../api/calls'
import { fieldsOf, readBody } from '../api/read-body'
import { SiteError, success } from '../errors'
import { splitTarget } from '../url/decode-path'

/**
 * The embedded API, from the table `server/api/calls.ts`: finds the row, counts the request, reads the input, wraps what the call answers.
 * It sends no CORS header and takes no OPTIONS, so pages of other sites can read nothing.
 */
export function api(site: ApiServices): RequestHandler[] {
  const answers = new Map(calls.map((call) => [call, call.make(site)]))
  const apiRow: RequestHandler = async (request, response) => {
    const found = callsAt(request.path)
    if (found.length === 0) throw new SiteError('notFound')
    const method = request.method === 'HEAD' ? 'GET' : request.method
    const call = found.find((row) => row.method === method)
    const answer = call && answers.get(call)
    if (!answer) throw new SiteError('methodNotAllowed', undefined, { Allow: allowOf(found) })

    const address = clientAddress(request, site.settings.TRUST_PROXY)
    await site.limits(call, address)
    const input =
      call.from === 'query'
        ? fieldsOf(new URLSearchParams(splitTarget(request.originalUrl).query))
        : await readBody(request, call.from)
    response.setHeader('Cache-Control', call.cacheControl ?? 'no-store')
    const gone = new AbortController()
    response.on('close', () => gone.abort())
    const data = await answer(input, {
      gone: gone.signal,
      address,
      headers: request.headers,
      host: site.hosts.nameOf(request.headers.host ?? ''),
      cookies: request.cookies as CallContext['cookies'],
      setHeader: (name, value) => void response.setHeader(name, value),
    })
    response.json(success(data))
  }
  return [cookieParser(), apiRow]
}
