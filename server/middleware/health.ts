import type { RequestHandler } from 'express'
import { SiteError } from '../errors'

/** `/healthz`: the process lives. `/readyz`: it can serve; 503 before the first render and from the start of a shutdown. */
export function health({
  state,
}: {
  state: { ready: boolean; draining: boolean }
}): RequestHandler {
  return function healthRow(request, response, next) {
    if (request.path !== '/healthz' && request.path !== '/readyz') return next()
    response.setHeader('Cache-Control', 'no-store')
    if (request.path === '/readyz' && (!state.ready || state.draining))
      throw new SiteError('notReady')
    response.json({ status: 'ok' })
  }
}
