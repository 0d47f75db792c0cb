/**
 * Request smuggling through API_UPSTREAM, in both directions: the upstream finds one request for
 * each request of a visitor, and each visitor gets the answer to their own request.
 */
import type { Socket } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { rawRequest, slowSocket } from '../../../testing/raw-request'
import {
  startRawUpstream,
  type RecordedRequest,
  type TestUpstream,
} from '../../../testing/upstream'
import { eventually, startTestSite, type TestSite } from '../../../testing/site'

const json = (data: unknown, more = ''): string => {
  const body = JSON.stringify({ code: 0, msg: 'ok', data })
  return `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n${more}Content-Length: ${body.length}\r\n\r\n${body}`
}
/** What an attacker wants other visitors to get. */
const planted = json('planted')
const withoutBody = (answer: string): string => answer.slice(0, answer.indexOf('\r\n\r\n') + 4)

/**
 * How an upstream may answer besides the one answer that is expected; by the path of the request.
 */
const misbehaviors: Readonly<Record<string, (socket: Socket) => void>> = {
  'two answers at once': (socket) => socket.write(json('mine') + planted),
  'bytes after an answer': (socket) => socket.write(`${json('mine')}\r\n\r\nplanted`),
  'a body that is longer than declared': (socket) => socket.write(`${json('mine')}planted`),
  'an answer after 204': (socket) => socket.write(`HTTP/1.1 204 No Content\r\n\r\n${planted}`),
  'an answer after 304': (socket) => socket.write(`HTTP/1.1 304 Not Modified\r\n\r\n${planted}`),
  'chunks after a length of 0': (socket) =>
    socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n5\r\nhello\r\n0\r\n\r\n${planted}`),
  'a length and chunks': (socket) =>
    socket.write(
      `HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${planted}`,
    ),
  'two lengths': (socket) =>
    socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 0, 4\r\n\r\n${planted}`),
  'chunks that are not the last coding': (socket) =>
    socket.write(
      `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${planted}`,
    ),
  'an answer within trailers': (socket) =>
    socket.write(
      `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nContent-Length: 5\r\nSet-Cookie: planted=1\r\n\r\n${planted}`,
    ),
}
const informational = [100, 102, 103, 110, 199]
const pathOf = (name: string): string => `/${name.replaceAll(' ', '-')}`

let upstream: TestUpstream
let site: TestSite
/** The connection on which the upstream answered HEAD. */
let headSocket: Socket | null = null
/** The connection of the latest answer. */
let answeredSocket: Socket | null = null
beforeAll(async () => {
  upstream = await startRawUpstream((socket, head) => {
    const [method = '', url = ''] = head.split(' ')
    const status = /^\/api\/status\/(\d+)$/.exec(url)?.[1]
    answeredSocket = socket
    const misbehavior = Object.keys(misbehaviors).find((name) => url === `/api${pathOf(name)}`)
    if (method === 'HEAD') {
      headSocket = socket
      socket.write(withoutBody(json(url)))
    } else if (headSocket === socket) {
      // The body that HEAD must not have comes late, when the connection has its next request.
      socket.write(planted + json(url))
    } else if (status)
      socket.write(`HTTP/1.1 ${status} Soon\r\nSet-Cookie: planted=1\r\n\r\n`.repeat(3) + json(url))
    else if (misbehavior) misbehaviors[misbehavior]?.(socket)
    else socket.write(json(url))
  })
  site = await startTestSite({ API_UPSTREAM: `${upstream.origin}/api`, RATE_OTHER: '100000' })
}, 60_000)
afterAll(async () => {
  await site.stop()
  await upstream.stop()
})
beforeEach(() => {
  headSocket = null
  upstream.requests.length = 0
})

/** Requests of visitors. The site's own reads of base info carry no address. */
const visitorRequests = (): RecordedRequest[] =>
  upstream.requests.filter(({ url }) => !url.startsWith('/api/home/base-info'))
/** A request as the upstream found it, with every header that says where it ends. */
const framing = ({ method, url, rawHeaders, body }: RecordedRequest): string[] => [
  `${method} ${url}`,
  ...rawHeaders.flatMap((name, index) =>
    index % 2 === 0 && /content-length|transfer|trailer|expect|^te$/i.test(name)
      ? [`${name.toLowerCase()}: ${rawHeaders[index + 1]}`]
      : [],
  ),
  body,
]

const smuggled =
  'GET /admin HTTP/1.1\r\nHost: internal\r\nX-Forwarded-For: 6.6.6.6\r\nX-Padding: x\r\n\r\n'
const chunk = (text: string, extension = ''): string =>
  `${text.length.toString(16)}${extension}\r\n${text}\r\n`
const chunked = 'Transfer-Encoding: chunked\r\n'
const length = `Content-Length: ${smuggled.length}\r\n`
const end = '0\r\n\r\n'

type Framing = readonly [name: string, headersAndBody: string, outcome: 'forwarded' | 'refused']
const framings: readonly Framing[] = [
  ['a length', `${length}\r\n${smuggled}`, 'forwarded'],
  ['one chunk', `${chunked}\r\n${chunk(smuggled)}${end}`, 'forwarded'],
  [
    'many chunks with extensions',
    `${chunked}\r\n${[...smuggled].map((letter) => chunk(letter, ';a="b"')).join('')}${end}`,
    'forwarded',
  ],
  ['no chunk', `${chunked}\r\n${end}`, 'forwarded'],
  ['a length of 0', 'Content-Length: 0\r\n\r\n', 'forwarded'],
  ['a length and chunks', `${length}${chunked}\r\n${chunk(smuggled)}${end}`, 'refused'],
  [
    'chunks and a length of 0',
    `${chunked}Content-Length: 0\r\n\r\n${chunk(smuggled)}${end}`,
    'refused',
  ],
  ['two equal lengths', `${length}${length}\r\n${smuggled}`, 'refused'],
  ['a list of lengths', `Content-Length: 0, ${smuggled.length}\r\n\r\n${smuggled}`, 'refused'],
  ['a length with a sign', `Content-Length: +${smuggled.length}\r\n\r\n${smuggled}`, 'refused'],
  ['a length with a space before the colon', `Content-Length : 0\r\n\r\n${smuggled}`, 'refused'],
  [
    'a coding with a space before the colon',
    `Transfer-Encoding : chunked\r\n\r\n${end}`,
    'refused',
  ],
  ['a coding on a folded line', `Transfer-Encoding:\r\n chunked\r\n\r\n${end}`, 'refused'],
  ['an unknown coding', `Transfer-Encoding: xchunked\r\n\r\n${chunk(smuggled)}${end}`, 'refused'],
  [
    'chunks that are not the last coding',
    `Transfer-Encoding: chunked, identity\r\n\r\n${end}`,
    'refused',
  ],
  ['chunks twice', `${chunked}${chunked}\r\n${chunk(smuggled)}${end}`, 'refused'],
  ['a chunk that is shorter than its data', `${chunked}\r\n1\r\n${smuggled}\r\n${end}`, 'refused'],
  ['a chunk size that overflows', `${chunked}\r\n10000000000000001\r\nx\r\n${end}`, 'refused'],
  ['a chunk size with a prefix', `${chunked}\r\n0x5\r\nhello\r\n${end}`, 'refused'],
  ['chunks that end in line feeds', `${chunked}\r\n5\nhello\n0\n\n`, 'refused'],
  ['Expect and a length', `Expect: 100-continue\r\n${length}\r\n${smuggled}`, 'forwarded'],
  [
    'Expect and chunks',
    `Expect: 100-continue\r\n${chunked}\r\n${chunk(smuggled)}${end}`,
    'forwarded',
  ],
  [
    'trailers',
    `${chunked}Trailer: X-Forwarded-For\r\nTE: trailers\r\n\r\n${chunk(smuggled)}0\r\nX-Forwarded-For: 6.6.6.6\r\nHost: internal\r\n\r\n`,
    'forwarded',
  ],
  [
    'a length among the trailers',
    `${chunked}\r\n${chunk(smuggled)}0\r\nContent-Length: 3\r\n\r\n`,
    'refused',
  ],
  [
    'Connection: content-length',
    `Connection: content-length\r\n${length}\r\n${smuggled}`,
    'forwarded',
  ],
  [
    'Connection: transfer-encoding',
    `Connection: transfer-encoding, host\r\n${chunked}\r\n${chunk(smuggled)}${end}`,
    'forwarded',
  ],
  [
    'a coding with an underscore',
    `Transfer_Encoding: chunked\r\n${length}\r\n${smuggled}`,
    'forwarded',
  ],
]
const isEmpty = (name: string): boolean => name === 'no chunk' || name === 'a length of 0'

describe.each(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'FROB'])(
  '%s to the upstream',
  (method) => {
    it.each(framings)('with %s is one request or none', async (name, rest, outcome) => {
      const isKnown = method !== 'OPTIONS' && method !== 'FROB'
      const isForwarded = outcome === 'forwarded' && isKnown
      const answer = await rawRequest(
        site.port,
        `${method} /api/mine HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${rest}`,
      )
      // The connections to the upstream are kept alive: what was left on one comes before this.
      const next = await site.get('/api/next')
      const body = isEmpty(name) ? '' : smuggled
      const hasLength = body !== '' || !['GET', 'HEAD'].includes(method)
      expect({
        // Either mistake of a request may be found first.
        status: answer
          .replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, '')
          .slice(9, 12)
          .replace(isKnown ? '' : /400|405/, ''),
        found: visitorRequests().map(framing),
        next: JSON.parse(next.body) as unknown,
      }).toEqual({
        status: isForwarded ? '200' : isKnown ? '400' : '',
        found: [
          ...(isForwarded
            ? [
                [
                  `${method} /api/mine`,
                  ...(hasLength ? [`content-length: ${body.length}`] : []),
                  body,
                ],
              ]
            : []),
          ['GET /api/next', ''],
        ],
        next: { code: 0, msg: 'ok', data: '/api/next' },
      })
    })
  },
)

it.each(['POST', 'DELETE', 'GET'])(
  'a %s whose body is incomplete reaches the upstream at no time',
  async (method) => {
    const start = `${method} /api/mine HTTP/1.1\r\nHost: localhost\r\n`
    const partial = [
      `${start}Content-Length: 1000\r\n\r\n${smuggled}`,
      `${start}${chunked}\r\n${chunk(smuggled)}`,
      `${start}${chunked}\r\n1000\r\n${smuggled}`,
      `${start}Expect: 100-continue\r\nContent-Length: 1000\r\n\r\n`,
    ].map((text) => slowSocket(site.port, text))
    // Others get their own answers while these bodies are on their way, and after they broke off.
    const check = async (path: string): Promise<void> => {
      const answers = await Promise.all([1, 2, 3].map((number) => site.get(path + number)))
      expect(answers.map(({ body }) => (JSON.parse(body) as { data: unknown }).data)).toEqual(
        [1, 2, 3].map((number) => path + number),
      )
    }
    await check('/api/meanwhile')
    for (const { socket } of partial) socket.destroy()
    await Promise.all(partial.map(({ closed }) => closed))
    await check('/api/after')
    expect(
      visitorRequests()
        .map(({ url }) => url)
        .sort(),
    ).toEqual(
      ['after', 'meanwhile'].flatMap((word) => [1, 2, 3].map((number) => `/api/${word}${number}`)),
    )
  },
)

it('Expect: 100-continue is answered before the body comes', async () => {
  const { socket, received, closed } = slowSocket(
    site.port,
    `POST /api/mine HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nExpect: 100-continue\r\n${length}\r\n`,
  )
  await eventually(() => expect(received()).toBe('HTTP/1.1 100 Continue\r\n\r\n'))
  expect(visitorRequests()).toEqual([])
  socket.write(smuggled)
  await closed
  expect(received()).toContain('{"code":0,"msg":"ok","data":"/api/mine"}')
  expect(visitorRequests().map(({ body }) => body)).toEqual([smuggled])
})

it('pipelined requests with bodies are answered in order', async () => {
  const request = (path: string, more: string): string =>
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\n${more}`
  const answer = await rawRequest(
    site.port,
    request('/api/one', `${chunked}\r\n${chunk(smuggled)}${end}`) +
      request('/api/two', `${length}\r\n${smuggled}`) +
      request('/api/three', 'Connection: close\r\nContent-Length: 0\r\n\r\n'),
  )
  expect(Array.from(answer.matchAll(/"data":"([^"]*)"/g), ([, path]) => path)).toEqual([
    '/api/one',
    '/api/two',
    '/api/three',
  ])
  expect(visitorRequests().map(({ url, body }) => [url, body])).toEqual([
    ['/api/one', smuggled],
    ['/api/two', smuggled],
    ['/api/three', ''],
  ])
})

it.each<[name: string, path: string, header: string, status: number]>([
  ['a line feed in a header', '/api/mine', 'X-A: b\nX-Injected: 1', 400],
  ['a carriage return in a header', '/api/mine', 'X-A: b\rX-Injected: 1', 400],
  ['a NUL in a header', '/api/mine', 'X-A: b\u0000X-Injected: 1', 400],
  ['a line feed in a cookie', '/api/mine', 'Cookie: a=b\nX-Injected: 1', 400],
  ['a folded header', '/api/mine', 'X-A: b\r\n X-Injected: 1', 400],
  ['an encoded line break in the path', '/api/mi%0d%0aX-Injected:1', 'X-A: b', 400],
  ['an encoded line break in the query', '/api/mine?a=%0d%0aX-Injected:1', 'X-A: b', 200],
  // U+010A is a line feed when its upper byte is lost.
  ['U+010A in the path', '/api/mine%C4%8AX-Injected:1', 'X-A: b', 200],
  ['U+010A in the query', '/api/mine?\u00c4\u008aX-Injected:1', 'X-A: b', 400],
  ['U+010A in a header', '/api/mine', 'X-A: b\u00c4\u008aX-Injected: 1', 200],
  ['U+010A in the id of the request', '/api/mine', 'X-Request-Id: b\u00c4\u008aX-Injected: 1', 200],
  ['a line break in X-Forwarded-Host', '/api/mine', 'X-Forwarded-Host: a\nX-Injected: 1', 400],
])('%s adds no header to the request', async (_name, path, header, status) => {
  const answer = await rawRequest(
    site.port,
    Buffer.from(
      `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${header}\r\n\r\n`,
      'latin1',
    ),
  )
  expect(answer.slice(9, 12)).toBe(String(status))
  expect(visitorRequests().map(({ headers }) => headers['x-injected'])).toEqual(
    status === 200 ? [undefined] : [],
  )
})

describe('an upstream that sends', () => {
  it.each(Object.keys(misbehaviors))('%s affects no later request', async (name) => {
    for (const count of [1, 2, 3]) {
      const own = await site.get(`/api${pathOf(name)}`)
      expect(`${own.status} ${JSON.stringify(own.headers)}${own.body}`).not.toContain('planted')
      const path = `/api/next${count}`
      expect(JSON.parse((await site.get(path)).body)).toEqual({ code: 0, msg: 'ok', data: path })
    }
  })

  it('a second answer on an idle connection loses the connection', async () => {
    await site.get('/api/mine')
    const open = upstream.open()
    answeredSocket?.write(planted)
    await eventually(() => expect(upstream.open()).toBe(open - 1))
    expect(JSON.parse((await site.get('/api/next')).body)).toMatchObject({ data: '/api/next' })
  })

  it.each(informational)('status %d before its answer does not replace it', async (status) => {
    const { body, headers } = await site.get(`/api/status/${status}`)
    expect([JSON.parse(body), headers['set-cookie']]).toEqual([
      { code: 0, msg: 'ok', data: `/api/status/${status}` },
      undefined,
    ])
  })

  it('a late body after HEAD does not answer the next request', async () => {
    expect((await site.get('/api/mine', { method: 'HEAD' })).status).toBe(200)
    expect(JSON.parse((await site.get('/api/next')).body)).toMatchObject({ data: '/api/next' })
  })
})
