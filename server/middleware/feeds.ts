import type { RequestHandler } from 'express'
import { SiteError } from '../errors'
import { createTextFiles } from '../feeds/text-files'
import { redirect } from '../url/redirect'

/**
 * `robots.txt`, `llms.txt`, Atom feeds, and the Markdown alternates of articles (spec 9.3, 9.5).
 */
export function feeds(services: Parameters<typeof createTextFiles>[0]): RequestHandler {
  const { hosts } = services
  const findTextFile = createTextFiles(services)
  return function feedsRow(request, response, next) {
    const file = findTextFile(hosts.hostNameOf(request.headers.host ?? ''), request.path)
    if (!file) return void next()
    if (file.kind === 'missing') throw new SiteError('notFound')
    if (file.kind === 'redirect') return void redirect(response, file, hosts.origins)
    response.set(file.headers)
    if (request.fresh) response.status(304).end()
    else response.send(file.text)
  }
}
