import type { IncomingMessage, ServerResponse } from 'node:http'
import { pages } from '../../shared/constants'
import { locales, type HostName } from '../../shared/i18n/locales'
import { pageFileOf } from '../../shared/routes/page-file'
import type { IslandHtml, IslandName, PageView, RenderOptions } from '../../shared/view'
import { note } from '../log'
import type { Site } from '../site'
import { contentSecurityPolicy } from './content-security-policy'
import { documentParts } from './document'
import { pageAssets, renderHead } from './head'
import { errorView, makeView, type Asked, type Made } from './make-view'
import { entityTag, type StoredPage } from './page-cache'
import { createJobs, type Job } from './render-jobs'
import { renderPage, type Rendering, type StreamedCopy } from './render-page'
import { securityHeaders } from './security-headers'
import { sendPage } from './send-page'
import { pageOrigins } from './visitor-settings'

export type PageRequest = Asked & { host: HostName; key: string; negotiated: boolean }

type Outcome = { stored: boolean; page: StoredPage } | { streaming: Extract<Rendering, { kind: 'streaming' }>; made: Made }

/**
 * Serves pages: from the cache, from another request's render, or rendered now. One render a key at a time; the others
 * wait for it. A page that is complete with its shell is sent in the form in which it is stored.
 */
export function createPageServer(site: Site) {
  const jobs = createJobs<StoredPage>()
  const { cache, build } = site

  const asset = (name: string): string => build.assets.files[name] ?? ''
  const favicon = '/favicon.svg'

  function islandOf(view: PageView): RenderOptions['island'] {
    return (name: IslandName, props): IslandHtml => {
      const data = site.island(name, props, view.locale)
      const html = (value: unknown): string => site.view.renderIsland(name, { locale: view.locale, texts: view.texts }, value)
      return data instanceof Promise ? data.then(html) : html(data)
    }
  }

  async function render(made: Made, signal: AbortSignal): Promise<Rendering> {
    const group = pageAssets(build.assets.main, build.assets.pages[pageFileOf(made.view.route)])
    const parts = documentParts(made.view, renderHead(made.view, group.css, favicon), group.js, build.assets.files)
    return renderPage(made.view, parts, islandOf(made.view), signal, { view: site.view, asset, onError: (error) => site.log.error({ err: error, route: made.view.route }, 'a part of a page failed to render') })
  }

  function headersOf(made: Made, request: PageRequest, scripts: readonly string[]): Record<string, string> {
    const secure = site.hosts.secure(request.host)
    const group = pageAssets(build.assets.main, build.assets.pages[pageFileOf(made.view.route)])
    const cacheControl = made.status !== 200 ? 'no-store' : request.negotiated ? 'private, no-cache'
      : `public, max-age=0, s-maxage=${site.settings.CDN_MAX_AGE}, stale-while-revalidate=${pages.staleSeconds}, stale-if-error=${pages.staleSeconds}`
    return {
      ...securityHeaders(secure),
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Language': locales[request.locale].language,
      'Content-Security-Policy': contentSecurityPolicy(pageOrigins(site), scripts, secure),
      'Cache-Control': cacheControl,
      Vary: request.negotiated ? 'Accept-Encoding, Accept-Language, Cookie' : 'Accept-Encoding',
      ...(made.status === 502 ? { 'Retry-After': '5' } : {}),
      ...(site.settings.INDEXING ? {} : { 'X-Robots-Tag': 'noindex' }),
      ...(site.settings.CDN_TAGS && made.status === 200 ? { 'Cache-Tag': made.tags.join(',') } : {}),
      // Fetched while the HTML is still on its way; the loader inserts them at its end.
      Link: [...group.css.map((file) => `<${file}>; rel=preload; as=style`), ...group.js.map((file) => `<${file}>; rel=preload; as=script`)].join(', '),
    }
  }

  function pageOf(made: Made, request: PageRequest, { html, scripts }: StreamedCopy): StoredPage {
    const headers = headersOf(made, request, scripts)
    return { status: made.status, headers, body: html, encoded: {}, etag: made.status === 200 ? entityTag(html, headers['Content-Security-Policy'] ?? '') : '', storedAt: Date.now(), tags: made.tags }
  }

  function keep(request: PageRequest, page: StoredPage, mark: number): boolean {
    if (page.status !== 200 || !cache.store(request.key, page, mark)) return false
    cache.compress(request.key, page).catch((error: unknown) => site.log.error({ err: error }, 'a page could not be compressed'))
    return true
  }

  async function produce(request: PageRequest, mark: number, signal: AbortSignal): Promise<Outcome> {
    const made = makeView(site, request)
    const rendering = await render(made, signal)
    if (rendering.kind === 'streaming') return { streaming: rendering, made }
    const page = pageOf(made, request, { html: rendering.html, scripts: [] })
    return { page, stored: keep(request, page, mark) }
  }

  /** Sends a page whose islands are late: private, with a nonce, and stored without one when it is whole. */
  async function sendStreaming(request: PageRequest, response: ServerResponse, { streaming, made }: Extract<Outcome, { streaming: unknown }>, mark: number): Promise<StoredPage | null> {
    const headers = headersOf(made, request, [`'nonce-${streaming.nonce}'`])
    response.writeHead(made.status, { ...headers, 'Cache-Control': 'private, no-store', 'Cache-Status': cache.enabled ? 'site; fwd=miss; stored' : 'site; fwd=bypass' })
    const copy = await streaming.pipe({
      write: (chunk) => response.write(chunk),
      end: () => response.end(),
      onClose: (listener) => response.on('close', () => !response.writableFinished && listener()),
      onDrain: (listener) => response.once('drain', listener),
    })
    if (!copy) return null
    const page = pageOf(made, request, copy)
    keep(request, page, mark)
    return page
  }

  async function fail(request: PageRequest, message: IncomingMessage, response: ServerResponse, error: unknown): Promise<void> {
    site.log.error({ err: error }, 'a page could not be made')
    const made = errorView(site, request.locale, 502, '', request.path)
    const rendering = await render(made, AbortSignal.timeout(pages.renderTimeout))
    if (rendering.kind === 'streaming') throw new Error('the error page has no late parts')
    sendPage(message, response, pageOf(made, request, { html: rendering.html, scripts: [] }), 'site; fwd=miss')
  }

  /** Renders for the first client of a key and shares the result with those who wait. */
  async function lead(request: PageRequest, message: IncomingMessage, response: ServerResponse, job: Job<StoredPage>, mark: number): Promise<void> {
    let shared: StoredPage | null = null
    try {
      const outcome = await produce(request, mark, job.signal)
      if ('streaming' in outcome) {
        shared = await sendStreaming(request, response, outcome, mark)
        return
      }
      shared = outcome.page
      sendPage(message, response, outcome.page, !cache.enabled ? 'site; fwd=bypass' : outcome.stored ? 'site; fwd=miss; stored' : 'site; fwd=miss')
    } catch (error) {
      if (!response.destroyed) await fail(request, message, response, error)
    } finally {
      job.settle(shared)
    }
  }

  return async function servePage(request: PageRequest, message: IncomingMessage, response: ServerResponse): Promise<void> {
    note({ route: request.match?.route.id ?? 'none', locale: request.locale })
    const known = cache.get(request.key)
    if (known) {
      note({ cache: 'hit' })
      return sendPage(message, response, known, `site; hit; ttl=${cache.ttlOf(known)}`)
    }
    // A render that began before a purge is none for those who ask after it.
    const mark = cache.mark()
    const jobKey = `${mark} ${request.key}`
    const waiting = cache.enabled ? jobs.join(jobKey) : null
    const job = waiting ?? jobs.begin(jobKey)
    response.on('close', () => !response.writableFinished && job.leave())
    note({ cache: waiting ? 'collapsed' : cache.enabled ? 'miss' : 'bypass' })
    if (!waiting) return lead(request, message, response, job, mark)
    const page = await job.done
    if (page) return sendPage(message, response, page, 'site; fwd=miss; collapsed')
    return response.destroyed ? undefined : servePage(request, message, response)
  }
}
