import type { RequestHandler } from 'express'
import type { CountMiss } from '../cache/answer-source'
import { SiteError } from '../errors'
import { createTextFiles } from '../feeds/text-files'
import { formatWeakETag, matchesETag } from '../request/etag'
import { negotiateEncoding } from '../request/negotiate-encoding'
import { addLogFields } from '../telemetry/logger'
import { redirect } from '../url/redirect'

type Services = Parameters<typeof createTextFiles>[0] & { countMiss: CountMiss }

/**
 * `robots.txt`, `llms.txt`, `openapi.yaml`, Atom feeds, and the Markdown alternates of articles
 * (spec 9.3, 9.5).
 */
export function feeds(services: Services): RequestHandler {
  const { hosts, countMiss } = services
  const findTextFile = createTextFiles(services)
  return async function feedsRow(request, response, next) {
    const file = findTextFile(hosts.hostNameOf(request.headers.host ?? ''), request.path)
    if (!file) return void next()
    if (file.kind === 'missing') throw new SiteError('notFound')
    if (file.kind === 'redirect') return void redirect(response, file, hosts.origins)
    if (!file.stored) await countMiss(request)
    const { body, encoded, etag } = file.stored ?? file.make()
    addLogFields(response, { cache: file.stored ? 'hit' : 'miss' })
    response.set(file.headers)
    response.vary('Accept-Encoding')
    response.set('ETag', formatWeakETag(etag))
    response.set('Cache-Status', file.stored ? 'site; hit' : 'site; fwd=miss; stored')
    if (matchesETag(request.headers['if-none-match'], etag)) return void response.status(304).end()
    const encoding = negotiateEncoding(request.headers['accept-encoding'])
    const compressed = encoding === 'identity' ? undefined : encoded[encoding]
    // Without a compressed form, the compression row compresses it.
    if (compressed) response.set('Content-Encoding', encoding)
    response.send(compressed?.body ?? body)
  }
}
