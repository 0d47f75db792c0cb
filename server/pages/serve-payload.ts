import type { IncomingMessage, ServerResponse } from 'node:http'
import { pages } from '../../shared/constants'
import type { HostName } from '../../shared/i18n/locales'
import { menusNamespace, navigationNamespace, shellNamespace } from '../../shared/i18n/namespaces'
import type { NotFoundPayload, PagePayload, PayloadIsland } from '../../shared/payload'
import type { Product } from '../../shared/product-schema'
import type { PageView } from '../../shared/view'
import { payloadKey } from '../cache/cache-keys'
import type { ProducedAnswer } from '../cache/answer-source'
import type { StoredAnswer } from '../cache/stored-answer'
import { failure } from '../errors'
import { addLogFields, requestIdField } from '../telemetry/logger'
import { withSpan } from '../telemetry/tracing'
import { createView, type ViewRequest, type ViewResult } from './create-view'
import { renderIsland } from './islands/render-island'
import { withTimeout } from './islands/with-timeout'
import { failAsSiteError, jsonAnswer, renderFailed } from './json-answer'
import type { PageServices } from './page-services'
import { renderPageHead } from './seo/head'
import { typesetView } from './typeset-view'

type PayloadRequest = ViewRequest & {
  host: HostName
  /** The client runs another build: it loads the page fully, so the payload must not be cached. */
  otherBuild: boolean
}

/**
 * Serves payloads (spec 6.3): loaded like the HTML of pages, and stored under separate keys.
 */
export function createPayloadServer(services: PageServices) {
  return async function servePayload(
    payload: PayloadRequest,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    addLogFields(response, { route: routeName(payload), locale: payload.locale })
    await services.serveAnswer(
      {
        key: payloadKey(payload.host, payload.path, payload.page),
        produce: () => producePayload(services, payload, response),
        produceError: failAsSiteError,
        ...(payload.otherBuild ? { transformForClient: uncached } : {}),
      },
      request,
      response,
    )
  }
}

const routeName = ({ match }: PayloadRequest): string => `payload ${match?.route.id ?? 'none'}`

const uncached = (answer: StoredAnswer): StoredAnswer => ({
  ...answer,
  etag: '',
  headers: { ...answer.headers, 'Cache-Control': 'no-store' },
})

async function producePayload(
  services: PageServices,
  payload: PayloadRequest,
  response: ServerResponse,
): Promise<ProducedAnswer> {
  const { tracing, metrics } = services
  const loadStart = performance.now()
  const result = withSpan(tracing, 'load', () => createView(services, payload))
  metrics.loads.observe('payload', performance.now() - loadStart)
  const { host, locale } = payload
  const common = { host, locale, route: routeName(payload) }
  if (result.status !== 200) {
    // A 502 means that the error screen was requested by its own address. Nothing has failed, so
    // the error is not thrown: that would log it.
    const error = result.status === 502 ? renderFailed() : null
    const body = error ? failure(error) : notFoundPayload(result.view)
    const unstored = { ...common, body, tags: [], status: result.status, cacheControl: 'no-store' }
    const answer = jsonAnswer(services, unstored)
    const headers = { ...answer.headers, ...error?.headers }
    return { kind: 'whole', storable: false, answer: { ...answer, headers } }
  }
  const islands = await renderIslands(services, result, response)
  const body = pagePayload(result.view, islands, services.store.product())
  return {
    kind: 'whole',
    storable: islands.every(({ html }) => html !== null),
    answer: jsonAnswer(services, { ...common, body, tags: [...result.tags] }),
  }
}

const notFoundPayload = ({ buildId, data }: PageView): NotFoundPayload => ({
  buildId,
  statusCode: 404,
  message: data && 'message' in data ? data.message : '',
})

/** The payload of a page: without what the browser has from the page that it loaded. */
export function pagePayload(
  view: PageView,
  islands: readonly PayloadIsland[],
  product: Product,
): PagePayload {
  const { buildId, path, locale, route, params, seo, languages, breadcrumb } = view
  const { data, texts: allTexts } = typesetView(view)
  const {
    [navigationNamespace]: _navigation,
    [shellNamespace]: _shell,
    [menusNamespace]: _menus,
    ...texts
  } = allTexts
  const head = renderPageHead(view, product)
  return {
    buildId,
    path,
    locale,
    route,
    params,
    seo,
    data,
    languages,
    breadcrumb,
    texts,
    head,
    islands,
  }
}

/** Islands that are late or fail have no HTML: the browser fetches them by their URLs. */
const renderIslands = (
  services: PageServices,
  { islands, view, tags }: ViewResult,
  response: ServerResponse,
): Promise<PayloadIsland[]> =>
  Promise.all(
    islands.map(async ({ name, props, url }) => {
      try {
        const island = renderIsland(services, name, props, view.locale, tags)
        return { url, html: (await withTimeout(island, pages.renderTimeoutMs)) ?? '' }
      } catch (error) {
        services.log.error(
          { ...requestIdField(response), err: error, island: name },
          'an island failed in a payload',
        )
        return { url, html: null }
      }
    }),
  )
