/** Headers and bodies that the API proxy forwards, in both directions, and those that it drops. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { generateKeyPairSync } from 'node:crypto'
import { connect } from 'node:net'
import { upstream as limits } from '../../../shared/constants'
import { rawRequest } from '../../../testing/raw-request'
import { startUpstream, type RecordedRequest, type TestUpstream } from '../../../testing/upstream'
import { startTestSite, type TestSite } from '../../../testing/site'

const publicKey = generateKeyPairSync('rsa', { modulusLength: 2048 })
  .publicKey.export({ type: 'spki', format: 'der' })
  .toString('base64')

let upstream: TestUpstream
let plain: TestSite
let trusting: TestSite
let answerHeaders: Record<string, string | string[]> = {}
let status = 200
beforeAll(async () => {
  upstream = await startUpstream((request, response) => {
    if (request.url === '/base/stream') {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write('data: 1\n\n')
      return void setTimeout(() => response.end('data: 2\n\n'), 700)
    }
    response.writeHead(status, { 'Content-Type': 'application/json', ...answerHeaders })
    response.end(
      request.method === 'HEAD'
        ? undefined
        : JSON.stringify({ code: status < 400 ? 0 : 7, msg: 'told', data: request.url }),
    )
  })
  ;[plain, trusting] = await Promise.all([
    startTestSite({ API_UPSTREAM: `${upstream.origin}/base` }),
    startTestSite({
      API_UPSTREAM: `${upstream.origin}/base`,
      TRUST_PROXY: '1',
      SITE_URL_EN: 'https://www.shop.example',
      COOKIE_DOMAIN: 'shop.example',
      UPSTREAM_PUBLIC_KEY: publicKey,
      RATE_OTHER: '100000',
    }),
  ])
}, 90_000)
afterAll(async () => {
  await Promise.all([plain.stop(), trusting.stop()])
  await upstream.stop()
})
beforeEach(() => {
  answerHeaders = {}
  status = 200
  upstream.requests.length = 0
})

/** Requests of visitors. The site's own reads of base info carry no address. */
const visitorRequests = (): RecordedRequest[] =>
  upstream.requests.filter(({ headers }) => headers['x-forwarded-for'] !== undefined)

async function heardOf(
  site: TestSite,
  headers: Record<string, string>,
  path = '/api/x',
): Promise<RecordedRequest> {
  await site.get(path, { headers })
  const [requests] = visitorRequests()
  upstream.requests.length = 0
  if (!requests) throw new Error('the upstream requests nothing')
  return requests
}

const forged: Record<string, string> = {
  'X-Forwarded-For': '1.2.3.4',
  'X-Forwarded-Host': 'evil.example',
  'X-Forwarded-Proto': 'gopher',
  'X-Forwarded-Port': '65999',
  'X-Forwarded-Prefix': '/evil',
  'X-Forwarded-Server': 'evil',
  'X-Forwarded-User': 'root',
  Forwarded: 'for=1.2.3.4;host=evil.example',
  'X-Real-IP': '1.2.3.4',
  'X-Client-IP': '1.2.3.4',
  'True-Client-IP': '1.2.3.4',
  'CF-Connecting-IP': '1.2.3.4',
  'X-Cluster-Client-IP': '1.2.3.4',
  'X-Original-URL': '/admin',
  'X-Rewrite-URL': '/admin',
  'X-Original-Host': 'evil.example',
  'X-Host': 'evil.example',
  'X-HTTP-Method-Override': 'DELETE',
  'X-Method-Override': 'DELETE',
  'Proxy-Authorization': 'Basic x',
  'Proxy-Connection': 'keep-alive',
  Via: '1.1 evil',
  'Keep-Alive': 'timeout=99',
  TE: 'trailers',
  Upgrade: 'h2c',
  'HTTP2-Settings': 'AAMAAABkAAQ',
  Expect: '100-continue',
  'X-Request-Id': '<script>',
  X_Forwarded_For: '1.2.3.4',
  X_Real_IP: '1.2.3.4',
  Transfer_Encoding: 'chunked',
  Content_Length: '98765',
}

describe('a request', () => {
  it.each(Object.keys(forged))('does not carry %s of a visitor', async (name) => {
    const value = forged[name] ?? ''
    const { headers } = await heardOf(plain, { [name]: value })
    const text = JSON.stringify(Object.entries(headers).filter(([key]) => key !== 'connection'))
    expect(text).not.toContain(value.replaceAll('"', ''))
    expect(Object.keys(headers).sort()).toEqual([
      'accept-encoding',
      'connection',
      'host',
      'x-forwarded-for',
      'x-forwarded-host',
      'x-forwarded-proto',
      'x-request-id',
    ])
  })

  it('carries the address, host and scheme that the site knows', async () => {
    const { headers } = await heardOf(plain, forged)
    expect(headers).toMatchObject({
      host: `127.0.0.1:${upstream.port}`,
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-proto': 'http',
      'x-forwarded-host': `localhost:${plain.port}`,
    })
  })

  it.each([
    ['1.2.3.4', '1.2.3.4'],
    ['6.6.6.6, 1.2.3.4', '1.2.3.4'],
    ['1.2.3.4:5678', '1.2.3.4'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['::ffff:1.2.3.4', '1.2.3.4'],
    ['evil', '127.0.0.1'],
    ['1.2.3.4, evil', '127.0.0.1'],
    ['1.2.3.4, ', '127.0.0.1'],
    ['127.1', '127.0.0.1'],
    ['1.2.3.4 5', '127.0.0.1'],
    ["1.2.3.4'--", '127.0.0.1'],
  ])('with one trusted proxy, X-Forwarded-For: %s becomes %s', async (sent, seen) => {
    expect(
      (
        await heardOf(trusting, {
          'X-Forwarded-For': sent,
          'X-Forwarded-Proto': 'https',
          'X-Forwarded-Host': 'www.shop.example',
          'X-Real-IP': '9.9.9.9',
          Forwarded: 'for=9.9.9.9',
        })
      ).headers,
    ).toMatchObject({
      'x-forwarded-for': seen,
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'www.shop.example',
    })
  })

  it('does not carry headers that Connection names, but always those that the site sets', async () => {
    const { headers } = await heardOf(plain, {
      Connection: 'close, x-mine, x-forwarded-for, x-request-id, cookie',
      'X-Mine': 'a',
      'X-Yours': 'b',
      Cookie: 'a=b',
    })
    expect([
      headers['x-mine'],
      headers['x-yours'],
      headers.cookie,
      headers['x-forwarded-for'],
    ]).toEqual([undefined, 'b', undefined, '127.0.0.1'])
  })

  it('carries cookies, language, request id and other harmless headers', async () => {
    const { headers, url } = await heardOf(
      plain,
      {
        Cookie: 'device_id=1',
        'Accept-Language': 'fr',
        'X-Request-Id': 'abcd-1234-efgh',
        Authorization: 'Bearer t',
        'User-Agent': 'me',
      },
      '/api/sys/config/x?a=b&c=http://d//e&f=%zz',
    )
    expect(headers).toMatchObject({
      cookie: 'device_id=1',
      'accept-language': 'fr',
      'x-request-id': 'abcd-1234-efgh',
      authorization: 'Bearer t',
      'user-agent': 'me',
    })
    expect(url).toBe('/base/sys/config/x?a=b&c=http://d//e&f=%zz')
  })

  it('carries its body unchanged, always with a length', async () => {
    const body = 'a=1&b=2'
    await rawRequest(
      plain.port,
      `POST /api/x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: text/x\r\nContent-Length: 7\r\n\r\n${body}`,
    )
    await rawRequest(
      plain.port,
      `POST /api/x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n3\r\na=1\r\n4\r\n&b=2\r\n0\r\n\r\n`,
    )
    await rawRequest(
      plain.port,
      'POST /api/x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
    )
    expect(
      visitorRequests().map((requests) => [
        requests.body,
        requests.headers['content-length'],
        requests.headers['transfer-encoding'],
      ]),
    ).toEqual([
      [body, '7', undefined],
      [body, '7', undefined],
      ['', '0', undefined],
    ])
  })

  it('over 64 KiB is refused, with or without a length, and the upstream never receives all of it', async () => {
    const chunk = `4000\r\n${'x'.repeat(0x4000)}\r\n`
    for (const body of [
      `Content-Length: 65537\r\n\r\n${'x'.repeat(65_537)}`,
      `Transfer-Encoding: chunked\r\n\r\n${chunk.repeat(5)}0\r\n\r\n`,
    ]) {
      const answer = await rawRequest(
        plain.port,
        `POST /api/x HTTP/1.1\r\nHost: localhost\r\n${body}`,
      )
      expect(answer.slice(0, 12)).toBe('HTTP/1.1 413')
      expect(answer.endsWith('{"code":41300,"msg":"The body is too large","data":null}')).toBe(true)
    }
    expect(visitorRequests()).toEqual([])
  })

  it('reuses connections', async () => {
    // The connections on which the site reads base info are open too.
    const before = upstream.open()
    for (let count = 0; count < 10; count += 1) await plain.get('/api/x')
    expect(upstream.open() - before).toBeLessThanOrEqual(2)
  })
})

describe('a response', () => {
  it('carries only the headers of the allowlist', async () => {
    answerHeaders = {
      Server: 'nginx/1.2',
      'X-Powered-By': 'PHP',
      Via: '1.1 up',
      'X-Backend-Server': '10.0.0.7',
      'X-Debug-Token': 'a',
      'Access-Control-Allow-Origin': '*',
      'Strict-Transport-Security': 'max-age=1',
      'X-Request-Id': 'upstream-id',
      'Content-Language': 'fr',
      ETag: '"1"',
      'Cache-Control': 'max-age=5',
      'Alt-Svc': 'h3',
      'Content-Security-Policy': 'script-src *',
    }
    const { headers, body } = await plain.get('/api/x', {
      headers: { 'x-request-id': 'abcd-1234-efgh' },
    })
    expect(
      Object.keys(headers)
        .filter((name) => !['date', 'connection', 'keep-alive', 'content-length'].includes(name))
        .sort(),
    ).toEqual(
      [
        'cache-control',
        'content-language',
        'content-security-policy',
        'content-type',
        'cross-origin-opener-policy',
        'cross-origin-resource-policy',
        'etag',
        'permissions-policy',
        'referrer-policy',
        'vary',
        'x-content-type-options',
        'x-frame-options',
        'x-request-id',
      ].filter((name) => name in headers || name !== 'vary'),
    )
    expect([headers['x-request-id'], headers['cache-control'], JSON.parse(body)]).toEqual([
      'abcd-1234-efgh',
      'max-age=5',
      { code: 0, msg: 'told', data: '/base/x' },
    ])
  })

  it.each([
    [
      'sid=1; Domain=up.internal; Path=/base/cart; HttpOnly',
      'sid=1; Path=/api/cart; HttpOnly; SameSite=Lax',
      'sid=1; Path=/api/cart; HttpOnly; Domain=shop.example; Secure; SameSite=Lax',
    ],
    [
      'a=b; domain = .up.internal ;path=/; SameSite=Strict; Secure',
      'a=b; Path=/; SameSite=Strict; Secure',
      'a=b; Path=/; SameSite=Strict; Secure; Domain=shop.example',
    ],
    [
      '__Host-a=b; Path=/; Secure',
      '__Host-a=b; Path=/; Secure; SameSite=Lax',
      '__Host-a=b; Path=/; Secure; SameSite=Lax',
    ],
  ])('Set-Cookie: %s', async (sent, http, https) => {
    answerHeaders = { 'Set-Cookie': [sent, 'second=2'], 'Cache-Control': 'public, max-age=600' }
    const [one, two] = await Promise.all([
      plain.get('/api/x'),
      trusting.get('/api/x', { host: 'www.shop.example' }),
    ])
    expect([one.headers['set-cookie']?.[0], two.headers['set-cookie']?.[0]]).toEqual([http, https])
    expect([one.headers['set-cookie']?.length, one.headers['cache-control']]).toEqual([
      2,
      'private, no-store',
    ])
  })

  it.each([
    ['/base/next?a=b', '/api/next?a=b'],
    ['UP/base/next', '/api/next'],
    ['other', '/api/sub/other'],
    ['../up', '/api/up'],
    ['?q=1', '/api/sub/x?q=1'],
    ['https://accounts.example.com/o?x=1', 'https://accounts.example.com/o?x=1'],
    ['/internal', null],
    ['UP/internal', null],
    ['../../admin', null],
    ['http://10.0.0.7/x', null],
    ['http://backend/x', null],
    ['http://backend.internal/x', null],
    ['http://[::1]/x', null],
    ['//10.0.0.7/x', null],
    ['javascript:alert(1)', null],
    ['https://user:pw@example.com/', null],
  ])('Location: %s', async (sent, seen) => {
    status = 302
    answerHeaders = { Location: sent.replace('UP', upstream.origin) }
    const answer = await plain.get('/api/sub/x')
    expect([answer.status, answer.headers.location ?? null]).toEqual(
      seen === null ? [502, null] : [302, seen],
    )
  })

  it.each([
    [400, 400],
    [401, 401],
    [404, 404],
    [429, 429],
    [500, 500],
  ])('with status %d and an error envelope is forwarded', async (told, seen) => {
    status = told
    const answer = await plain.get('/api/x', { method: 'POST' })
    expect([answer.status, JSON.parse(answer.body)]).toEqual([
      seen,
      { code: 7, msg: 'told', data: '/base/x' },
    ])
  })

  it.each([204, 304])('with status %d has neither body nor length', async (told) => {
    status = told
    const answer = await plain.get('/api/x')
    expect([answer.status, answer.body]).toEqual([told, ''])
    expect(answer.headers).not.toHaveProperty('content-length')
  })

  it('to HEAD has no body', async () => {
    const { status: head, body } = await plain.get('/api/x', { method: 'HEAD' })
    expect([head, body, visitorRequests()[0]?.method]).toEqual([200, '', 'HEAD'])
  })
})

describe('a GET request', () => {
  it.each([408, 409, 425, 429, 500, 502, 503, 504])(
    'answered with %d is repeated once',
    async (told) => {
      status = told
      await plain.get('/api/x')
      await plain.get('/api/x', { method: 'POST' })
      expect(visitorRequests().map(({ method }) => method)).toEqual(['GET', 'GET', 'POST'])
    },
  )
})

it('the time of the upstream starts when the body of the request has been read', async () => {
  const socket = connect(plain.port, '127.0.0.1')
  let text = ''
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()))
  socket.write(
    'POST /api/x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 7\r\n\r\na=1',
  )
  // Longer than an upstream may take.
  await new Promise((resolve) => setTimeout(resolve, limits.responseTimeoutMs + 100))
  socket.write('&b=2')
  await new Promise((resolve) => socket.once('close', resolve))
  expect(text).toMatch(/^HTTP\/1\.1 200 /)
})

it('the embedded application does not exist', async () => {
  for (const path of ['/app', '/app?cpl=token', '/app/login', '/app/register'])
    expect([path, (await plain.get(path)).status]).toEqual([path, 404])
})

it('pages are made for a chat, because the backend may have one', async () => {
  expect((await plain.get('/faq')).body).toContain('"chatExpected":true')
})

it('events and credentials are encrypted for UPSTREAM_PUBLIC_KEY where it is set', async () => {
  const keyOf = async (site: TestSite): Promise<unknown> =>
    (
      JSON.parse((await site.get('/api/site/visitor-settings?lang=en')).body) as {
        data: { publicKey: unknown }
      }
    ).data.publicKey
  // An empty key: it is fetched from the backend.
  expect([await keyOf(plain), await keyOf(trusting)]).toEqual(['', publicKey])
})

it('streamed responses arrive chunk by chunk', async () => {
  const times: number[] = []
  const answer = await fetch(`http://127.0.0.1:${plain.port}/api/stream`)
  for await (const chunk of answer.body ?? []) times.push(chunk.length && performance.now())
  expect(times.length).toBe(2)
  expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(400)
})
