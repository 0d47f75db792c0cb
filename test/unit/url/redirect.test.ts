import { createServer, request, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import {
  forwardLocation,
  redirect,
  redirectResponse,
  redirectToPath,
  toClientRedirect,
} from '../../../server/url/redirect'

const origins = {
  en: 'https://www.example.com',
  zh: 'https://cn.example.com',
  ru: 'https://ru.example.com',
} as const

let server: Server
let respond: (response: ServerResponse) => void
beforeAll(
  () =>
    new Promise<void>((ready) => {
      server = createServer((_request, response) => respond(response)).listen(0, '127.0.0.1', ready)
    }),
)
afterAll(() => void server.close())

/** What a client receives from a function that answers. */
const received = (
  method: 'GET' | 'HEAD',
  answer: (response: ServerResponse) => void,
): Promise<{ status: number | undefined; headers: Record<string, unknown>; body: string }> =>
  new Promise((done, fail) => {
    respond = answer
    const { port } = server.address() as AddressInfo
    request({ host: '127.0.0.1', port, method, agent: false }, (response) => {
      let body = ''
      response
        .on('data', (chunk) => (body += String(chunk)))
        .on('end', () => done({ status: response.statusCode, headers: response.headers, body }))
    })
      .on('error', fail)
      .end()
  })

describe('a redirect', () => {
  const own = { location: `${origins.zh}/a?b&c`, status: 301, external: false } as const
  const body =
    '<!doctype html><title>Moved</title><a href="https://cn.example.com/a?b&amp;c">Moved</a>\n'

  it('is a small page with its target, also by hand', async () => {
    const got = await received('GET', (response) =>
      redirect(response, own, origins, { Vary: 'Cookie', 'Cache-Control': 'private' }),
    )
    expect(got).toMatchObject({
      status: 301,
      headers: {
        location: own.location,
        'content-type': 'text/html; charset=utf-8',
        'content-length': String(body.length),
        'cache-control': 'private',
        vary: 'Cookie',
      },
      body,
    })
  })

  it('has no body for HEAD', async () => {
    const got = await received('HEAD', (response) => redirect(response, own, origins))
    expect([got.status, got.headers['content-length'], got.body]).toEqual([
      301,
      String(body.length),
      '',
    ])
  })

  it.each([
    [301, 'public, max-age=3600'],
    [302, 'no-store'],
    [307, 'no-store'],
    [308, 'public, max-age=3600'],
  ] as const)('with status %i is cached as %s', (status, expected) => {
    const { headers } = redirectResponse({ ...own, status }, origins)
    expect(headers['Cache-Control']).toBe(expected)
  })

  it.each([
    ['https://www.example.com', false],
    ['https://ru.example.com/a', false],
    ['https://partner.example/a', true],
    ['HTTP://partner.example', true],
  ])('leads to %s', (location, external) => {
    expect(redirectResponse({ location, status: 302, external }, origins).headers).toMatchObject({
      Location: location,
    })
  })

  it.each([
    ['https://partner.example/a', false],
    ['https://www.example.com.evil.example/', false],
    ['/a', false],
    ['/a', true],
    ['//evil.example', true],
    ['https:///evil.example', true],
    ['https:/\\evil.example', true],
    ['javascript:alert(1)//https://x.example', true],
  ])('never leads to %s', (location, external) => {
    expect(() => redirectResponse({ location, status: 302, external }, origins)).toThrow(
      'refused to redirect outside the configured origins',
    )
  })
})

describe('a redirect to a path', () => {
  it('stays on the host, and is never cached', async () => {
    const got = await received('GET', (response) =>
      redirectToPath(response, '/_ops/a', 303, { 'Set-Cookie': 'a=b' }),
    )
    expect(got).toMatchObject({
      status: 303,
      headers: { location: '/_ops/a', 'cache-control': 'no-store', 'set-cookie': ['a=b'] },
      body: '',
    })
  })

  it.each(['//evil.example', '/\\evil.example', 'https://evil.example', 'a', ''])(
    'refuses %j',
    async (path) => {
      const got = await received('GET', (response) => {
        expect(() => redirectToPath(response, path, 302)).toThrow(
          'refused to redirect to another host',
        )
        response.end()
      })
      expect(got.headers['location']).toBeUndefined()
    },
  )
})

describe('a location of the backend', () => {
  it.each(['/', '/a', 'https://partner.example/', 'http://partner.example'])(
    '%s is forwarded',
    async (location) => {
      const got = await received('GET', (response) => {
        forwardLocation(response, location)
        response.end()
      })
      expect(got.headers['location']).toBe(location)
    },
  )

  it.each([
    '//evil.example',
    '/\\evil.example',
    'https:///evil.example',
    'a',
    'ftp://a.example',
    '',
  ])('%j is refused', async (location) => {
    const got = await received('GET', (response) => {
      expect(() => forwardLocation(response, location)).toThrow('malformed location')
      response.end()
    })
    expect(got.headers['location']).toBeUndefined()
  })
})

it.each([
  ['https://www.example.com/a?b#c', false, { location: '/a?b#c', external: false }],
  ['https://www.example.com/a', true, { location: 'https://www.example.com/a', external: true }],
  ['https://cn.example.com/a', false, { location: 'https://cn.example.com/a', external: true }],
  [
    'https://www.example.com.evil.example/',
    false,
    { location: 'https://www.example.com.evil.example/', external: true },
  ],
])('the client follows %s (external: %s) as %j', (location, external, expected) => {
  expect(toClientRedirect({ location, status: 308, external }, origins.en)).toEqual({
    ...expected,
    status: 308,
  })
})
