import type { RequestHandler } from 'express'
import { SiteError } from '../errors'

type Services = { state: { ready: boolean; draining: boolean } }

/** The health check: its path, and its answer as long as the process runs. */
export const healthz = { path: '/healthz', body: { status: 'ok' } } as const

/**
 * `/healthz`: the process runs. `/readyz`: it can serve; 503 before the first render and from the
 * start of a shutdown.
 */
export function health({ state }: Services): RequestHandler {
  return function healthRow({ path }, response, next) {
    if (path !== healthz.path && path !== '/readyz') return void next()
    response.setHeader('Cache-Control', 'no-store')
    if (path === '/readyz' && (!state.ready || state.draining)) throw new SiteError('notReady')
    response.json(healthz.body)
  }
}
