import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type { RequestHandler, Response } from 'express'
import type { CountMiss } from '../cache/answer-source'
import { SiteError } from '../errors'
import type { CompressedFile } from '../feeds/compressed-file'
import { parseSitemapPath } from '../feeds/sitemap-paths'
import { createSitemaps } from '../feeds/sitemaps'
import { formatWeakETag, matchesETag } from '../request/etag'
import { addLogFields, requestIdField, type Logger } from '../telemetry/logger'
import type { Hosts } from '../url/hosts'
import { redirect } from '../url/redirect'

type Services = Parameters<typeof createSitemaps>[0] & {
  hosts: Hosts
  log: Logger
  countMiss: CountMiss
}

/**
 * Sitemap index and parts (spec 9.1): generated, compressed and sent at the same time, then kept
 * compressed until the content changes.
 */
export function sitemaps(services: Services): RequestHandler {
  const { hosts, log, countMiss } = services
  const files = createSitemaps(services)

  async function send(response: Response, file: CompressedFile): Promise<void> {
    const isGzip = response.req.acceptsEncodings(['gzip', 'identity']) === 'gzip'
    if (isGzip) response.set('Content-Encoding', 'gzip')
    const whole = file.whole()
    const body = isGzip ? whole?.compressed : whole?.text
    if (body) return void response.end(body)
    try {
      const chunks = Readable.from(file.read())
      if (isGzip) await pipeline(chunks, response)
      else await pipeline(chunks, createGunzip(), response)
    } catch {
      // `pipeline` has destroyed the response: the client has left, or making the file has failed.
      file.done.catch((error: unknown) =>
        log.error({ ...requestIdField(response), err: error }, 'a sitemap was cut off'),
      )
    }
  }

  return async function sitemapsRow(request, response, next) {
    const file = parseSitemapPath(request.path)
    if (!file) return void next()
    const host = hosts.hostNameOf(request.headers.host ?? '')
    if (file.kind === 'part' && file.domain !== host) {
      const location = hosts.origins[file.domain] + request.path
      return void redirect(response, { location, status: 301, external: false }, hosts.origins)
    }
    if (!files.exists(file)) throw new SiteError('notFound')
    const tag = files.tag()
    const isNotModified = matchesETag(request.headers['if-none-match'], tag)
    const stored = files.find(file, host)
    const hasBody = request.method === 'GET' && !isNotModified
    if (hasBody && !stored) await countMiss(request)
    addLogFields(response, { route: 'sitemap', cache: stored ? 'hit' : 'miss' })
    response.locals['skipCompression'] = true
    response.vary('Accept-Encoding')
    response.set({
      'Cache-Control': 'public, max-age=0, must-revalidate',
      ETag: formatWeakETag(tag),
    })
    if (isNotModified) return void response.status(304).end()
    response.type('application/xml')
    if (!hasBody) return void response.end()
    response.set('Cache-Status', stored ? 'site; hit' : 'site; fwd=miss; stored')
    // Another request may have begun it while this one was counted.
    void send(response, files.find(file, host) ?? files.make(file, host))
  }
}
