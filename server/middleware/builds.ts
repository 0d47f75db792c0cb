import type { RequestHandler } from 'express'
import { routes } from '../../shared/routes/table'
import { SiteError } from '../errors'
import type { Site } from '../site'

/** `/builds/latest.json` and the manifest of the running build (decisions 6). */
export function builds({ build }: Site): RequestHandler {
  const { id, timestamp } = build
  const matcher = routes.map((route) => ({ id: route.id, pattern: route.pattern }))
  return function buildsRow(request, response, next) {
    if (!request.path.startsWith('/builds/')) return next()
    if (request.path === '/builds/latest.json') {
      response.setHeader('Cache-Control', 'no-store')
      response.json({ id, timestamp })
    } else if (request.path === `/builds/meta/${id}.json`) {
      response.setHeader('Cache-Control', 'public, max-age=31536000, immutable')
      response.json({ id, timestamp, matcher, prerendered: [] })
    } else throw new SiteError('notFound')
  }
}
