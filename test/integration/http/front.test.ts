import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { createFront } from '../../../server/http/front'
import { createLogger } from '../../../server/telemetry/logger'
import type { RunningSite } from '../../../server/start-site'
import type { AddressCounter } from '../../../server/url/count-addresses'
import { temporaryFolder } from '../../../testing/release-with-tests'
import { eventually, fetchFrom } from '../../../testing/site'
import { startSiteInProcess } from '../../../testing/site-in-process'

/**
 * The site without the front, and the front alone over the same cache: requests that it passes on
 * are answered with 599.
 */
let running: RunningSite
let front: Server
const frontPort = (): number => (front.address() as AddressInfo).port
const lines: string[] = []
const counted: Array<readonly [target: string | undefined, status: number]> = []

const addressCounter: AddressCounter = {
  count: ({ url }, status) => void counted.push([url, status]),
  stop: () => Promise.resolve(),
}

beforeAll(async () => {
  running = await startSiteInProcess(
    {
      DATA_DIR: temporaryFolder('front'),
      ZH_HOSTS: 'cn.example',
      SITE_URL_EN: 'http://www.example',
      SITE_URL_ZH: 'http://zh.example',
      SITE_URL_RU: 'https://ru.example',
    },
    { log: createLogger('info', { write: (line) => void lines.push(line) }), front: false },
  )
  front = createServer(
    { maxHeaderSize: 32 * 1024, keepAliveTimeout: 65_000 },
    createFront({ ...running.site, addressCounter }, (_request, response) => {
      response.statusCode = 599
      response.end()
    }),
  ).listen(0, '127.0.0.1')
  // Like the site's server: Node would drop headers above a thousand, the site limits their bytes.
  front.maxHeadersCount = 0
  for (const [host, path] of [
    ['www.example', '/'],
    ['www.example', '/pricing'],
    ['www.example', '/blog'],
    ['www.example', '/blog?page=2'],
    ['www.example', '/es'],
    ['www.example', '/nothing-here'],
    ['www.example', '/Pricing'],
    ['www.example', '/use-cases'],
    ['zh.example', '/pricing'],
    ['zh.example', '/es/pricing'],
    ['ru.example', '/pricing'],
  ] as const) {
    await fetchFrom(running.port, path, { headers: { host } })
  }
  await eventually(() => {
    const waiting = running.site.cache
      .list()
      .filter(
        ({ entry }) => entry.prepared.answer.status === 200 && !entry.prepared.answer.encoded.br,
      )
    expect(waiting.map(({ key }) => key)).toEqual([])
  })
}, 60_000)
afterAll(async () => {
  front.close()
  front.closeAllConnections()
  await running.stop()
})

/** Sends bytes, reads one answer by its length, and closes the connection. */
function exchange(
  port: number,
  text: string,
): Promise<{ status: number; headers: Record<string, string>; body: string; size: number }> {
  return new Promise((resolve, reject) => {
    let bytes = Buffer.alloc(0)
    const socket = connect(port, '127.0.0.1', () => socket.write(text, 'latin1'))
    const finish = (): void => {
      const end = bytes.indexOf('\r\n\r\n')
      const [first = '', ...rest] = bytes.subarray(0, end).toString('latin1').split('\r\n')
      resolve({
        status: Number(first.split(' ')[1]),
        headers: Object.fromEntries(
          rest.map((line) => [
            line.slice(0, line.indexOf(':')).toLowerCase(),
            line.slice(line.indexOf(':') + 2),
          ]),
        ),
        body: bytes.subarray(end + 4).toString('base64'),
        size: bytes.length,
      })
      socket.destroy()
    }
    let quiet: NodeJS.Timeout | undefined
    socket.on('data', (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk])
      clearTimeout(quiet)
      quiet = setTimeout(finish, 40)
    })
    socket.setTimeout(5000, () =>
      socket.destroy(new Error(`no answer to ${JSON.stringify(text.slice(0, 80))}`)),
    )
    socket.on('error', reject)
    socket.on('close', () => {
      clearTimeout(quiet)
      finish()
    })
  })
}

/** What may differ: the age of the entry, the time, and an id that the request does not have. */
const comparable = ({
  status,
  headers: { date: _date, 'cache-status': cacheStatus, 'x-request-id': id, ...headers },
  body,
}: Awaited<ReturnType<typeof exchange>>) => ({
  status,
  headers: Object.fromEntries(Object.entries(headers).sort(([a], [b]) => (a < b ? -1 : 1))),
  body,
  id: id === 'given-id-1234' ? id : typeof id,
  cache: cacheStatus?.replace(/ttl=\d+/, 'ttl=N'),
})

type Case = readonly [
  target: string,
  headers: string,
  by: 'front' | 'pipeline',
  more?: { method?: string; version?: string; host?: string },
]
const long = 'x'.repeat(9000)
const cases: readonly Case[] = [
  // Targets.
  ['/pricing', '', 'front'],
  ['/pricing?utm_source=x', '', 'front'],
  ['/pricing?', '', 'front'],
  ['/pricing?page=2', '', 'pipeline'],
  ['/pricing?page=1', '', 'pipeline'],
  ['/pricing?a=%20', '', 'pipeline'],
  ['/pricing#x', '', 'pipeline'],
  ['/pricing?a#b', '', 'pipeline'],
  ['/blog', '', 'front'],
  ['/blog?page=2', '', 'front'],
  ['/blog?page=1', '', 'pipeline'],
  ['/blog?page=02', '', 'pipeline'],
  ['/blog?page=2&page=3', '', 'pipeline'],
  ['/blog?x=1', '', 'pipeline'],
  ['/blog?%70age=2', '', 'pipeline'],
  ['/blog?page', '', 'pipeline'],
  ['/es', '', 'front'],
  ['/es?a=1', '', 'pipeline'],
  ['/es/?a=1', '', 'front'],
  ['/es/?', '', 'pipeline'],
  ['/es/', '', 'pipeline'],
  ['/es//?a=1', '', 'pipeline'],
  ['//pricing', '', 'pipeline'],
  ['/pricing/', '', 'pipeline'],
  ['/\\pricing', '', 'pipeline'],
  ['/%70ricing', '', 'pipeline'],
  ['/pricing.html', '', 'pipeline'],
  ['/a/../pricing', '', 'pipeline'],
  ['/pricing%2F', '', 'pipeline'],
  ['/%', '', 'pipeline'],
  ['/a%00', '', 'pipeline'],
  ['http://evil.example/pricing', '', 'pipeline'],
  ['http://www.example/pricing?x=1', '', 'pipeline'],
  ['http://www.example/pricing', '', 'pipeline'],
  ['http://zh.example/pricing', '', 'pipeline'],
  ['http://www.example/Pricing', '', 'pipeline'],
  [`/pricing?${long}`, '', 'pipeline'],
  ['*', '', 'pipeline', { method: 'OPTIONS' }],
  // 404s and redirects, which have their own store.
  ['/nothing-here', '', 'front'],
  ['/nothing-here?x=1', '', 'front'],
  ['/nothing-else', '', 'pipeline'],
  ['/Pricing', '', 'front'],
  ['/Pricing?a=1', '', 'pipeline'],
  ['/use-cases', '', 'front'],
  ['/use-cases', '', 'front', { method: 'HEAD' }],
  ['/es/pricing', '', 'front', { host: 'zh.example' }],
  // Hosts.
  ['/pricing', '', 'front', { host: 'WWW.Example' }],
  ['/pricing', '', 'front', { host: 'www.example:8080' }],
  ['/pricing', '', 'front', { host: 'www.example.' }],
  ['/pricing', '', 'front', { host: 'zh.example' }],
  ['/pricing', '', 'front', { host: 'cn.example' }],
  ['/pricing', '', 'front', { host: 'ru.example:443' }],
  ['/pricing', '', 'front', { host: '127.0.0.1' }],
  ['/pricing', '', 'front', { host: '[::1]:80' }],
  ['/pricing', '', 'front', { host: 'unknown.example' }],
  ['/pricing', '', 'pipeline', { host: '' }],
  ['/pricing', '', 'pipeline', { host: 'a@www.example' }],
  ['/pricing', '', 'pipeline', { host: 'www.example/x' }],
  ['/pricing', 'Host: www.example\r\n', 'pipeline'],
  ['/pricing', 'hOsT: zh.example\r\n', 'pipeline'],
  ['/pricing', 'X-Forwarded-Host: zh.example\r\nForwarded: host=zh.example\r\n', 'front'],
  // Methods and versions.
  ['/pricing', '', 'front', { method: 'HEAD' }],
  ['/pricing', 'Content-Length: 0\r\n', 'pipeline', { method: 'POST' }],
  ['/pricing', '', 'pipeline', { method: 'OPTIONS' }],
  ['/pricing', '', 'pipeline', { method: 'TRACE' }],
  ['/pricing', 'X-HTTP-Method-Override: POST\r\n', 'front'],
  ['/pricing', '', 'front', { version: '1.0' }],
  ['/pricing', 'Connection: keep-alive\r\n', 'front', { version: '1.0' }],
  ['/pricing', 'Connection: close\r\n', 'front'],
  ['/pricing', 'Content-Length: 5\r\n\r\nhello', 'front'],
  // Encodings.
  ...[
    'br',
    'gzip',
    'gzip, deflate, br',
    'br;q=0',
    'br;q=0, gzip',
    'identity;q=0',
    '*',
    '*;q=0',
    'identity',
    'zstd',
    'br;q=0.1, gzip;q=0.9',
    'BR',
    '',
    ';;,=',
    'x'.repeat(300),
  ].map((value): Case => ['/pricing', `Accept-Encoding: ${value}\r\n`, 'front']),
  ['/pricing', 'Accept-Encoding: gzip\r\nAccept-Encoding: br\r\n', 'front'],
  ['/nothing-here', 'Accept-Encoding: br\r\n', 'front'],
  ['/Pricing', 'Accept-Encoding: br, gzip\r\n', 'front'],
  // Conditions; ETAG is replaced by the ETag of the page.
  ...[
    'ETAG',
    'W/ETAG',
    '"other"',
    '"a", ETAG , "b"',
    '*',
    '',
    'nonsense',
    '"',
    'BROTLI',
    '"x", W/BROTLI',
  ].map((value): Case => ['/pricing', `If-None-Match: ${value}\r\n`, 'front']),
  ['/pricing', 'If-None-Match: ETAG\r\nAccept-Encoding: br\r\n', 'front'],
  ['/pricing', 'If-None-Match: ETAG\r\n', 'front', { method: 'HEAD' }],
  ['/pricing', 'If-Modified-Since: Sat, 01 Jan 2050 00:00:00 GMT\r\n', 'front'],
  ['/pricing', 'If-Match: "other"\r\n', 'front'],
  ['/nothing-here', 'If-None-Match: *\r\n', 'front'],
  ['/Pricing', 'If-None-Match: *\r\n', 'front'],
  ['/pricing', 'Range: bytes=0-10\r\n', 'front'],
  ['/pricing', 'Range: bytes=999999-\r\n', 'front'],
  ['/pricing', 'Cache-Control: no-cache\r\nPragma: no-cache\r\n', 'front'],
  // Visitors.
  ['/pricing', 'Cookie: i18n_redirected=th\r\nAccept-Language: th\r\n', 'front'],
  ['/', '', 'front'],
  ['/', 'Accept-Language: th\r\n', 'pipeline'],
  ['/', 'Cookie: i18n_redirected=th\r\n', 'pipeline'],
  ['/', 'Accept-Language: en\r\n', 'pipeline'],
  ['/', 'Accept-Language: th\r\nSec-Fetch-Site: same-origin\r\n', 'front'],
  ['/', 'Accept-Language: th\r\nSec-Fetch-Site: same-site\r\n', 'front'],
  ['/', 'Accept-Language: th\r\nSec-Fetch-Site: cross-site\r\n', 'pipeline'],
  ['/', 'Accept-Language: th\r\nReferer: http://www.example/pricing\r\n', 'front'],
  ['/', 'Accept-Language: th\r\nReferer: http://www.example.evil/\r\n', 'pipeline'],
  ['/', 'Accept-Language: th\r\nReferer: https://ru.example/\r\n', 'front'],
  ['/', 'Accept-Language: th\r\n', 'pipeline', { method: 'HEAD' }],
  ['/?a=1', '', 'front'],
  ['/?a=1', 'Accept-Language: th\r\n', 'pipeline'],
  // Ids and long headers.
  ['/pricing', 'X-Request-Id: given-id-1234\r\n', 'front'],
  ['/pricing', 'X-Request-Id: a"b\r\n', 'front'],
  ['/pricing', `X-Long: ${'y'.repeat(16_000)}\r\n`, 'front'],
  ['/pricing', `X-Long: ${'y'.repeat(17_000)}\r\n`, 'pipeline'],
  ['/pricing', `${'A: b\r\n'.repeat(1500)}`, 'front'],
]

describe('the front', () => {
  it.each(cases)(
    '%s %s: %s',
    async (target, headers, by, { method = 'GET', version = '1.1', host = 'www.example' } = {}) => {
      const { etag } = (
        await fetchFrom(running.port, '/pricing', { headers: { host: 'www.example' } })
      ).headers
      const { etag: brotli } = (
        await fetchFrom(running.port, '/pricing', {
          headers: { host: 'www.example', 'accept-encoding': 'br' },
        })
      ).headers
      const [head = '', body = ''] = headers.split('\r\n\r\n')
      const filled = (body === '' ? head : `${head}\r\n`)
        .replace('ETAG', String(etag))
        .replace('BROTLI', String(brotli))
      const text = `${method} ${target} HTTP/${version}\r\nHost: ${host}\r\n${filled}\r\n${body}`
      const fast = await exchange(frontPort(), text)
      if (by === 'pipeline') return expect(fast.status).toBe(599)
      const slow = comparable(await exchange(running.port, text))
      // A redirect from the pipeline has no `Cache-Status`.
      expect({ ...comparable(fast), ...(slow.cache ? {} : { cache: undefined }) }).toEqual(slow)
      expect(fast.headers['cache-status']).toMatch(/^site; hit; ttl=\d+$/)
    },
  )

  it('answers several requests on one connection, in their order', async () => {
    const one = 'GET /pricing HTTP/1.1\r\nHost: www.example\r\nAccept-Encoding: br\r\n\r\n'
    const two = 'GET /nothing-here HTTP/1.1\r\nHost: www.example\r\n\r\n'
    const { body } = await exchange(frontPort(), one + two + one)
    const text = Buffer.from(body, 'base64').toString('latin1')
    expect(Array.from(text.matchAll(/HTTP\/1\.1 (\d+)/g), ([, status]) => status)).toEqual([
      '404',
      '200',
    ])
  })

  it('writes the same log line as the pipeline, except for times and ids', async () => {
    lines.length = 0
    const request =
      'GET /pricing?token=secret HTTP/1.1\r\nHost: www.example\r\nX-Request-Id: given-id-1234\r\nConnection: close\r\n\r\n'
    await exchange(frontPort(), request)
    await exchange(running.port, request)
    await eventually(() => expect(lines.length).toBe(2))
    const [fast, slow] = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
    const same = ({
      time: _time,
      duration: _duration,
      bytes: _bytes,
      ...rest
    }: Record<string, unknown> = {}) => rest
    expect(Object.keys(fast ?? {})).toEqual(Object.keys(slow ?? {}))
    expect(same(fast)).toEqual(same(slow))
    expect(Math.abs(Number(fast?.['bytes']) - Number(slow?.['bytes']))).toBeLessThan(40)
    expect(JSON.stringify(fast)).not.toContain('secret')
  })

  it.each<readonly [target: string, method: string, headers: string, status: number]>([
    ['/pricing', 'GET', '', 200],
    ['/pricing', 'HEAD', '', 200],
    ['/pricing', 'GET', 'If-None-Match: *\r\n', 304],
    ['/nothing-here', 'GET', '', 404],
    ['/Pricing', 'GET', '', 301],
  ])('logs what it sent, and counts all but pages: %s %s %s', async (...question) => {
    const [target, method, headers, status] = question
    lines.length = 0
    counted.length = 0
    const began = performance.now()
    const sent = await exchange(
      frontPort(),
      `${method} ${target} HTTP/1.1\r\nHost: www.example\r\n${headers}\r\n`,
    )
    await eventually(() => expect(lines).toHaveLength(1))
    const { bytes, duration, ...line } = JSON.parse(lines[0] ?? '{}') as Record<string, unknown>
    expect(line).toMatchObject({ method, status, cache: 'hit', path: target })
    // The log estimates the size of the head.
    expect({ sent: sent.size, isClose: Math.abs(sent.size - Number(bytes)) < 60 }).toEqual({
      sent: sent.size,
      isClose: true,
    })
    expect(Number(duration)).toBeLessThanOrEqual(Math.ceil(performance.now() - began))
    expect(counted).toEqual(status === 200 || status === 304 ? [] : [[target, status]])
  })

  it('writes valid JSON for every request target', async () => {
    lines.length = 0
    const target = '/no"thing\\u0022'
    for (const port of [running.port, frontPort()])
      await exchange(port, `GET ${target} HTTP/1.1\r\nHost: www.example\r\n\r\n`)
    await eventually(() => expect(lines.length).toBeGreaterThan(0))
    for (const line of lines) expect(JSON.parse(line)).toMatchObject({ msg: 'request' })
  })
})
