import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { brotliDecompressSync } from 'node:zlib'
import { fetchFrom, operator, opsToken, startTestSite, type TestSite } from '../../../testing/site'

let site: TestSite
beforeAll(async () => {
  // A small cache, so that a flood would evict pages. With TRUST_PROXY, the forwarding headers
  // that these tests send are believed.
  site = await startTestSite({ OPS_TOKEN: opsToken, PAGE_CACHE_MAX_MB: '3', TRUST_PROXY: '1' })
}, 90_000)
afterAll(() => site.stop())

type Listing = {
  entries: number
  bytes: number
  maxBytes: number
  small: { entries: number; bytes: number; maxBytes: number }
}
const listing = async (): Promise<Listing> =>
  (
    JSON.parse((await site.get('/_ops/cache?limit=0', { headers: operator })).body) as {
      data: Listing
    }
  ).data

/**
 * Sends many requests, eight at a time, with requests for a hot page in between; returns how many
 * of those were hits.
 */
async function flood(count: number, target: (index: number) => string): Promise<number> {
  let hits = 0
  let hotRequests = 0
  for (let done = 0; done < count; done += 8) {
    await Promise.all(Array.from({ length: 8 }, (_, index) => site.get(target(done + index))))
    if (done % 80 !== 0) continue
    hotRequests += 1
    if (String((await site.get('/pricing')).headers['cache-status']).startsWith('site; hit'))
      hits += 1
  }
  return hits / hotRequests
}

describe('a flood', () => {
  it('of random queries stores no entries, and the hot page stays', async () => {
    await site.get('/faq')
    await site.get('/pricing')
    const before = await listing()
    expect(await flood(1600, (index) => `/faq?x=${index}${Math.random()}`)).toBe(1)
    // Warming continues meanwhile. 1,600 queries have not stored 1,600 entries.
    expect((await listing()).entries).toBeLessThan(before.entries + 200)
  }, 60_000)

  it('of random paths stays within the limit of the small store, and the hot page stays', async () => {
    const share = await flood(
      480,
      (index) => `/none-${index}-${Math.random().toString(36).slice(2)}/x`,
    )
    const { bytes, maxBytes, small } = await listing()
    expect(share).toBeGreaterThanOrEqual(0.99)
    expect(small.entries).toBeGreaterThan(50)
    expect(small.bytes).toBeLessThanOrEqual(small.maxBytes)
    expect(bytes).toBeLessThanOrEqual(maxBytes)
  }, 120_000)
})

/**
 * Header names that servers, frameworks and proxies are known to read, filled up to 1,000 names.
 */
const known = [
  'X-Forwarded-Host',
  'X-Forwarded-Proto',
  'X-Forwarded-For',
  'X-Forwarded-Port',
  'X-Forwarded-Prefix',
  'X-Forwarded-Scheme',
  'X-Forwarded-Server',
  'Forwarded',
  'X-Host',
  'X-Original-URL',
  'X-Rewrite-URL',
  'X-Original-Host',
  'X-HTTP-Host-Override',
  'X-Real-IP',
  'True-Client-IP',
  'CF-Connecting-IP',
  'X-HTTP-Method-Override',
  'X-Method-Override',
  'X-Middleware-Subrequest',
  'X-Middleware-Prefetch',
  'X-Now-Route-Matches',
  'X-Matched-Path',
  'X-NextJS-Data',
  'RSC',
  'Next-Router-State-Tree',
  'X-React-Router-Prerender-Data',
  'X-Invoke-Path',
  'X-Nuxt-No-SSR',
  'X-Nonce',
  'Content-Security-Policy',
  'X-CSP-Nonce',
  'Referer',
  'Origin',
  'User-Agent',
  'Via',
  'Accept',
  'Accept-Language',
  'Accept-Charset',
  'Content-Type',
  'Content-Language',
  'Link',
  'Location',
  'Authorization',
  'Range',
  'Cache-Control',
  'Pragma',
  'Surrogate-Control',
  'CDN-Loop',
  'X-Locale',
  'X-Language',
  'X-Build-Id',
  'X-Request-Id',
  'Priority',
  'Sec-Fetch-Site',
  'DNT',
  'Save-Data',
  'Viewport-Width',
]
const names = [
  ...known,
  ...Array.from({ length: 1000 - known.length }, (_, index) => `X-Canary-${index}`),
]
const cookies = ['i18n_redirected', '_POWER_REFERRER', 'device_id', 'consent', 'invite_code']
  .map((name) => `${name}=canary-cookie`)
  .join('; ')

describe('a poisoned request', () => {
  it('changes no stored answer by any of 1,000 headers', async () => {
    const paths = [
      '/helps',
      '/links',
      '/es/faq',
      '/blog',
      '/nothing-of-the-kind',
      '/Download',
      '/blog/choosing-a-proxy-type',
      '/th/pricing',
    ]
    for (let start = 0; start < names.length; start += 50) {
      const path = paths[(start / 50) % paths.length] ?? '/'
      const headers = Object.fromEntries(
        names
          .slice(start, start + 50)
          .map((name) => [
            name,
            name === 'Referer' || name === 'Origin' ? 'http://canary.example/' : `canary-${name}`,
          ]),
      )
      await fetch(`http://127.0.0.1:${site.port}/_ops/cache/purge`, {
        method: 'POST',
        headers: { ...operator, 'content-type': 'application/json' },
        body: JSON.stringify({ paths: [path] }),
      })
      await site.get(path, { headers: { ...headers, cookie: cookies } })
      for (const accept of ['identity', 'br']) {
        const stored = await site.get(path, { headers: { 'accept-encoding': accept } })
        const body =
          stored.headers['content-encoding'] === 'br'
            ? brotliDecompressSync(stored.bytes).toString()
            : stored.body
        expect({ path, found: /canary/i.exec(body + JSON.stringify(stored.headers))?.[0] }).toEqual(
          { path, found: undefined },
        )
      }
    }
  }, 120_000)

  it('stores nothing under another host', async () => {
    for (const host of ['evil.example', 'localhost.evil.example', 'zh.localhost.evil.example']) {
      const poisoned = await fetchFrom(site.port, '/release', {
        headers: { host, 'x-forwarded-host': host },
      })
      expect(poisoned.body).not.toContain('evil.example')
    }
    expect((await site.get('/release')).body).not.toContain('evil.example')
  })

  it('gets the language of Host, whatever X-Forwarded-Host a trusted proxy passes on', async () => {
    const zhHost = `zh.localhost:${site.port}`
    for (const cacheStatus of [/fwd=miss/, /hit/]) {
      const { headers } = await site.get('/industries', { headers: { 'x-forwarded-host': zhHost } })
      expect(headers['content-language']).toBe('en-US')
      expect(headers['cache-status']).toMatch(cacheStatus)
    }
  })

  it('does not get an error page stored', async () => {
    for (const headers of [
      { 'x-http-method-override': 'POST' },
      { expect: 'nothing' },
      { 'x-oversized': 'x'.repeat(17_000) },
    ] as Array<Record<string, string>>) {
      await site.get('/partner', { headers }).catch(() => undefined)
      expect((await site.get('/partner')).status).toBe(200)
    }
  })
})
