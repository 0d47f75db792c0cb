import type { Hosts } from '../url/hosts'
import type { Build } from '../build-info'
import type { RequestHandler } from 'express'
import { routes } from '../../shared/routes/table'
import { SiteError } from '../errors'

/** `/builds/latest.json` and the manifest of the running build (decisions 6). What is prerendered is told for the host that is asked. */
export function builds({ build, hosts }: { build: Build; hosts: Hosts }): RequestHandler {
  const { id, timestamp, warm } = build
  const matcher = routes.map((route) => ({ id: route.id, pattern: route.pattern }))
  return function buildsRow(request, response, next) {
    if (!request.path.startsWith('/builds/')) return next()
    const isLatest = request.path === '/builds/latest.json'
    if (!isLatest && request.path !== `/builds/meta/${id}.json`) throw new SiteError('notFound')
    if (request.method !== 'GET' && request.method !== 'HEAD')
      throw new SiteError('methodNotAllowed', undefined, { Allow: 'GET, HEAD' })
    response.setHeader(
      'Cache-Control',
      isLatest ? 'no-store' : 'public, max-age=31536000, immutable',
    )
    response.json(
      isLatest
        ? { id, timestamp }
        : { id, timestamp, matcher, prerendered: warm[hosts.nameOf(request.headers.host ?? '')] },
    )
  }
}
