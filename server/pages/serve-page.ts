import type { IncomingMessage, ServerResponse } from 'node:http'
import { pages } from '../../shared/constants'
import type { HostName } from '../../shared/i18n/locales'
import { pageKey } from '../cache/cache-keys'
import type { ProducedAnswer } from '../cache/answer-source'
import type { StoredAnswer } from '../cache/stored-answer'
import { computeETag } from '../request/etag'
import { addLogFields } from '../telemetry/logger'
import { withSpan } from '../telemetry/tracing'
import { createErrorView, createView, type ViewRequest, type ViewResult } from './create-view'
import { sharedCaching } from './json-answer'
import type { PageServices } from './page-services'
import { createPageRenderer, type PageRenderer } from './render/page-renderer'
import type { Rendering } from './render/render-page'

type PageRequest = ViewRequest & {
  host: HostName
  /** The page may redirect to the visitor's language, so shared caches must not keep it. */
  negotiated: boolean
}

type Services = PageServices & { renderer: PageRenderer }

/**
 * Serves the HTML of pages, error pages included: from the cache, or loaded (`create-view.ts`),
 * rendered (`render/page-renderer.ts`) and stored.
 */
export function createPageServer(pageServices: PageServices) {
  const services: Services = { ...pageServices, renderer: createPageRenderer(pageServices) }
  return async function servePage(
    page: PageRequest,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    addLogFields(response, { route: routeName(page), locale: page.locale })
    await services.serveAnswer(
      {
        key: pageKey(page.host, page.path, page.page),
        produce: (signal, step) => producePage(services, page, { signal, step }, response),
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
  { signal, step }: { signal: AbortSignal; step: () => Promise<void> },
  response: ServerResponse,
): Promise<ProducedAnswer> {
  const { tracing, metrics, renderer } = services
  const loadStart = performance.now()
  const result = withSpan(tracing, 'load', () => createView(services, page))
  metrics.loads.observe('page', performance.now() - loadStart)
  await step()
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
    const answer = storedPage(services, page, result, rendering.html)
    return { kind: 'whole', answer, storable: true }
  }
  const { nonce, pipe } = rendering
  return {
    kind: 'streaming',
    status: result.status,
    // A nonce is for one response only. The stored copy has none.
    headers: {
      ...pageHeaders(services, page, result, nonce),
      'Cache-Control': 'private, no-store',
    },
    async pipe(to) {
      const html = await pipe(to)
      return html && storedPage(services, page, result, html)
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
  return storedPage(services, page, result, rendering.html)
}

function storedPage(
  services: Services,
  page: PageRequest,
  result: ViewResult,
  html: Buffer,
): StoredAnswer {
  const headers = pageHeaders(services, page, result)
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
  nonce?: string,
): Record<string, string> {
  const isFound = result.status === 200
  return {
    ...renderer.headers(result, nonce),
    ...(isFound ? sharedCaching(settings, [...result.tags]) : { 'Cache-Control': 'no-store' }),
    ...(isFound && negotiated ? { 'Cache-Control': 'private, no-cache' } : {}),
    Vary: negotiated ? 'Accept-Encoding, Accept-Language, Cookie' : 'Accept-Encoding',
    ...(result.status === 502 ? { 'Retry-After': '5' } : {}),
  }
}
