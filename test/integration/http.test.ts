import { createHash } from 'node:crypto'
import { gunzipSync, brotliDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import supertest from 'supertest'
import { loaderScript, themeScript } from '../../server/pages/render/content-security-policy'
import { rawRequest } from '../../testing/raw-request'
import { eventually, startTestSite, type TestSite } from '../../testing/site'

let site: TestSite
beforeAll(async () => {
  site = await startTestSite()
}, 60_000)
afterAll(() => site.stop())

describe('a page', () => {
  it('has the headers of the specification', async () => {
    const { headers } = await site.get('/pricing')
    expect(headers['cache-control']).toBe(
      'public, max-age=0, s-maxage=60, stale-while-revalidate=86400, stale-if-error=86400',
    )
    expect(headers.vary).toBe('Accept-Encoding')
    expect(headers['content-language']).toBe('en-US')
    expect(headers['set-cookie']).toBeUndefined()
    expect(headers['x-powered-by']).toBeUndefined()
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(headers['cross-origin-opener-policy']).toBe('same-origin-allow-popups')
    expect(headers.etag).toMatch(/^"[\w-]+"$/)
  })

  it('is rendered once and then served from the cache, byte for byte the same', async () => {
    const miss = await site.get('/about-us')
    const hit = await site.get('/about-us?utm_source=x')
    expect(miss.headers['cache-status']).toBe('site; fwd=miss; stored')
    expect(hit.headers['cache-status']).toMatch(/^site; hit; ttl=\d+$/)
    expect(hit.body).toBe(miss.body)
    expect(hit.headers.etag).toBe(miss.headers.etag)
  })

  it('is rendered once for many simultaneous requests', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => site.get('/tr/faq')))
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1)
    expect(
      answers.filter(({ headers }) => headers['cache-status'] === 'site; fwd=miss; stored').length,
    ).toBe(1)
  })

  it('is sent in Brotli, gzip or uncompressed, and answers 304 for each of them', async () => {
    const plain = await site.get('/faq')
    const brotli = await eventually(async () => {
      const answer = await site.get('/faq', { headers: { 'accept-encoding': 'br' } })
      expect(answer.headers['content-encoding']).toBe('br')
      return answer
    })
    const gzip = await site.get('/faq', { headers: { 'accept-encoding': 'gzip' } })
    expect(brotliDecompressSync(brotli.bytes).toString()).toBe(plain.body)
    expect(gunzipSync(gzip.bytes).toString()).toBe(plain.body)
    expect(new Set([plain.headers.etag, brotli.headers.etag, gzip.headers.etag]).size).toBe(3)
    for (const { headers } of [plain, brotli, gzip]) {
      const again = await site.get('/faq', { headers: { 'if-none-match': String(headers.etag) } })
      expect([again.status, again.body]).toEqual([304, ''])
    }
    expect((await site.get('/faq', { headers: { 'if-none-match': '"other"' } })).status).toBe(200)
  })

  it('answers HEAD without a body', async () => {
    const answer = await site.get('/faq', { method: 'HEAD' })
    expect([answer.status, answer.body]).toEqual([200, ''])
    expect(Number(answer.headers['content-length'])).toBeGreaterThan(1000)
  })

  it('allows two inline scripts by their hashes, and nothing else inline', async () => {
    const { headers, body } = await site.get('/solutions/e-commerce')
    const policy = String(headers['content-security-policy'])
    const hashes = [themeScript, loaderScript].map(
      (script) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
    )
    expect(policy).toContain(`script-src ${hashes.join(' ')} 'strict-dynamic'`)
    expect(policy).not.toMatch(/unsafe-|nonce-/)
    const inline = Array.from(
      body.matchAll(/<script(?![^>]*type="application\/(?:ld\+)?json")[^>]*>([^<]*)<\/script>/g),
      ([, script]) => script,
    )
    expect(inline).toEqual([themeScript, loaderScript])
    expect(body).not.toMatch(/\sstyle="|<style|\son\w+="|javascript:/)
  })

  it('names files that exist, are immutable and compressed', async () => {
    const { body, headers } = await site.get('/pricing')
    const files = [...body.matchAll(/(?:href|data-entry)="([^"]*\/assets\/[^"]*)"/g)]
      .flatMap(([, value = '']) => value.split(' '))
      .map((file) => file.split('#')[0] ?? '')
    expect(files.length).toBeGreaterThan(3)
    for (const file of new Set(files)) {
      const answer = await site.get(file, { headers: { 'accept-encoding': 'br' } })
      expect({ file, status: answer.status, cache: answer.headers['cache-control'] }).toEqual({
        file,
        status: 200,
        cache: 'public,max-age=31536000,immutable',
      })
    }
    expect(String(headers['link'])).toContain('rel=preload; as=script')
    expect((await site.get('/assets/missing.js')).status).toBe(404)
  })

  it('carries only the texts of its own namespaces', async () => {
    const { body } = await site.get('/faq')
    const view = JSON.parse(
      /<script type="application\/json" id="view">([^<]*)<\/script>/.exec(body)?.[1] ?? '{}',
    ) as { texts: object; route: string }
    expect(Object.keys(view.texts).sort()).toEqual(['faq', 'shell'])
    expect(view.route).toBe('faq')
  })
})

describe('a request for something else', () => {
  it.each([
    ['/nothing-here', 'Page not found: /nothing-here'],
    ['/a/b/c', 'Page not found: /a/b/c'],
    ['/blog/no-such-article', 'Page Not Found: /blog/no-such-article'],
    ['/solutions/none', 'Page Not Found: /solutions/none'],
    ['/blog-nothing', 'Page Not Found: /blog-nothing'],
    ['/es/helps/none', 'Page Not Found: /es/helps/none'],
    ['/blog?page=99', 'Page Not Found: /blog'],
    ['/blog?page=0', 'Page Not Found: /blog'],
    ['/blog?page=02', 'Page Not Found: /blog'],
    ['/blog?page=x', 'Page Not Found: /blog'],
    ['/blog?page=2&page=3', 'Page Not Found: /blog'],
    [`/blog/${'a'.repeat(65)}`, 'Page Not Found: /blog/aaa'],
  ])('%s answers 404 with its message', async (path, message) => {
    const answer = await site.get(path)
    expect(answer.status).toBe(404)
    expect(answer.body).toContain(message)
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(answer.body).toContain('data-page="error-404"')
  })

  it('shows the requested path as text', async () => {
    const answer = await site.get('/%3cscript%3ealert(1)%3c/script%3e\'"')
    expect(answer.status).toBe(404)
    expect(answer.body).not.toContain('<script>alert')
  })

  it.each([
    ['/api/nothing'],
    ['/_ops/metrics'],
    ['/_image/w_640/x.png'],
    ['/__nuxt_island/X_0.json'],
    ['/builds/meta/none.json'],
  ])('%s answers 404 as JSON', async (path) => {
    const response = await supertest(`http://127.0.0.1:${site.port}`).get(path)
    expect(response.status).toBe(404)
    expect(response.body).toEqual({ code: 404, msg: 'Not found', data: null })
  })

  it.each([
    ['POST', '/pricing', 405],
    ['DELETE', '/', 405],
    ['TRACE', '/', 405],
    ['GET', '/%', 400],
    ['GET', '/a%00b', 400],
    ['GET', `/${'a'.repeat(9000)}`, 414],
  ])('%s %s answers %d', async (method, path, status) => {
    const answer = await site.get(path, { method })
    expect(answer.status).toBe(status)
    if (status === 405) expect(answer.headers.allow).toBe('GET, HEAD')
    expect(answer.body).not.toMatch(/node_modules|at .*\.js/)
  })

  it('refuses a malformed host', async () => {
    for (const host of ['a@b', 'a/b', 'a b', '', 'localhost\r\nHost: localhost']) {
      expect({
        host,
        answer: (
          await rawRequest(
            site.port,
            `GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
          )
        ).split('\r\n')[0],
      }).toEqual({ host, answer: 'HTTP/1.1 400 Bad Request' })
    }
    expect(await rawRequest(site.port, 'GET /pricing HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /)
  })
})

describe('machine files', () => {
  it('describe the build and its routes', async () => {
    const client = supertest(`http://127.0.0.1:${site.port}`)
    const latest = await client.get('/builds/latest.json')
    expect(latest.headers['cache-control']).toBe('no-store')
    const { id } = latest.body as { id: string }
    const meta = await client.get(`/builds/meta/${id}.json`)
    expect(meta.body).toMatchObject({
      id,
      matcher: expect.arrayContaining([
        { id: 'blog-tags', pattern: '/blog-{category}/{tags}' },
        { id: 'home', pattern: '/' },
      ]),
    })
    expect(meta.headers['cache-control']).toContain('immutable')
  })

  it('report health and readiness', async () => {
    expect((await site.get('/healthz')).status).toBe(200)
    expect((await site.get('/readyz')).status).toBe(200)
  })

  it('write one log line per request', async () => {
    await site.get('/referral-program?token=secret', { host: 'zh.localhost' })
    const line = await eventually(() => {
      const found = site.logs.find((entry) => entry['path'] === '/referral-program')
      if (!found) throw new Error('no line yet')
      return found
    })
    expect(line).toMatchObject({
      method: 'GET',
      host: `zh.localhost:${site.port}`,
      route: 'referral-program',
      locale: 'zh',
      status: 200,
      cache: 'miss',
      id: expect.any(String),
      duration: expect.any(Number),
      bytes: expect.any(Number),
    })
    expect(JSON.stringify(site.logs)).not.toContain('secret')
  })
})
