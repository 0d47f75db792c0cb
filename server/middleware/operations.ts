import type { Settings } from '../env'
import type { OpsServices } from '../ops/ops-services'
import { createHash, timingSafeEqual } from 'node:crypto'
import type { RequestHandler } from 'express'
import { SiteError, success } from '../errors'
import { PlainAnswer } from '../ops/ops-call'
import { opsCalls } from '../ops/ops-calls'

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** The token as a request bears it: `Bearer TOKEN`, or where a login will do the password of `Basic` (RFC 7617), whatever the name. */
function tokenOf(header: string, login: boolean): string {
  const [, scheme = '', value = ''] = /^(bearer|basic) +(\S+) *$/i.exec(header) ?? []
  if (scheme.toLowerCase() === 'bearer') return value
  return login && scheme
    ? Buffer.from(value, 'base64')
        .toString('utf8')
        .replace(/^[^:]*:?/, '')
    : ''
}

/** `/_ops/*`: for operators who bear the token (decisions 2). Without one in the settings, nothing is there. */
export function operations(site: OpsServices): RequestHandler {
  const { OPS_TOKEN } = site.settings
  const expected = digest(OPS_TOKEN)
  const answers = new Map(opsCalls.map((call) => [call, call.make(site)]))
  return async function operationsRow(request, response) {
    if (OPS_TOKEN === '') throw new SiteError('notFound')
    const found = opsCalls.filter(({ path }) => path === request.path)
    const login = found.some((row) => row.login)
    // Digests have one length, so that neither time nor length tells how much was right.
    if (!timingSafeEqual(digest(tokenOf(request.headers.authorization ?? '', login)), expected)) {
      throw new SiteError('unauthorized', undefined, {
        'WWW-Authenticate': login ? 'Basic realm="operators", charset="UTF-8"' : 'Bearer',
      })
    }
    if (found.length === 0) throw new SiteError('notFound')
    const method = request.method === 'HEAD' ? 'GET' : request.method
    const call = found.find((row) => row.method === method)
    const make = call && answers.get(call)
    if (!make)
      throw new SiteError('methodNotAllowed', undefined, {
        Allow: found.map((row) => (row.method === 'GET' ? 'GET, HEAD' : row.method)).join(', '),
      })
    const answer = await make(request)
    response.setHeader('Cache-Control', 'no-store')
    if (!(answer instanceof PlainAnswer)) return void response.json(success(answer))
    for (const [name, value] of Object.entries(answer.headers)) response.setHeader(name, value)
    response.type(answer.type).send(answer.body)
  }
}
