import type { IncomingMessage, ServerResponse } from 'node:http'
import { pages } from '../../shared/constants'
import type { HostName } from '../../shared/i18n/locales'
import { pageKey } from '../cache/cache-keys'
import type { ProducedAnswer } from '../cache/serve-answer'
import type { StoredAnswer } from '../cache/stored-answer'
import { computeETag } from '../request/etag'
import { addLogFields } from '../telemetry/logger'
import { withSpan } from '../telemetry/tracing'
import { createErrorView, createView, type ViewRequest, type ViewResult } from './create-view'
import { sharedCaching } from './json-answer'
import { createNotFoundSuggestions } from './not-found-suggestions'
import type { PageServices } from './page-services'
import { createPageRenderer, type PageRenderer } from './render/page-renderer'
import type { Rendering, StreamedCopy } from './render/render-page'

export type PageRequest = ViewRequest & {
  host: HostName
  /** The page may redirect to the visitor's language, so shared caches must not keep it. */
  negotiated: boolean
}

type Services = PageServices & {
  renderer: PageRenderer
  addSuggestions: ReturnType<typeof createNotFoundSuggestions>
}

/**
 * Serves the HTML of pages, error pages included: from the cache, or loaded (`create-view.ts`),
 * rendered (`render/page-renderer.ts`) and stored.
 */
export function createPageServer(pageServices: PageServices) {
  const services: Services = {
    ...pageServices,
    renderer: createPageRenderer(pageServices),
    addSuggestions: createNotFoundSuggestions(pageServices),
  }
  return async function servePage(
    page: PageRequest,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    addLogFields(response, { route: routeName(page), locale: page.locale })
    await services.serveAnswer(
      {
        key: pageKey(page.host, page.path, page.page),
        produce: (signal) => producePage(services, page, signal, response),
        produceError: () => produceErrorPage(services, page, response),
      },
      request,
      response,
    )
  }
}

const routeName = ({ match }: PageRequest): string => match?.route.id ?? 'none'

async function producePage(
  services: Services,
  page: PageRequest,
  signal: AbortSignal,
  response: ServerResponse,
): Promise<ProducedAnswer> {
  const { tracing, metrics, addSuggestions, renderer } = services
  const loadStart = performance.now()
  const loaded = withSpan(tracing, 'load', () => createView(services, page))
  metrics.loads.observe('page', performance.now() - loadStart)
  const result = await addSuggestions(loaded, page.path)
  const renderStart = performance.now()
  const rendering = await withSpan(tracing, 'render', () =>
    renderer.render(result, signal, response),
  )
  const kind = rendering.kind === 'whole' ? 'page' : 'shell'
  metrics.renders.observe(kind, performance.now() - renderStart)
  return producedAnswer(services, page, result, rendering)
}

function producedAnswer(
  services: Services,
  page: PageRequest,
  result: ViewResult,
  rendering: Rendering,
): ProducedAnswer {
  if (rendering.kind === 'whole') {
    const answer = storedPage(services, page, result, { html: rendering.html, scripts: [] })
    return { kind: 'whole', answer, storable: true }
  }
  const { nonce, pipe } = rendering
  return {
    kind: 'streaming',
    status: result.status,
    // A nonce is for one response only. The stored copy has none.
    headers: {
      ...pageHeaders(services, page, result, [`'nonce-${nonce}'`]),
      'Cache-Control': 'private, no-store',
    },
    async pipe(to) {
      const copy = await pipe(to)
      return copy && storedPage(services, page, result, copy)
    },
  }
}

/** The error screen, for a page that failed to render and has no stale copy. */
async function produceErrorPage(
  services: Services,
  page: PageRequest,
  response: ServerResponse,
): Promise<StoredAnswer> {
  const { locale, path } = page
  const result = createErrorView(services, { locale, status: 502, message: '', path })
  const signal = AbortSignal.timeout(pages.renderTimeoutMs)
  const rendering = await services.renderer.render(result, signal, response)
  if (rendering.kind === 'streaming') throw new Error('the error page must not have late parts')
  return storedPage(services, page, result, { html: rendering.html, scripts: [] })
}

function storedPage(
  services: Services,
  page: PageRequest,
  result: ViewResult,
  { html, scripts }: StreamedCopy,
): StoredAnswer {
  const headers = pageHeaders(services, page, result, scripts)
  const isFound = result.status === 200
  return {
    status: result.status,
    headers,
    body: html,
    encoded: {},
    etag: isFound ? computeETag(headers['Content-Security-Policy'] ?? '', html) : '',
    storedAt: Date.now(),
    tags: [...result.tags],
    route: routeName(page),
    locale: page.locale,
    negotiated: page.negotiated,
    queryMatters: page.match?.route.query !== undefined,
  }
}

function pageHeaders(
  { renderer, settings }: Services,
  { negotiated }: PageRequest,
  result: ViewResult,
  scripts: readonly string[],
): Record<string, string> {
  const isFound = result.status === 200
  return {
    ...renderer.headers(result, scripts),
    ...(isFound ? sharedCaching(settings, [...result.tags]) : { 'Cache-Control': 'no-store' }),
    ...(isFound && negotiated ? { 'Cache-Control': 'private, no-cache' } : {}),
    Vary: negotiated ? 'Accept-Encoding, Accept-Language, Cookie' : 'Accept-Encoding',
    ...(result.status === 502 ? { 'Retry-After': '5' } : {}),
  }
}
