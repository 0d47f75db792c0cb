import { createServer, type Server, type ServerResponse } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { sendHead, type PreparedHead } from '../../../server/cache/send-head'

const body = Buffer.from('<!doctype html>')
const prepared = (): PreparedHead => ({
  headers: [
    'Content-Type',
    'text/html',
    'Link',
    '</a>; rel=preload',
    'Link',
    '</b>; rel=preload',
    'Content-Length',
    String(body.length),
    'Cache-Status',
    '',
    'X-Request-Id',
    '',
  ],
  written: undefined,
})

let server: Server
let head: PreparedHead
let before: (response: ServerResponse) => void
let status: number
let count: number
beforeAll(
  () =>
    new Promise<void>((ready) => {
      server = createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
        count += 1
        before(response)
        sendHead(response, status, head, `site; hit; ttl=${count}`, `request-${count}`)
        response.end(request.method === 'HEAD' || status === 304 ? undefined : body)
      }).listen(0, '127.0.0.1', ready)
    }),
)
afterAll(() => void server.close())
beforeEach(() => {
  head = prepared()
  before = () => undefined
  status = 200
  count = 0
})

/** Everything that the server sends for some requests until it closes the connection. */
const answersTo = (...requests: string[]): Promise<string> =>
  new Promise((done, fail) => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1', () =>
      socket.write(requests.join('')),
    )
    let text = ''
    socket
      .on('data', (chunk) => (text += chunk.toString()))
      .on('end', () => done(text))
      .on('error', fail)
  })
const get = (more = '', { method = 'GET', version = '1.1' } = {}): string =>
  `${method} / HTTP/${version}\r\nHost: a\r\n${more}\r\n`
const close = 'Connection: close\r\n'
const withoutDate = (text: string): string =>
  text.replaceAll(/Date: \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT/g, 'Date: D')

describe('the head of a finished answer', () => {
  it.each([
    ['GET', 200],
    ['HEAD', 200],
    ['GET', 304],
  ] as const)(
    'to %s with %i equals, byte for byte, the head that Node wrote for the first request',
    async (method, answered) => {
      status = answered
      const text = withoutDate(
        await answersTo(
          get('', { method }),
          get('', { method }),
          get('', { method }),
          get(close, { method }),
        ),
      )
      expect(head.written).toEqual(expect.objectContaining({ first: expect.any(String) }))
      const [first = '', second, third, last, ...more] = text.split(/(?=HTTP\/1\.1)/)
      const numbered = (from: string, number: number): string =>
        from.replace('ttl=1', `ttl=${number}`).replace('request-1', `request-${number}`)
      expect(first).toMatch(
        /^HTTP\/1\.1 \d{3} [A-Z][\s\S]*\r\nLink: <\/a>; rel=preload\r\nLink: <\/b>; rel=preload\r\n[\s\S]*\r\nCache-Status: site; hit; ttl=1\r\nX-Request-Id: request-1\r\nDate: D\r\nConnection: keep-alive\r\nKeep-Alive: timeout=65\r\n\r\n/,
      )
      expect([second, third, more]).toEqual([numbered(first, 2), numbered(first, 3), []])
      expect(last).toBe(
        numbered(first, 4).replace(
          'Connection: keep-alive\r\nKeep-Alive: timeout=65',
          'Connection: close',
        ),
      )
      expect(text.split('<!doctype html>').length - 1).toBe(
        method === 'GET' && answered === 200 ? 4 : 0,
      )
    },
  )

  it('has the current date', async () => {
    const dates = [...(await answersTo(get(), get(), get(close))).matchAll(/Date: ([^\r]+)/g)].map(
      ([, date = '']) => Date.now() - Date.parse(date),
    )
    expect(dates).toHaveLength(3)
    for (const age of dates) expect(Math.abs(age)).toBeLessThan(60_000)
  })

  it('is written by Node when the connection closes after it: HTTP/1.0, and during a shutdown', async () => {
    await answersTo(get(), get(close))
    expect(await answersTo(get('', { version: '1.0' }))).toMatch(/\r\nConnection: close\r\n/)
    before = (response) => (response.shouldKeepAlive = false)
    expect(await answersTo(get())).toMatch(/\r\nConnection: close\r\n/)
  })

  it('keeps headers that were set before', async () => {
    await answersTo(get(), get(close))
    before = (response) => response.setHeader('X-Before', 'set')
    expect((await answersTo(get(), get(close))).split('\r\nX-Before: set\r\n')).toHaveLength(3)
  })

  it('is not reused when the block looks different', async () => {
    head.headers.splice(2, 0, 'X-Last', 'a')
    before = (response) => (response.sendDate = false)
    const text = await answersTo(get(), get(), get(close))
    expect([head.written, text.split('HTTP/1.1 200 OK').length]).toEqual([null, 4])
  })
})
