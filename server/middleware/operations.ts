import { createHash, timingSafeEqual } from 'node:crypto'
import type { RequestHandler } from 'express'
import type { Settings } from '../env'
import { SiteError, success } from '../errors'
import { PlainAnswer, type OpsServices } from '../ops/ops-call'
import { opsCalls } from '../ops/ops-calls'

type Services = OpsServices & { settings: Pick<Settings, 'OPS_TOKEN'> }

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest()

/**
 * The token of an `Authorization` header: `Bearer TOKEN`, or where allowed the password of `Basic`
 * (RFC 7617) with any user name.
 */
function readToken(header: string, allowsBasicAuth: boolean): string {
  const [, scheme = '', value = ''] = /^(bearer|basic) +(\S+) *$/i.exec(header) ?? []
  if (scheme.toLowerCase() === 'bearer') return value
  if (!scheme || !allowsBasicAuth) return ''
  return Buffer.from(value, 'base64')
    .toString('utf8')
    .replace(/^[^:]*:?/, '')
}

/** `/_ops/*`, for operators with the token. Without OPS_TOKEN everything below it is 404. */
export function operations(services: Services): RequestHandler {
  const { OPS_TOKEN } = services.settings
  const expectedDigest = sha256(OPS_TOKEN)
  const handlers = new Map(opsCalls.map((call) => [call, call.createHandler(services)]))
  return async function operationsRow(request, response) {
    if (OPS_TOKEN === '') throw new SiteError('notFound')
    const rows = opsCalls.filter(({ path }) => path === request.path)
    const allowsBasicAuth = rows.some((row) => row.allowsBasicAuth)
    const token = readToken(request.headers.authorization ?? '', allowsBasicAuth)
    // Digests have equal lengths, so neither the time nor the length tells how much of the token
    // was right.
    if (!timingSafeEqual(sha256(token), expectedDigest)) {
      throw new SiteError('unauthorized', undefined, {
        'WWW-Authenticate': allowsBasicAuth ? 'Basic realm="operators", charset="UTF-8"' : 'Bearer',
      })
    }
    if (rows.length === 0) throw new SiteError('notFound')
    const method = request.method === 'HEAD' ? 'GET' : request.method
    const call = rows.find((row) => row.method === method)
    const handle = call && handlers.get(call)
    if (!handle)
      throw new SiteError('methodNotAllowed', undefined, {
        Allow: rows.map((row) => (row.method === 'GET' ? 'GET, HEAD' : row.method)).join(', '),
      })
    const answer = await handle(request)
    response.setHeader('Cache-Control', 'no-store')
    if (!(answer instanceof PlainAnswer)) return void response.json(success(answer))
    response.set(answer.headers)
    response.type(answer.type).send(answer.body)
  }
}
