import { createHash, timingSafeEqual } from 'node:crypto'
import type { RequestHandler } from 'express'
import { SiteError, success } from '../errors'
import { opsCalls } from '../ops/ops-calls'
import type { Site } from '../site'

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** `/_ops/*`: for operators who bear the token (decisions 2). Without one in the settings, nothing is there. */
export function operations(site: Site): RequestHandler {
  const { OPS_TOKEN } = site.settings
  const expected = digest(`Bearer ${OPS_TOKEN}`)
  const answers = new Map(opsCalls.map((call) => [call, call.make(site)]))
  return async function operationsRow(request, response) {
    if (OPS_TOKEN === '') throw new SiteError('notFound')
    // Digests have one length, so that neither time nor length tells how much was right.
    if (!timingSafeEqual(digest(request.headers.authorization ?? ''), expected)) throw new SiteError('unauthorized', undefined, { 'WWW-Authenticate': 'Bearer' })
    const found = opsCalls.filter(({ path }) => path === request.path)
    if (found.length === 0) throw new SiteError('notFound')
    const method = request.method === 'HEAD' ? 'GET' : request.method
    const call = found.find((row) => row.method === method)
    const answer = call && answers.get(call)
    if (!answer) throw new SiteError('methodNotAllowed', undefined, { Allow: found.map((row) => (row.method === 'GET' ? 'GET, HEAD' : row.method)).join(', ') })
    response.setHeader('Cache-Control', 'no-store')
    const data = await answer(request)
    if (call.type === undefined) return void response.json(success(data))
    response.setHeader('Content-Type', call.type)
    response.send(String(data))
  }
}
