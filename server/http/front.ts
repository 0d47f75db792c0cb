import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { LRUCache } from 'lru-cache'
import { limits } from '../../shared/constants'
import { localeBySegment, type HostName } from '../../shared/i18n/locales'
import type { Build } from '../build-info'
import type { AnswerCache } from '../cache/answer-cache'
import { createFastKeys } from '../cache/cache-keys'
import type { PreparedForm } from '../cache/prepared-answer'
import { sendAnswer, type AnswerRequest } from '../cache/send-answer'
import type { StoredAnswer } from '../cache/stored-answer'
import { chooseRequestId } from '../request/request-id'
import { createHitLog } from '../telemetry/access-log'
import type { Logger } from '../telemetry/logger'
import type { Metrics } from '../telemetry/metrics'
import type { Tracing } from '../telemetry/tracing'
import type { AddressCounter } from '../url/count-addresses'
import { isHostHeader, type Hosts } from '../url/hosts'

type Services = {
  log: Logger
  cache: AnswerCache
  hosts: Hosts
  state: { ready: boolean; draining: boolean }
  build: Pick<Build, 'id'>
  metrics: Metrics
  tracing: Tracing | null
  addressCounter: AddressCounter | null
}

/** A site has a handful of host names. The bound keeps a flood of others from taking memory. */
const maxKnownHosts = 64

/** What the front needs of a request, read in one pass over the headers. */
type RequestFacts = AnswerRequest & {
  host: string
  requestId: string | string[] | undefined
  /** The request has a header from which the pipeline may choose another language. */
  statesLanguage: boolean
  /** The visitor comes from a page of this site. */
  isInternal: boolean
}

/**
 * Null when the host is missing or repeated, or when the headers are too long: the pipeline refuses
 * such requests.
 */
function createFactsReader(
  origins: Hosts['origins'],
): (request: IncomingMessage) => RequestFacts | null {
  const internalPrefixes = Object.values(origins).map((origin) => `${origin}/`)
  return function readFacts({ method, rawHeaders, headers }) {
    let length = 0
    let hostHeaders = 0
    for (let index = 0; index < rawHeaders.length; index += 2) {
      const name = rawHeaders[index] ?? ''
      length += name.length + (rawHeaders[index + 1] ?? '').length + 4
      if (name.length === 4 && name.toLowerCase() === 'host') hostHeaders += 1
    }
    const { host, referer } = headers
    if (hostHeaders !== 1 || host === undefined || length > limits.maxHeaderBytes) return null
    const fetchSite = headers['sec-fetch-site']
    return {
      method,
      host,
      acceptEncoding: headers['accept-encoding'],
      ifNoneMatch: headers['if-none-match'],
      requestId: headers['x-request-id'],
      statesLanguage: headers['accept-language'] !== undefined || headers.cookie !== undefined,
      isInternal:
        fetchSite === 'same-origin' ||
        fetchSite === 'same-site' ||
        (referer !== undefined && internalPrefixes.some((prefix) => referer.startsWith(prefix))),
    }
  }
}

/** The language host of a `Host` header; null when the header is malformed. */
function createHostLookup(hosts: Hosts): (header: string) => HostName | null {
  const known = new LRUCache<string, HostName>({ max: maxKnownHosts })
  return function lookUpHost(header) {
    const name = known.get(header)
    if (name) return name
    if (!isHostHeader(header)) return null
    const host = hosts.hostNameOf(header)
    known.set(header, host)
    return host
  }
}

/** Counts, traces and logs an answer from the cache. */
function createHitReporter({ log, metrics, tracing, addressCounter }: Services) {
  const hitLog = createHitLog(log)
  return function reportHit(
    request: IncomingMessage,
    { method = '', host }: RequestFacts,
    path: string,
    { route, locale }: StoredAnswer,
    { status, form }: { status: number; form: PreparedForm },
    id: string,
    startedAt: number,
  ): void {
    const durationMs = performance.now() - startedAt
    if (status > 300 && status !== 304) addressCounter?.count(request, status)
    metrics.countRequest(route, locale, 'hit', status, durationMs)
    tracing?.startRequest(request, startedAt).end({ route, locale, cache: 'hit', status })
    if (!hitLog) return
    const bodyBytes = status === 304 || method === 'HEAD' ? 0 : form.body.length
    const bytes = form.headBytes + id.length + bodyBytes
    hitLog.write({ id, method, host, path, route, locale, status, durationMs, bytes })
  }
}

/**
 * The listener of the HTTP server: sends answers that are in the cache, before any middleware runs,
 * and passes all other requests to the Express app. It applies no URL rules: the pipeline
 * fills the cache, and a request with anything unusual in its host, target or headers goes to the
 * pipeline.
 */
export function createFront(services: Services, app: RequestListener): RequestListener {
  const { cache, hosts, state, build } = services
  if (!cache.enabled) return app
  const readFacts = createFactsReader(hosts.origins)
  const lookUpHost = createHostLookup(hosts)
  const reportHit = createHitReporter(services)
  const toFastKey = createFastKeys(
    build.id,
    (segment) => localeBySegment.get(segment)?.prefix === `/${segment}`,
  )

  /** Returns whether the request was answered. */
  function answerFromCache(request: IncomingMessage, response: ServerResponse): boolean {
    const { method, url = '' } = request
    if (method !== 'GET' && method !== 'HEAD') return false
    if (url.length > limits.maxTargetBytes || state.draining) return false
    const startedAt = performance.now()
    const facts = readFacts(request)
    const host = facts && lookUpHost(facts.host)
    if (!facts || !host) return false
    const fastKey = toFastKey(host, url)
    const entry = fastKey && cache.peek(fastKey.key)
    if (!fastKey || !entry) return false
    const { answer } = entry.prepared
    if (fastKey.dropsQuery && answer.queryMatters) return false
    if (answer.negotiated && facts.statesLanguage && !facts.isInternal) return false
    // The pipeline renews entries that are due.
    if (cache.isRenewalDue(entry) || !cache.get(fastKey.key)) return false
    const id = chooseRequestId(facts.requestId)
    const sent = sendAnswer(facts, response, entry.prepared, cache.cacheStatusOf(entry), id)
    reportHit(request, facts, fastKey.path, answer, sent, id, startedAt)
    return true
  }

  return function front(request, response) {
    if (!answerFromCache(request, response)) app(request, response)
  }
}
