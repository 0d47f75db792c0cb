/**
 * Abnormal requests (spec 10.1): each is answered at once, as JSON or as a page, and the process
 * continues.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { rawRequest, slowSocket } from '../../../testing/raw-request'
import { buildFolder } from '../../../testing/root'
import { eventually, startTestSite, type TestSite } from '../../../testing/site'
import { startStopwatch } from '../../../testing/stopwatch'

let site: TestSite
beforeAll(async () => {
  site = await startTestSite({ RATE_OTHER: '100000', SITE_URL_EN: 'https://localhost' })
}, 60_000)
afterAll(() => site.stop())

const host = 'Host: localhost\r\n'
const close = 'Connection: close\r\n\r\n'
const json = 'Content-Type: application/json\r\n'
const chunked = 'Transfer-Encoding: chunked\r\n\r\n'
type Seen = { status: number; form: 'json' | 'page' | 'none'; allow: string | undefined }

/**
 * The first answer, checked for what all refusals have in common: the format, `no-store`, and no
 * details of the server.
 */
function read(answer: string): Seen {
  const [head = '', body = ''] = answer.split(/\r\n\r\n([\s\S]*)/)
  const header = (name: string): string | undefined =>
    new RegExp(`^${name}: (.*)\r?$`, 'im').exec(head)?.[1]
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1] ?? 0)
  if (status >= 400) {
    expect(answer.slice(0, 2000)).not.toMatch(/node_modules|node:|HPE_|at .*\.js|llhttp|Express/)
    expect(header('Cache-Control')).toBe('no-store')
    expect(header('X-Content-Type-Options')).toBe('nosniff')
    expect(header('Content-Security-Policy')).toMatch(/^default-src 'none'; /)
    expect(header('Strict-Transport-Security')).toMatch(/^max-age=63072000/)
  }
  const json = /json/.test(header('Content-Type') ?? '')
  if (json && body)
    expect(JSON.parse(body)).toEqual({
      code: expect.any(Number),
      msg: expect.any(String),
      data: null,
    })
  return {
    status,
    form: json ? 'json' : body.startsWith('<!doctype html>') ? 'page' : 'none',
    allow: header('Allow'),
  }
}
const ask = async (text: string | Buffer): Promise<Seen> => read(await rawRequest(site.port, text))

afterEach(async () => expect((await site.get('/healthz')).status).toBe(200))

/** Paths for programs, and for people. */
const places = [
  ['/api/home/base-info', 'json'],
  ['/_image/x', 'json'],
  ['/__nuxt_island/X_0.json', 'json'],
  ['/_ops/metrics', 'json'],
  ['/pricing/_payload.json', 'json'],
  ['/pricing', 'page'],
  ['/', 'page'],
  ['/no/such/page', 'page'],
] as const

describe.each([
  ['/api/site/message', 'json', 'POST'],
  ['/api/home/base-info', 'json', 'GET, HEAD'],
  ['/api/nothing', 'json', 'GET, HEAD, POST'],
  ['/_image/x', 'json', 'GET, HEAD'],
  ['/pricing', 'page', 'GET, HEAD'],
])('%s', (path, form, allow) => {
  it.each(['TRACE', 'FROB', 'GETS', 'get', 'Post', 'X', 'x_y!', 'PLAY', 'CONNECT'])(
    'does not take %s, and says what it takes',
    async (method) => {
      expect(await ask(`${method} ${path} HTTP/1.1\r\n${host}${close}`)).toEqual({
        status: 405,
        form,
        allow,
      })
    },
  )
})

describe.each(places)('at %s', (path, form) => {
  it.each<[string, (path: string) => string, number]>([
    [
      'a target over 8 KiB',
      (to) => `GET ${to}?${'x'.repeat(8200)} HTTP/1.1\r\n${host}${close}`,
      414,
    ],
    [
      'a target of 40 KiB',
      (to) => `GET ${to}?${'x'.repeat(40_000)} HTTP/1.1\r\n${host}${close}`,
      414,
    ],
    [
      'a target of 200 KiB',
      (to) => `GET ${to}?${'x'.repeat(200_000)} HTTP/1.1\r\n${host}${close}`,
      414,
    ],
    [
      'headers over 16 KiB',
      (to) => `GET ${to} HTTP/1.1\r\n${host}X-A: ${'x'.repeat(17_000)}\r\n${close}`,
      431,
    ],
    [
      'headers over 16 KiB, in many',
      (to) => `GET ${to} HTTP/1.1\r\n${host}${'X-A: 12345678\r\n'.repeat(1200)}${close}`,
      431,
    ],
    [
      'headers of 200 KiB',
      (to) => `GET ${to} HTTP/1.1\r\n${host}X-A: ${'x'.repeat(200_000)}\r\n${close}`,
      431,
    ],
    ['no host', (to) => `GET ${to} HTTP/1.1\r\n${close}`, 400],
    ['two hosts', (to) => `GET ${to} HTTP/1.1\r\n${host}${host}${close}`, 400],
    ['an empty host', (to) => `GET ${to} HTTP/1.1\r\nHost:\r\n${close}`, 400],
    ['a host with a user', (to) => `GET ${to} HTTP/1.1\r\nHost: a@b\r\n${close}`, 400],
    ['a host with a path', (to) => `GET ${to} HTTP/1.1\r\nHost: a/b\r\n${close}`, 400],
    ['a host with a space', (to) => `GET ${to} HTTP/1.1\r\nHost: a b\r\n${close}`, 400],
    ['a host with a comma', (to) => `GET ${to} HTTP/1.1\r\nHost: a, b\r\n${close}`, 400],
    [
      'a host of 300 letters',
      (to) => `GET ${to} HTTP/1.1\r\nHost: ${'a'.repeat(300)}\r\n${close}`,
      400,
    ],
    ['TRACE', (to) => `TRACE ${to} HTTP/1.1\r\n${host}${close}`, 405],
    ['a method that there is not', (to) => `FROB ${to} HTTP/1.1\r\n${host}${close}`, 405],
    [
      'OPTIONS',
      (to) =>
        `OPTIONS ${to} HTTP/1.1\r\n${host}Origin: https://evil.example\r\nAccess-Control-Request-Method: POST\r\n${close}`,
      405,
    ],
    ['a line that is no header', (to) => `GET ${to} HTTP/1.1\r\n${host}no header\r\n${close}`, 400],
    ['a header name with a space', (to) => `GET ${to} HTTP/1.1\r\n${host}X A: b\r\n${close}`, 400],
    [
      'a length and chunks',
      (to) =>
        `GET ${to} HTTP/1.1\r\n${host}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n${close}0\r\n\r\n`,
      400,
    ],
    [
      'two lengths',
      (to) => `GET ${to} HTTP/1.1\r\n${host}Content-Length: 5\r\nContent-Length: 6\r\n${close}`,
      400,
    ],
    [
      'a negative length',
      (to) => `GET ${to} HTTP/1.1\r\n${host}Content-Length: -1\r\n${close}`,
      400,
    ],
    ['a folded header', (to) => `GET ${to} HTTP/1.1\r\n${host}X-A: b\r\n c\r\n${close}`, 400],
    ['a version that there is not', (to) => `GET ${to} HTTP/9.9\r\n${host}${close}`, 400],
  ])('%s', async (name, text, status) => {
    const result = await ask(text(path))
    // Without OPS_TOKEN nothing exists below /_ops, so every method is as unknown as the path.
    const expected = name === 'OPTIONS' && path.startsWith('/_ops') ? [404, 405] : [status]
    const forms: string[] = [form]
    // The parser refuses these, and passes only the bytes of its last read. When the system
    // delivers the request line in an earlier one, path and target are unknown: the answer is a
    // page and blames the headers.
    if (name.endsWith('of 200 KiB')) {
      expected.push(431)
      forms.push('page')
    }
    expect(expected).toContain(result.status)
    expect(forms).toContain(result.form)
    if (result.status === 405) expect(result.allow).toMatch(/^GET, HEAD/)
  })

  it.each(['%', '%zz', '%00', '%0d%0aX:y', '%ff', '%c0%af', '%7f', '%C2%80'])(
    'the encoding %s',
    async (bad) => {
      // The path of a payload must end in its name.
      const target = path.endsWith('_payload.json')
        ? `/a${bad}${path}`
        : `${path === '/' ? '' : path}/${bad}`
      expect(await ask(`GET ${target} HTTP/1.1\r\n${host}${close}`)).toEqual({
        status: 400,
        form,
        allow: undefined,
      })
    },
  )
})

describe('an absolute-form target', () => {
  const ask = (target: string, hostHeader: string, version = '1.1'): Promise<string> =>
    rawRequest(
      site.port,
      `GET ${target} HTTP/${version}\r\n${hostHeader === '' ? '' : `Host: ${hostHeader}\r\n`}${close}`,
    )
  const [script = ''] = readdirSync(join(buildFolder(), 'client', 'assets')).filter((name) =>
    name.endsWith('.js'),
  )
  const paths = [
    '/pricing',
    '/api/home/base-info?lang=en&type=home',
    `/assets/${script}`,
    '/healthz',
  ]
  beforeAll(async () => {
    // The front has the page, so it must not answer before the rule is applied.
    for (const hostName of ['localhost', 'zh.localhost'])
      await site.get('/pricing', { host: hostName })
  })

  it.each([
    ['http://localhost', 'localhost'],
    ['HTTP://LocalHost', 'localhost'],
    ['http://localhost:80', 'localhost'],
    ['http://localhost:', 'localhost'],
    ['http://localhost', 'LOCALHOST:80'],
    ['https://localhost:443', 'localhost'],
    ['https://localhost', 'localhost:443'],
    ['http://localhost:3000', 'localhost:3000'],
    ['http://[::1]:3000', '[::1]:3000'],
    ['http://zh.localhost', 'zh.localhost'],
  ])('%s counts by its path with Host: %s', async (origin, hostHeader) => {
    for (const path of paths) {
      const [absolute, plain] = await Promise.all([
        ask(origin + path, hostHeader),
        ask(path, hostHeader),
      ])
      const body = (answer: string): string => answer.slice(answer.indexOf('\r\n\r\n'))
      expect([path, absolute.slice(0, 15), body(absolute)]).toEqual([
        path,
        'HTTP/1.1 200 OK',
        body(plain),
      ])
    }
  })

  it.each([
    ['http://evil.example', 'localhost'],
    ['http://zh.localhost', 'localhost'],
    ['http://localhost', 'zh.localhost'],
    ['http://localhost', 'evil.example'],
    ['http://localhost', 'localhost:3000'],
    ['http://localhost:3000', 'localhost'],
    ['http://localhost:443', 'localhost'],
    ['https://localhost:80', 'localhost'],
    ['http://localhost.', 'localhost'],
    ['http://user@localhost', 'localhost'],
    ['http://localhost@evil.example', 'localhost'],
    ['http://localhost', '', '1.0'],
  ])('%s is refused with Host: %s', async (origin, hostHeader, version = '1.1') => {
    for (const path of paths)
      expect([path, (await ask(origin + path, hostHeader, version)).slice(0, 12)]).toEqual([
        path,
        'HTTP/1.1 400',
      ])
  })
})

describe('elsewhere', () => {
  it.each([
    '/healthz',
    '/readyz',
    '/builds/latest.json',
    '/assets/main.js',
    '/robots.txt',
    '/favicon.svg',
    '/pricing',
  ])('POST %s is not allowed', async (path) => {
    const { status, allow } = await ask(
      `POST ${path} HTTP/1.1\r\n${host}Content-Length: 0\r\n${close}`,
    )
    expect([status, allow]).toEqual([405, 'GET, HEAD'])
  })
  it('bytes that are not an HTTP request are refused', async () => {
    for (const text of [
      '\r\n\r\nhello\r\n\r\n',
      'GET\r\n\r\n',
      '\u0000\u0001\u0002',
      '\u0016\u0003\u0001\u0000\u00a5\u0001',
      'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    ])
      expect([text, (await ask(Buffer.from(text, 'latin1'))).status]).toEqual([text, 400])
  })
  it('raw bytes in a path are refused', async () => {
    for (const bad of ['\u0001', '\u00e9', '\u007f'])
      expect(
        (await ask(Buffer.from(`GET /a${bad} HTTP/1.1\r\n${host}${close}`, 'latin1'))).status,
      ).toBe(400)
  })
  it.each(['/_ops\\metrics#', '/_ops\\#'])(
    '%s is refused, because Express would read another path',
    async (target) => {
      expect((await ask(`GET ${target} HTTP/1.1\r\n${host}${close}`)).status).toBe(400)
    },
  )
  it('CONNECT is answered', async () =>
    expect(
      (await ask(`CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example\r\n\r\n`)).status,
    ).toBe(405))
  it('OPTIONS * is not allowed', async () =>
    expect((await ask(`OPTIONS * HTTP/1.1\r\n${host}${close}`)).status).toBe(405))
  it('HTTP/1.0 needs no host', async () =>
    expect((await ask('GET /pricing HTTP/1.0\r\n\r\n')).status).toBe(200))
  it('a malformed chunk is refused in the form of its path', async () => {
    const { socket, received, closed } = slowSocket(
      site.port,
      `POST /api/sys/config/event HTTP/1.1\r\n${host}Content-Type: application/x-www-form-urlencoded\r\nExpect: 100-continue\r\nTransfer-Encoding: chunked\r\n\r\n`,
    )
    const interim = 'HTTP/1.1 100 Continue\r\n\r\n'
    await eventually(() => expect(received()).toBe(interim))
    socket.write('no size\r\n')
    await closed
    expect(read(received().slice(interim.length))).toMatchObject({ status: 400, form: 'json' })
  })
  it.each<[string, string, number]>([
    ['bytes that are no request', 'no request\r\n\r\n', 400],
    [
      'bytes that are no chunk',
      `POST /api/site/message HTTP/1.1\r\n${host}${json}${chunked}x`,
      400,
    ],
    ['such bytes of a refused request', `POST /pricing HTTP/1.1\r\n${host}${chunked}x`, 405],
    ['such bytes of a page', `GET /pricing HTTP/1.1\r\n${host}${chunked}x`, 200],
    ['an unknown coding', `GET /pricing HTTP/1.1\r\n${host}Transfer-Encoding: x\r\n\r\n`, 200],
    ['an unknown expectation', `GET /pricing HTTP/1.1\r\n${host}Expect: x\r\n\r\n`, 417],
    [
      'Expect: 100-continue',
      `GET /pricing HTTP/1.1\r\n${host}Expect: 100-continue\r\n${close}`,
      200,
    ],
    ['CONNECT', `CONNECT localhost:80 HTTP/1.1\r\n${host}\r\n`, 405],
  ])('%s: the answers to earlier requests come first', async (_name, text, status) => {
    const call = `GET /api/home/base-info?lang=en&type=home HTTP/1.1\r\n${host}\r\n`
    const answer = await rawRequest(site.port, `${call}${call}${text}`)
    const statuses = Array.from(answer.matchAll(/HTTP\/1\.1 (\d+) /g), ([, found]) => Number(found))
    expect(statuses).toEqual([200, 200, status])
  })
})

describe('slow clients', () => {
  it('are disconnected: after 10 s without headers, after 30 s without a body; others are not affected', async () => {
    const head = slowSocket(site.port, `GET /pricing HTTP/1.1\r\n${host}X-A: `)
    const drip = setInterval(() => head.socket.write('x'), 500)
    const silent = slowSocket(site.port, '')
    const body = slowSocket(
      site.port,
      `POST /api/sys/config/event HTTP/1.1\r\n${host}Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 1000\r\n\r\n_t=`,
    )
    const bodyDrip = setInterval(() => body.socket.write('x'), 500)
    const answered = slowSocket(
      site.port,
      `POST /pricing HTTP/1.1\r\n${host}Content-Length: 1000\r\n\r\nx`,
    )
    const times: number[] = []
    const others = setInterval(() => {
      const elapsed = startStopwatch()
      void site
        .get('/pricing')
        .then(({ status }) => times.push(status === 200 ? elapsed() : Infinity))
    }, 500)
    const [headTime, silentTime] = await Promise.all([head.closed, silent.closed])
    clearInterval(drip)
    const [bodyTime, answeredTime] = await Promise.all([body.closed, answered.closed])
    clearInterval(bodyDrip)
    clearInterval(others)
    expect(headTime).toBeGreaterThan(9900)
    expect(headTime).toBeLessThan(13_500)
    expect(silentTime).toBeLessThan(13_500)
    expect(bodyTime).toBeGreaterThan(29_900)
    expect(bodyTime).toBeLessThan(33_500)
    expect(answeredTime).toBeLessThan(33_500)
    expect(read(head.received()).status).toBe(408)
    expect(read(body.received())).toMatchObject({ status: 408, form: 'json' })
    // A request is refused once: the timeout of its body sends nothing more.
    expect(answered.received().match(/HTTP\/1\.1 /g)).toEqual(['HTTP/1.1 '])
    expect(read(answered.received()).status).toBe(405)
    expect(times.length).toBeGreaterThan(40)
    expect(Math.max(...times)).toBeLessThan(2000)
  })
})
