import type { Logger } from '../telemetry/logger'
import type { Build } from '../build-info'
import type { UrlContext } from '../url/canonicalize'
import type { Hosts } from '../url/hosts'
import type { ContentStore } from '../content/store/store'
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { RequestHandler, Response } from 'express'
import { sitemaps as numbers } from '../../shared/constants'
import { allLocales, type LocaleCode } from '../../shared/i18n/locales'
import { SiteError } from '../errors'
import { requestId } from '../telemetry/logger'
import { createListedPages } from '../feeds/listed-pages'
import { sitemapOf, sitemapPath } from '../feeds/sitemap-paths'
import { sitemapIndexXml, sitemapXml } from '../feeds/sitemap-xml'
import { redirect } from '../url/redirect'

/** Sitemap index and parts (decisions 9): read from the database and written piece by piece, so that no number of articles fills the memory. */
export function sitemaps({
  store,
  hosts,
  urlContext,
  build,
  log,
}: {
  store: ContentStore
  hosts: Hosts
  urlContext: () => UrlContext
  build: Build
  log: Logger
}): RequestHandler {
  let known: {
    generation: number
    state: string
    pages: ReturnType<typeof createListedPages>
  } | null = null
  const current = () => {
    const generation = store.generation()
    if (known?.generation !== generation)
      known = {
        generation,
        state: createHash('sha256')
          .update(`${build.id}\n${store.outlineState()}\n${Object.values(hosts.origins).join()}`)
          .digest('base64url')
          .slice(0, 22),
        pages: createListedPages(store, urlContext()),
      }
    return known
  }
  function partsOf(locale: LocaleCode): number {
    const { pages } = current()
    return pages.fits(locale, numbers.partSize)
      ? 1
      : Math.max(1, Math.ceil(pages.count(locale) / numbers.partSize))
  }

  async function send(response: Response, chunks: Iterable<string>): Promise<void> {
    response.type('application/xml')
    if (response.req.method === 'HEAD') return void response.end()
    try {
      // One piece ahead at most: the next is made when the client has taken the last, and other requests come between.
      await pipeline(Readable.from(chunks, { highWaterMark: 1 }), response)
    } catch (error) {
      if (!response.destroyed)
        log.error({ ...requestId(response), err: error }, 'a sitemap was cut off')
      response.destroy()
    }
  }

  return function sitemapsRow(request, response, next) {
    const asked = sitemapOf(request.path)
    if (!asked) return next()
    const host = hosts.nameOf(request.headers.host ?? '')
    if (asked.kind === 'part' && asked.domain !== host)
      return redirect(
        response,
        { location: hosts.origins[asked.domain] + request.path, status: 301, external: false },
        hosts.origins,
      )
    if (asked.kind === 'part' && asked.part > partsOf(asked.locale)) throw new SiteError('notFound')
    response.setHeader('Cache-Control', 'public, max-age=0, must-revalidate')
    // Weak, because the bytes depend on the encoding that the compression row chooses.
    response.setHeader('ETag', `W/"${current().state}"`)
    if (request.fresh) return void response.status(304).end()
    if (asked.kind === 'part')
      return void send(
        response,
        sitemapXml(
          current().pages.slice(
            asked.locale,
            (asked.part - 1) * numbers.partSize,
            numbers.partSize,
          ),
          asked.locale,
          hosts.origins,
        ),
      )
    const languages = allLocales.filter(({ domain }) => domain === host)
    const addresses = languages.flatMap(({ code, domain }) =>
      Array.from(
        { length: partsOf(code) },
        (_, index) => hosts.origins[domain] + sitemapPath(code, index + 1),
      ),
    )
    void send(response, [sitemapIndexXml(addresses)])
  }
}
