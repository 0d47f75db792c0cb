/**
 * Writes that pages of other sites send from a visitor's browser (CSRF, spec 6.5): refused before
 * they are counted or stored, by the embedded API and before a request is forwarded.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { calls } from '../../../server/api/calls'
import { callApi, type ApiAnswer } from '../../../testing/call-api'
import { startTestSite, type TestSite } from '../../../testing/site'
import { startUpstream, type TestUpstream } from '../../../testing/upstream'

const ratePerMinute = 3
const rates = {
  RATE_SIGNIN: String(ratePerMinute),
  RATE_MESSAGES: String(ratePerMinute),
  RATE_OTHER: '100000',
}
const redeemPath = '/sys/user/passport/redeem'
const referralPath = '/sys/config/ref/set'

let embedded: TestSite
let upstream: TestUpstream
let forwarding: TestSite
beforeAll(async () => {
  upstream = await startUpstream((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' })
    response.end('{"code":0,"msg":"ok","data":null}')
  })
  ;[embedded, forwarding] = await Promise.all([
    startTestSite(rates),
    startTestSite({ ...rates, API_UPSTREAM: upstream.origin }),
  ])
}, 90_000)
afterAll(async () => {
  await Promise.all([embedded.stop(), forwarding.stop()])
  await upstream.stop()
})
beforeEach(() => void (upstream.requests.length = 0))

const sites = [
  ['the embedded API', () => embedded],
  ['the API proxy', () => forwarding],
] as const

const fromElsewhere: ReadonlyArray<[string, Record<string, string>]> = [
  ['an origin of another site', { origin: 'https://evil.example' }],
  ['an opaque origin', { origin: 'null' }],
  ['an origin that begins like ours', { origin: 'http://localhost.evil.example' }],
  ['our host as user name', { origin: 'http://localhost@evil.example' }],
  ['another port of our host', { origin: 'http://localhost:1' }],
  ['a cross-site request', { 'sec-fetch-site': 'cross-site' }],
  ['an image of another site', { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'image' }],
  ['a foreign subdomain', { origin: 'https://evil.localhost', 'sec-fetch-site': 'same-site' }],
  ['a lie', { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' }],
]
/** Headers of our own pages, by the port of the site, and of programs. */
const fromHere = (port: number): ReadonlyArray<Record<string, string>> => [
  {},
  { 'sec-fetch-site': 'same-origin' },
  { 'sec-fetch-site': 'none' },
  { origin: `http://localhost:${port}`, 'sec-fetch-site': 'same-origin' },
  { origin: `http://zh.localhost:${port}`, 'sec-fetch-site': 'same-site' },
  { origin: `http://127.0.0.1:${port}`, host: `127.0.0.1:${port}` },
  { origin: 'https://probe.example', host: 'probe.example' },
]

const writes = calls
  .filter(({ method, path }) => path === referralPath || (method === 'POST' && path !== redeemPath))
  .map(({ method, path }) => [method, path] as const)
/** Of a backend: the site knows only their method. */
const unknownWrites = [
  ['POST', '/of/its/own'],
  ['PUT', '/of/its/own'],
  ['DELETE', '/of/its/own'],
] as const
/** How a tolerant backend may also be asked to count a referral code. */
const otherSpellings = ['/sys/config/ref/set/', '/sys/config/Ref/SET', '/sys/config/ref/%73et']

const write = (
  { port }: TestSite,
  [method, path]: readonly [string, string],
  headers: Record<string, string>,
): Promise<ApiAnswer> =>
  callApi(
    port,
    path === referralPath ? `${path}?c_v=other-sites` : path,
    { headers, ...(method === 'GET' ? {} : { json: {} }) },
    method,
  )

describe.each(sites)('%s', (_name, site) => {
  it.each(fromElsewhere)('refuses every write with %s', async (_title, headers) => {
    for (const call of writes) {
      const { status, text } = await write(site(), call, headers)
      expect([call[1], status, text]).toEqual([
        call[1],
        403,
        '{"code":40300,"msg":"Not allowed","data":null}',
      ])
    }
    expect(upstream.requests.filter(({ method }) => method === 'POST')).toEqual([])
  })

  it('refuses them without counting them', async () => {
    const message = ['POST', '/site/message'] as const
    for (let count = 0; count < 3 * ratePerMinute; count += 1)
      expect((await write(site(), message, { origin: 'null' })).status).toBe(403)
    expect((await write(site(), message, {})).status).toBe(400)
  })

  it('accepts the writes of its own pages and of programs', async () => {
    for (const headers of fromHere(site().port))
      expect((await write(site(), ['GET', referralPath], headers)).status).toBe(200)
  })

  it('lets other sites read, and redeem a token: that is a call of a server', async () => {
    const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    expect((await callApi(site().port, '/site/redirect?path=/&lang=en', { headers })).status).toBe(
      200,
    )
    const { status } = await write(site(), ['POST', redeemPath], headers)
    expect(status).toBe(site() === embedded ? 400 : 200)
  })
})

describe('the embedded API', () => {
  it('counts no referral code for an image of another site', async () => {
    const path = `${referralPath}?c_v=image-of-another-site`
    const image = { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'image' }
    expect((await callApi(embedded.port, path, { headers: image })).status).toBe(403)
    expect((await callApi(embedded.port, path, { headers: image }, 'HEAD')).status).toBe(403)
    expect((await callApi(embedded.port, path)).data).toEqual({ counted: true })
  })
})

describe('the API proxy', () => {
  it.each(unknownWrites)('refuses %s of a call that only the backend knows', async (...call) => {
    expect((await write(forwarding, call, { origin: 'https://evil.example' })).status).toBe(403)
    expect((await write(forwarding, call, {})).status).toBe(200)
    expect(upstream.requests.filter(({ url }) => url === call[1]).length).toBe(1)
  })

  it.each(otherSpellings)('refuses the referral call as %s', async (path) => {
    const headers = { 'sec-fetch-site': 'cross-site' }
    expect((await callApi(forwarding.port, `${path}?c_v=a`, { headers })).status).toBe(403)
  })

  it('forwards neither header, because the backend has another host', async () => {
    for (const headers of fromHere(forwarding.port))
      await write(forwarding, ['POST', '/of/its/own'], headers)
    const forwarded = upstream.requests.filter(({ url }) => url === '/of/its/own')
    expect(forwarded.length).toBe(fromHere(forwarding.port).length)
    for (const { headers } of forwarded)
      expect([headers.origin, headers['sec-fetch-site']]).toEqual([undefined, undefined])
  })
})
