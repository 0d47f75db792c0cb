/**
 * What an OpenTelemetry collector and the upstream receive. The collector is an HTTP server that
 * records bodies.
 */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { eventually, startTestSite, type TestSite } from '../../../testing/site'
import { startUpstream, type TestUpstream } from '../../../testing/upstream'

type SpanValue = { stringValue?: string; intValue?: number }
type Span = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  attributes: Array<{ key: string; value: SpanValue }>
  status: { code?: number }
}
type Sent = {
  resourceSpans: Array<{
    resource: { attributes: Span['attributes'] }
    scopeSpans: Array<{ spans: Span[] }>
  }>
}

const [server, client] = [2, 3]
let collector: TestUpstream
let upstream: TestUpstream
let site: TestSite
beforeAll(async () => {
  collector = await startUpstream(
    (_request, response) =>
      void response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}'),
  )
  upstream = await startUpstream((request, response) => {
    if (request.url === '/broken') return void request.socket.destroy()
    response
      .writeHead(200, { 'Content-Type': 'application/json' })
      .end('{"code":0,"msg":"ok","data":1}')
  })
  site = await startTestSite({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.origin,
    OTEL_SERVICE_NAME: 'shop',
    OTEL_BSP_SCHEDULE_DELAY: '100',
    API_UPSTREAM: upstream.origin,
  })
}, 90_000)
afterAll(async () => {
  await site.stop()
  await Promise.all([collector.stop(), upstream.stop()])
})

const traceparent = (trace: string): { traceparent: string } => ({
  traceparent: `00-${trace}-00f067aa0ba902b7-01`,
})
const sent = (): Sent[] => collector.requests.map(({ body }) => JSON.parse(body) as Sent)
const attribute = (
  { attributes }: Pick<Span, 'attributes'>,
  name: string,
): string | number | undefined => {
  const value = attributes.find(({ key }) => key === name)?.value
  return value?.stringValue ?? value?.intValue
}
const spansSoFar = (): Span[] =>
  sent().flatMap(({ resourceSpans }) =>
    resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
  )
/** The spans of a trace, once the expected number has arrived. */
const spansOf = (trace: string, count: number): Promise<Span[]> =>
  eventually(() => {
    const spans = spansSoFar().filter(({ traceId }) => traceId === trace)
    expect(spans.map(({ name }) => name)).toHaveLength(count)
    return spans
  })

describe('a site with a collector', () => {
  it('traces a rendered page with its load and render, and the same page from the cache', async () => {
    const made = 'a'.repeat(32)
    expect((await site.get('/faq?secret=1', { headers: traceparent(made) })).status).toBe(200)
    const spans = await spansOf(made, 3)
    const request = spans.find(({ kind }) => kind === server)
    expect([request?.name, request?.parentSpanId]).toEqual(['GET faq', '00f067aa0ba902b7'])
    expect(
      ['http.route', 'http.response.status_code', 'url.path', 'site.cache', 'site.locale'].map(
        (name) => request && attribute(request, name),
      ),
    ).toEqual(['faq', 200, '/faq', 'miss', 'en'])
    const parts = spans.filter(({ kind }) => kind !== server)
    expect(parts.map(({ name }) => name).sort()).toEqual(['load', 'render'])
    expect(parts.map(({ parentSpanId }) => parentSpanId)).toEqual([
      request?.spanId,
      request?.spanId,
    ])

    const cachedTrace = 'b'.repeat(32)
    await site.get('/faq', { headers: traceparent(cachedTrace) })
    const [hit] = await spansOf(cachedTrace, 1)
    expect(hit && attribute(hit, 'site.cache')).toBe('hit')
    expect(JSON.stringify(sent())).not.toContain('secret')
    expect(
      sent().map(({ resourceSpans }) =>
        resourceSpans.map(({ resource }) => attribute(resource, 'service.name')),
      ),
    ).toEqual(sent().map(() => ['shop']))
  })

  const token = 'zelda-token'
  it.each([
    ['/leave/zelda@mail.test', '/leave/…'],
    ['/leave/zelda%40mail.test/now', '/leave/…/now'],
    ['/leave/zelda%2540mail.test', '/leave/…'],
    ['/leave/zelda%25252540mail.test', '/leave/…'],
    ['/leave/zelda%4%30mail.test', '/leave/…'],
    ['/leave/zelda%EF%BC%A0mail.test', '/leave/…'],
    ['/leave/%FFzelda%40mail.test', '/leave/…'],
    ['/Leave/Zelda@mail.test/', '/Leave/…/'],
    ['/zelda@mail.test/_payload.json', '/…/_payload.json'],
    ['/zelda@mail.test.md', '/…'],
    ['/api/users/zelda@mail.test', '/api/users/…'],
    ['/api/site/zelda@mail.test', '/api/site/…'],
    ['/assets/zelda@mail.test.js', '/assets/…'],
    ['/_image/_/https%3A%2F%2Fzelda%40mail.test%2Fa.png', '/_image/_/…'],
    ['/_og/0123456789abcdef/zelda@mail.test.png', '/_og/0123456789abcdef/…'],
    ['/app?cpl=zelda-token', '/app'],
    ['/app%3Fcpl%3Dzelda-token', '/…'],
    ['/app#cpl=zelda-token', '/app'],
    [`/_preview/${token}`, '/_preview/…'],
    [`/_preview/${token}/more`, '/_preview/…'],
    [`//_preview//${token}`, '//_preview/…'],
    [`/%5Fpreview/${token}`, '/_preview/…'],
    [`/_preview%2F${token}`, '/_preview/…'],
    [`/es/_Preview/${token}`, '/es/_preview/…'],
  ])('logs and traces %s as %s', async (target, path) => {
    const trace = randomBytes(16).toString('hex')
    // The second answer may come from the cache.
    for (const id of [`${trace}-first`, `${trace}-second`]) {
      await site.get(target, { headers: { ...traceparent(trace), 'X-Request-Id': id } })
      const line = await eventually(() => {
        const found = site.logs.find((entry) => entry['id'] === id)
        expect(found).toBeDefined()
        return found
      })
      expect(line?.['path']).toBe(path)
    }
    const paths = await eventually(() => {
      const found = spansSoFar().filter(({ traceId, kind }) => traceId === trace && kind === server)
      expect(found).toHaveLength(2)
      return found.map((span) => attribute(span, 'url.path'))
    })
    expect(paths).toEqual([path, path])
    expect(JSON.stringify([site.logs, sent()])).not.toMatch(/zelda/i)
  })

  it('passes the trace on to the upstream', async () => {
    const trace = 'c'.repeat(32)
    await site.get('/api/anything', { headers: traceparent(trace) })
    const spans = await spansOf(trace, 2)
    const outgoing = spans.find(({ kind }) => kind === client)
    expect([outgoing?.name, outgoing?.parentSpanId]).toEqual([
      'upstream',
      spans.find(({ kind }) => kind === server)?.spanId,
    ])
    expect(upstream.requests.find(({ url }) => url === '/anything')?.headers['traceparent']).toBe(
      `00-${trace}-${outgoing?.spanId}-01`,
    )
  })

  it('marks a request to the upstream that failed, without the message of the error', async () => {
    const trace = 'd'.repeat(32)
    await site.get('/api/broken', { headers: traceparent(trace) })
    // It is sent twice: the connection of the first attempt could have been closed before.
    const spans = await spansOf(trace, 3)
    const failed = { code: 2, message: 'Error' }
    expect(spans.filter(({ kind }) => kind === client).map(({ status }) => status)).toEqual([
      failed,
      failed,
    ])
  })

  it('works without the collector, and stops in time when it does not answer', async () => {
    const silent = await startUpstream(() => undefined)
    const other = await startTestSite({ OTEL_EXPORTER_OTLP_ENDPOINT: silent.origin })
    expect((await other.get('/pricing')).status).toBe(200)
    const ended = new Promise((resolve) => other.child.once('exit', resolve))
    await other.stop()
    expect(await ended).toBe(0)
    await silent.stop()
  }, 60_000)
})

it('OTEL_SDK_DISABLED=true switches tracing off', async () => {
  const silent = await startUpstream((_request, response) => void response.end('{}'))
  const disabled = await startTestSite({
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${silent.origin}/v1/traces`,
    OTEL_BSP_SCHEDULE_DELAY: '1',
    OTEL_SDK_DISABLED: 'true',
  })
  await disabled.get('/faq')
  // A site that traces sends the rest when it stops.
  await disabled.stop()
  expect(silent.requests).toEqual([])
  await silent.stop()
}, 60_000)

it('a site without a collector passes traceparent on unchanged', async () => {
  const plain = await startTestSite({ API_UPSTREAM: upstream.origin })
  const before = upstream.requests.length
  await plain.get('/api/anything', { headers: traceparent('d'.repeat(32)) })
  expect(
    upstream.requests.slice(before).find(({ url }) => url === '/anything')?.headers['traceparent'],
  ).toBe(traceparent('d'.repeat(32)).traceparent)
  await plain.stop()
}, 60_000)
