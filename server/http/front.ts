import type { Tracing } from '../telemetry/tracing'
import type { Metrics } from '../telemetry/metrics'
import type { Build } from '../build-info'
import type { Hosts } from '../url/hosts'
import type { AnswerCache } from '../cache/answer-cache'
import type { Logger } from '../telemetry/logger'
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { limits } from '../../shared/constants'
import { localeBySegment, type HostName } from '../../shared/i18n/locales'
import { createHitLog } from '../telemetry/access-log'
import { fastKeys } from '../cache/fast-keys'
import { sendAnswer } from '../cache/send-answer'
import { acceptableId } from '../telemetry/logger'
import { isHostHeader } from '../url/hosts'

type Services = {
  log: Logger
  cache: AnswerCache
  hosts: Hosts
  state: { ready: boolean; draining: boolean }
  build: Build
  metrics: Metrics
  tracing: Tracing | null
}

/** Host headers that are remembered: a site has a handful, and a flood of odd ones shall not grow. */
const rememberedHosts = 64

/** What the front has to know of the headers of a request, read in one pass. Null: it is not for the front. */
type Facts = {
  host: string
  acceptEncoding: string | undefined
  ifNoneMatch: string | undefined
  id: string | undefined
  statesLanguage: boolean
  fromInside: boolean
}

/**
 * The listener of the HTTP server: answers what is finished and stored right here, before any middleware, and hands
 * everything else on to the Express app. It knows nothing that the pipeline does not: the pipeline fills the cache, and
 * whatever is unusual in a request (host, target, length of headers) goes the long way, where the rules are.
 */
export function createFront(site: Services, app: RequestListener): RequestListener {
  const { cache, hosts, state, build, metrics, tracing } = site
  if (!cache.enabled) return app
  const hits = createHitLog(site.log)
  const names = new Map<string, HostName>()
  const keys = fastKeys(
    build.id,
    (segment) => localeBySegment.get(segment)?.prefix === `/${segment}`,
  )
  const inside = Object.values(hosts.origins).map((origin) => `${origin}/`)

  function hostName(header: string): HostName | null {
    const known = names.get(header)
    if (known) return known
    if (!isHostHeader(header)) return null
    if (names.size >= rememberedHosts) names.clear()
    const name = hosts.nameOf(header)
    names.set(header, name)
    return name
  }

  function read({ rawHeaders, headers }: IncomingMessage): Facts | null {
    let length = 0
    let hostHeaders = 0
    for (let index = 0; index < rawHeaders.length; index += 2) {
      const name = rawHeaders[index] ?? ''
      length += name.length + (rawHeaders[index + 1] ?? '').length + 4
      if (name.length === 4 && name.toLowerCase() === 'host') hostHeaders += 1
    }
    // Missing, repeated, too long: the pipeline says what is to be said.
    if (hostHeaders !== 1 || headers.host === undefined || length > limits.headerBytes) return null
    const { referer } = headers
    const given = headers['x-request-id']
    const site = headers['sec-fetch-site']
    const encoding = headers['accept-encoding']
    return {
      host: headers.host,
      acceptEncoding: typeof encoding === 'string' ? encoding : undefined,
      ifNoneMatch: headers['if-none-match'],
      id: typeof given === 'string' && acceptableId.test(given) ? given : undefined,
      statesLanguage: headers['accept-language'] !== undefined || headers.cookie !== undefined,
      fromInside:
        site === 'same-origin' ||
        site === 'same-site' ||
        (referer !== undefined && inside.some((origin) => referer.startsWith(origin))),
    }
  }

  /** Whether it was answered. */
  function answer(request: IncomingMessage, response: ServerResponse): boolean {
    const { method, url = '' } = request
    if (
      (method !== 'GET' && method !== 'HEAD') ||
      url.length > limits.targetBytes ||
      state.draining
    )
      return false
    const started = performance.now()
    const facts = read(request)
    const name = facts && hostName(facts.host)
    if (!facts || !name) return false
    const asked = keys(name, url)
    const entry = asked && cache.peek(asked.key)
    if (!asked || !entry) return false
    const { answer: stored } = entry.prepared
    if (asked.cutQuery && stored.queryMatters) return false
    if (stored.negotiated && facts.statesLanguage && !facts.fromInside) return false
    // Stale: the pipeline has it renewed.
    if (cache.isDue(entry) || !cache.get(asked.key)) return false
    const id = facts.id ?? randomUUID()
    const sent = sendAnswer(
      { method, acceptEncoding: facts.acceptEncoding, ifNoneMatch: facts.ifNoneMatch },
      response,
      entry.prepared,
      cache.statusOf(entry),
      id,
    )
    const duration = performance.now() - started
    metrics.request(stored.route, stored.locale, 'hit', sent.status, duration)
    tracing
      ?.request(request, started)
      .end({ route: stored.route, locale: stored.locale, cache: 'hit', status: sent.status })
    if (hits) {
      const bytes =
        sent.form.headBytes +
        id.length +
        (sent.status === 304 || method === 'HEAD' ? 0 : sent.form.body.length)
      hits.write({
        id,
        method,
        host: facts.host,
        path: asked.path,
        route: stored.route,
        locale: stored.locale,
        status: sent.status,
        durationMs: duration,
        bytes,
      })
    }
    return true
  }

  return function front(request, response) {
    if (!answer(request, response)) app(request, response)
  }
}
