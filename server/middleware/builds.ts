import type { RequestHandler } from 'express'
import { routes } from '../../shared/routes/table'
import type { Build } from '../build-info'
import { SiteError } from '../errors'
import type { Hosts } from '../url/hosts'

/**
 * `/builds/latest.json`, and the manifest of the running build with the prerendered paths of the
 * requested host (spec 6.2).
 */
export function builds({ build, hosts }: { build: Build; hosts: Hosts }): RequestHandler {
  const { id, timestamp, warm } = build
  const matcher = routes.map((route) => ({ id: route.id, pattern: route.pattern }))
  return function buildsRow(request, response, next) {
    const { path } = request
    if (!path.startsWith('/builds/')) return void next()
    if (path === '/builds/latest.json') {
      response.setHeader('Cache-Control', 'no-store')
      response.json({ id, timestamp })
    } else if (path === `/builds/meta/${id}.json`) {
      const host = hosts.hostNameOf(request.headers.host ?? '')
      response.setHeader('Cache-Control', 'public, max-age=31536000, immutable')
      response.json({ id, timestamp, matcher, prerendered: warm[host] })
    } else throw new SiteError('notFound')
  }
}
