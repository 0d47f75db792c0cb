import type { PageServices } from './page-services'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { pages } from '../../shared/constants'
import { locales, type HostName } from '../../shared/i18n/locales'
import { pageFileOf } from '../../shared/routes/page-file'
import type { RouteId } from '../../shared/routes/table'
import type { RenderOptions } from '../../shared/view'
import type { AssetGroup } from '../build-info'
import { renderIsland } from './islands/render-island'
import { note, requestId } from '../telemetry/logger'
import { traced } from '../telemetry/tracing'
import { pageKey } from '../cache/answer-keys'
import type { Produced } from '../cache/serve-answer'
import { entityTag, type StoredAnswer } from '../cache/stored-answer'
import { contentSecurityPolicy } from './render/content-security-policy'
import { documentParts } from './render/document'
import { pageAssets, renderHead } from './seo/head'
import { errorView, createView, type ViewRequest, type Made } from './create-view'
import { createNotFoundHelp } from './not-found-help'
import { renderPage, type Rendering, type StreamedCopy } from './render/render-page'
import { securityHeaders } from '../cache/security-headers'
import { sharedCaching } from './shared-caching'
import { pageOrigins } from './render/visitor-settings'

export type PageRequest = ViewRequest & { host: HostName; negotiated: boolean }

/** Serves the HTML of pages: one kind of answer (`serve-answer.ts`). */
export function createPageServer(site: PageServices) {
  const { build, metrics } = site
  const helpNotFound = createNotFoundHelp(site)

  const asset = (name: string): string => build.assets.files[name] ?? ''

  const groups = new Map<RouteId, AssetGroup & { link: string }>()
  /**
   * Files of a page, and the header that has them fetched while the HTML is still on its way; the loader inserts them at its end. Nothing of a first paint
   * needs the scripts, so they don't compete with the style sheets.
   */
  function filesOf({ view: { route } }: Made): AssetGroup & { link: string } {
    const known = groups.get(route)
    if (known) return known
    const group = pageAssets(build.assets.main, build.assets.pages[pageFileOf(route)])
    const link = [
      ...group.css.map((file) => `<${file}>; rel=preload; as=style`),
      ...group.js.map((file) => `<${file}>; rel=preload; as=script; fetchpriority=low`),
    ].join(', ')
    const files = { ...group, link }
    groups.set(route, files)
    return files
  }

  function islandOf({ view, tags }: Made): RenderOptions['island'] {
    return ({ name, props }) => {
      const html = renderIsland(site, name, props, view.locale, tags)
      return html instanceof Promise ? html.then((late) => late ?? '') : (html ?? '')
    }
  }

  async function render(
    made: Made,
    signal: AbortSignal,
    response: ServerResponse,
  ): Promise<Rendering> {
    const { css, js } = filesOf(made)
    const parts = documentParts(made.view, renderHead(made.view, css), js, build.assets.files)
    return renderPage(made.view, parts, islandOf(made), signal, {
      view: site.view,
      asset,
      onError: (error) =>
        site.log.error(
          { ...requestId(response), err: error, route: made.view.route },
          'a part of a page failed to render',
        ),
    })
  }

  function headersOf(
    made: Made,
    request: PageRequest,
    scripts: readonly string[],
  ): Record<string, string> {
    const secure = site.hosts.secure(request.host)
    return {
      ...securityHeaders(secure),
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Language': locales[request.locale].language,
      'Content-Security-Policy': contentSecurityPolicy(pageOrigins(site), scripts, secure),
      ...(made.status === 200
        ? sharedCaching(site.settings, [...made.tags])
        : { 'Cache-Control': 'no-store' }),
      ...(made.status === 200 && request.negotiated
        ? { 'Cache-Control': 'private, no-cache' }
        : {}),
      Vary: request.negotiated ? 'Accept-Encoding, Accept-Language, Cookie' : 'Accept-Encoding',
      ...(made.status === 502 ? { 'Retry-After': '5' } : {}),
      ...(site.settings.INDEXING ? {} : { 'X-Robots-Tag': 'noindex' }),
      Link: filesOf(made).link,
    }
  }

  function pageOf(made: Made, request: PageRequest, { html, scripts }: StreamedCopy): StoredAnswer {
    const headers = headersOf(made, request, scripts)
    return {
      status: made.status,
      headers,
      body: html,
      encoded: {},
      etag: made.status === 200 ? entityTag(html, headers['Content-Security-Policy'] ?? '') : '',
      storedAt: Date.now(),
      tags: [...made.tags],
      route: request.match?.route.id ?? 'none',
      locale: request.locale,
      negotiated: request.negotiated,
      queryMatters: request.match?.route.query !== undefined,
    }
  }

  async function make(
    request: PageRequest,
    signal: AbortSignal,
    response: ServerResponse,
  ): Promise<Produced> {
    const began = performance.now()
    const loaded = traced(site.tracing, 'load', () => createView(site, request))
    metrics.loads.observe('page', performance.now() - began)
    const made = await helpNotFound(loaded, request.path)
    const renderBegan = performance.now()
    const rendering = await traced(site.tracing, 'render', () => render(made, signal, response))
    metrics.renders.observe(
      rendering.kind === 'whole' ? 'page' : 'shell',
      performance.now() - renderBegan,
    )
    if (rendering.kind === 'whole')
      return {
        kind: 'whole',
        page: pageOf(made, request, { html: rendering.html, scripts: [] }),
        storable: true,
      }
    return {
      kind: 'streaming',
      status: made.status,
      // A nonce is for one visitor: private. The stored copy has none.
      headers: {
        ...headersOf(made, request, [`'nonce-${rendering.nonce}'`]),
        'Cache-Control': 'private, no-store',
      },
      async pipe(to) {
        const copy = await rendering.pipe(to)
        return copy && pageOf(made, request, copy)
      },
    }
  }

  async function fail(request: PageRequest, response: ServerResponse): Promise<StoredAnswer> {
    const made = errorView(site, request.locale, 502, '', request.path)
    const rendering = await render(made, AbortSignal.timeout(pages.renderTimeout), response)
    if (rendering.kind === 'streaming') throw new Error('the error page has no late parts')
    return pageOf(made, request, { html: rendering.html, scripts: [] })
  }

  return async function servePage(
    request: PageRequest,
    message: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    note(response, { route: request.match?.route.id ?? 'none', locale: request.locale })
    await site.serve(
      {
        key: pageKey(request.host, request.path, request.page),
        make: (signal) => make(request, signal, response),
        fail: () => fail(request, response),
      },
      message,
      response,
    )
  }
}
