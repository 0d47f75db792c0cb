import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { RequestHandler, Response } from 'express'
import { SiteError } from '../errors'
import { parseSitemapPath } from '../feeds/sitemap-paths'
import { createSitemaps } from '../feeds/sitemaps'
import { requestIdField, type Logger } from '../telemetry/logger'
import type { Hosts } from '../url/hosts'
import { redirect } from '../url/redirect'

type Services = Parameters<typeof createSitemaps>[0] & { hosts: Hosts; log: Logger }

/**
 * Sitemap index and parts (spec 9.1), generated while they are sent, so that memory does not grow
 * with the number of articles.
 */
export function sitemaps(services: Services): RequestHandler {
  const { hosts, log } = services
  const files = createSitemaps(services)

  async function send(response: Response, chunks: Iterable<string>): Promise<void> {
    response.type('application/xml')
    if (response.req.method === 'HEAD') return void response.end()
    try {
      // Holds one chunk. The next one is generated when the client has taken it; other requests run
      // in between.
      await pipeline(Readable.from(chunks, { highWaterMark: 1 }), response)
    } catch (error) {
      if (!response.destroyed)
        log.error({ ...requestIdField(response), err: error }, 'a sitemap was cut off')
      response.destroy()
    }
  }

  return function sitemapsRow(request, response, next) {
    const file = parseSitemapPath(request.path)
    if (!file) return void next()
    const host = hosts.hostNameOf(request.headers.host ?? '')
    if (file.kind === 'part' && file.domain !== host) {
      const location = hosts.origins[file.domain] + request.path
      return void redirect(response, { location, status: 301, external: false }, hosts.origins)
    }
    if (file.kind === 'part' && !files.hasPart(file)) throw new SiteError('notFound')
    response.set({ 'Cache-Control': 'public, max-age=0, must-revalidate', ETag: files.etag() })
    if (request.fresh) return void response.status(304).end()
    void send(response, file.kind === 'part' ? files.part(file) : [files.index(host)])
  }
}
