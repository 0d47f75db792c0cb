import type { PageServices } from './page-services'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { pages } from '../../shared/constants'
import type { HostName } from '../../shared/i18n/locales'
import type { Missing, PayloadIsland } from '../../shared/payload'
import { SiteError } from '../errors'
import { renderIsland } from './islands/render-island'
import { withTimeout } from './islands/with-timeout'
import { note, requestId } from '../telemetry/logger'
import { traced } from '../telemetry/tracing'
import { payloadKey } from '../cache/answer-keys'
import { jsonAnswer } from './json-answer'
import { createView, type ViewRequest, type Made } from './create-view'
import type { StoredAnswer } from '../cache/stored-answer'
import { pageCarrying } from './page-carrying'
import type { Produced } from '../cache/serve-answer'

export type PayloadRequest = ViewRequest & {
  host: HostName
  /** The browser runs another build: it is told so, and nothing of it is kept. */ otherBuild: boolean
}

/** For a browser of another build: it loads the page fully, so no cache between may keep this answer for its address. */
const notKept = (page: StoredAnswer): StoredAnswer => ({
  ...page,
  etag: '',
  headers: { ...page.headers, 'Cache-Control': 'no-store' },
})

const routeOf = ({ match }: PayloadRequest): string => `payload ${match?.route.id ?? 'none'}`

/** Serves payloads: the same loaders as the HTML's, under keys of their own. */
export function createPayloadServer(site: PageServices) {
  /** An island that is late or fails is left to the browser, which asks for it by its address. */
  async function islandsOf(made: Made, response: ServerResponse): Promise<PayloadIsland[]> {
    return Promise.all(
      made.islands.map(async ({ name, props, url }) => {
        try {
          return {
            url,
            html:
              (await withTimeout(
                renderIsland(site, name, props, made.view.locale, made.tags),
                pages.renderTimeout,
              )) ?? '',
          }
        } catch (error) {
          site.log.error(
            { ...requestId(response), err: error, island: name },
            'an island failed in a payload',
          )
          return { url, html: null }
        }
      }),
    )
  }

  async function make(request: PayloadRequest, response: ServerResponse): Promise<Produced> {
    const began = performance.now()
    const made = traced(site.tracing, 'load', () => createView(site, request))
    site.metrics.loads.observe('payload', performance.now() - began)
    const { host, locale } = request
    const { buildId, data } = made.view
    if (made.status === 502) throw new SiteError('renderFailed', undefined, { 'Retry-After': '5' })
    if (made.status === 404) {
      const missing: Missing = {
        buildId,
        statusCode: 404,
        message: data && 'message' in data ? data.message : '',
      }
      return {
        kind: 'whole',
        storable: false,
        page: jsonAnswer(site, {
          host,
          locale,
          route: routeOf(request),
          body: missing,
          tags: [],
          status: 404,
          cacheControl: 'no-store',
        }),
      }
    }
    const islands = await islandsOf(made, response)
    return {
      kind: 'whole',
      storable: islands.every(({ html }) => html !== null),
      page: jsonAnswer(site, {
        host,
        locale,
        route: routeOf(request),
        body: pageCarrying(made.view, islands),
        tags: [...made.tags],
      }),
    }
  }

  return async function servePayload(
    request: PayloadRequest,
    message: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    note(response, { route: routeOf(request), locale: request.locale })
    const fail = async (error: unknown): Promise<never> => {
      throw error instanceof SiteError
        ? error
        : new SiteError('renderFailed', undefined, { 'Retry-After': '5' })
    }
    await site.serve(
      {
        key: payloadKey(request.host, request.path, request.page),
        make: () => make(request, response),
        fail,
        ...(request.otherBuild ? { dress: notKept } : {}),
      },
      message,
      response,
    )
  }
}
