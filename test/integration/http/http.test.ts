import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { gunzipSync, brotliDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import supertest from 'supertest'
import { loaderScript, themeScript } from '../../../server/pages/render/content-security-policy'
import { buildId } from '../../../scripts/build-id.mjs'
import { rawRequest } from '../../../testing/raw-request'
import { buildFolder, root } from '../../../testing/root'
import { eventually, startTestSite, type TestSite } from '../../../testing/site'

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
    const missing = await site.get('/assets/missing.js')
    expect([missing.status, missing.body.includes('data-page')]).toEqual([404, false])
  })

  it.each([
    ['/faq', 'faq', ['faq', 'navigation', 'shell']],
    // Without a shell.
    ['/_icons', 'icons', ['icons', 'navigation']],
  ])('carries only the texts of its own namespaces: %s', async (path, route, namespaces) => {
    const { body } = await site.get(path)
    const view = JSON.parse(
      /<script type="application\/json" id="view">([^<]*)<\/script>/.exec(body)?.[1] ?? '{}',
    ) as { texts: object; route: string }
    expect(Object.keys(view.texts).sort()).toEqual(namespaces)
    expect(view.route).toBe(route)
  })
})

describe('an asset', () => {
  const [script = ''] = readdirSync(join(buildFolder(), 'client', 'assets')).filter((name) =>
    /^framework\..*\.js$/.test(name),
  )
  const oldScript = 'page-Weights.aaa2.js'
  beforeAll(() => {
    const folder = join(site.dataDir, 'assets', 'aaa2')
    mkdirSync(folder, { recursive: true })
    for (const suffix of ['', '.br', '.gz']) writeFileSync(join(folder, oldScript + suffix), 'x')
  })

  it.each([
    ['br', 'br'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['gzip;q=1.0, br;q=0.8', 'gzip'],
    ['br;q=0', undefined],
    ['gzip;q=0, br;q=0', undefined],
    ['xbr', undefined],
    ['*;q=0', undefined],
    ['', undefined],
  ])('is sent to a client with Accept-Encoding: %s in the coding %s', async (header, expected) => {
    for (const name of [script, oldScript]) {
      const { status, headers } = await site.get(`/assets/${name}`, {
        headers: { 'accept-encoding': header },
      })
      expect([name, status, headers['content-encoding'], headers.vary]).toEqual([
        name,
        200,
        expected,
        'Accept-Encoding',
      ])
    }
  })
})

describe('a price per month', () => {
  it.each([
    ['/pricing', '$9 a month'],
    ['/tc/pricing', '$9/月'],
    ['/jp/pricing', '$9/月'],
    ['/ko/pricing', '$9/월'],
  ])('of %s is %s', async (path, price) => {
    const { body } = await site.get(path)
    const prices = body.replace(/<strong data-currency="(?!USD)[^>]*>[^<]*<\/strong>/g, '')
    expect(prices.replace(/<[^>]*>/g, '')).toContain(price)
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
    // Private when its suggestions follow late.
    expect(answer.headers['cache-control']).toMatch(/^(?:private, )?no-store$/)
    expect(answer.headers.etag).toBeUndefined()
    expect(answer.body).toContain('data-page="error-404"')
  })

  it.each([
    ['/es/no/such/page', 'Página no encontrada: /es/no/such/page'],
    ['/fr/blog/none', 'Page introuvable\u00a0: /fr/blog/none'],
    ['/jp/%3Cb%3E', 'ページが見つかりません：/jp/%3Cb%3E'],
    ['/blog/none', 'Page Not Found: /blog/none'],
  ])('%s shows the message in the language of the page', async (path, message) => {
    const { body } = await site.get(path)
    expect(/<h1>[^<]*<\/h1><p[^>]*>([^<]*)<\/p>/.exec(body)?.[1]).toBe(message)
  })

  it.each([
    ['/error/404', 404],
    ['/error/502', 502],
  ])('%s answers %d', async (path, status) => {
    const answer = await site.get(path)
    expect([answer.status, answer.headers['cache-control']]).toEqual([status, 'no-store'])
    const payload = await site.get(`${path}/_payload.json`)
    expect([payload.status, payload.headers['cache-control']]).toEqual([status, 'no-store'])
    expect(payload.headers['retry-after']).toBe(answer.headers['retry-after'])
    expect(site.logs.filter(({ level }) => level === 'error')).toEqual([])
  })

  it.each([
    ['/error/404', false],
    ['/no-such-page', false],
    ['/es/blog/no-such-article', false],
    ['/error/502', false],
    ['/_icons', false],
    ['/faq', true],
  ])('%s has the loading bar; header and footer: %s', async (path, hasMenus) => {
    const { body } = await site.get(path)
    expect({
      bars: body.match(/data-shell="loading-bar"/g)?.length,
      header: body.includes('<header'),
      footer: body.includes('<footer'),
      mains: body.match(/<main[\s>]/g)?.length,
    }).toEqual({ bars: 1, header: hasMenus, footer: hasMenus, mains: 1 })
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

describe('paths that the URL rules leave alone', () => {
  it.each([
    ['/api/Nothing/', 404],
    ['/_image/W_1/Blog//x.html', 400],
    ['/assets/Nothing.html', 404],
    ['/builds/Nothing/', 404],
    ['/__nuxt_island/Nothing/', 404],
    ['/_ops/Nothing/', 404],
    ['/_og/Nothing/', 404],
    ['/_preview/Nothing/', 404],
    ['/_snippets/Nothing/', 404],
    ['/app', 200],
    ['/app/login', 200],
    ['/app/register', 200],
    ['/healthz', 200],
    ['/readyz', 200],
    ['/robots.txt', 200],
    ['/llms.txt', 200],
    ['/openapi.yaml', 200],
    ['/sitemap.xml', 200],
    ['/index-sitemap.xml', 200],
    ['/en-US-sitemap.xml', 200],
    ['/es/blog/feed.xml', 200],
    ['/docs/faq.md', 200],
    ['/favicon.svg', 200],
  ])('%s answers %d', async (path, status) => {
    const answer = await site.get(path)
    expect([answer.status, answer.headers.location]).toEqual([status, undefined])
    // Not a page either.
    expect(answer.body).not.toContain('data-page=')
  })
})

describe('a header that TRUST_PROXY ignores', () => {
  it('is named in one line of the log', async () => {
    for (let count = 0; count < 3; count += 1)
      await site.get('/faq', { headers: { 'x-forwarded-for': '1.2.3.4' } })
    await site.get('/last-request')
    await eventually(() => expect(site.logs.map(({ path }) => path)).toContain('/last-request'))
    expect(
      site.logs.filter(({ msg }) => msg.startsWith('requests arrive with X-Forwarded-For')),
    ).toHaveLength(1)
  })
})

describe('a client that has gone', () => {
  it('is logged with status 499', async () => {
    await eventually(async () => {
      const socket = connect(site.port, '127.0.0.1')
      // A page that is not stored, so that the client is gone before the answer.
      socket.write(`GET /gone-${Math.random()} HTTP/1.1\r\nHost: localhost\r\n\r\n`, () =>
        socket.destroy(),
      )
      await new Promise((resolve) => socket.once('close', resolve))
      await new Promise((resolve) => setTimeout(resolve, 150))
      expect(site.logs.map(({ status }) => status)).toContain(499)
    })
  })
})

describe('a range request', () => {
  type Options = { encoding?: string; resumable?: true; status?: number }
  /** The connection is closed without an answer. */
  const broken = {
    status: 0,
    headers: {} as Record<string, string | undefined>,
    bytes: Buffer.alloc(0),
  }
  beforeAll(() => {
    const folder = join(site.dataDir, 'assets', 'aaa1')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'page-Old.aaa1.js'), '/* an older build */')
  })
  const ranges = [
    'bytes=0-0',
    'bytes=0-9',
    'bytes=5-',
    'bytes=-5',
    'bytes=5-1',
    'bytes=1-0',
    'bytes=-0',
    'bytes=-',
    'bytes=',
    'bytes',
    '',
    'bytes=0',
    'bytes=a-b',
    'bytes=5-b',
    'bytes=--5',
    'bytes=-5-1',
    'bytes=0x0-0x9',
    'bytes=1e0-1e1',
    'bytes=1.5-2.5',
    'bytes=0-999999999999',
    'bytes=999999999999-',
    'bytes=999999999999999999999999-',
    'bytes=-999999999999',
    'bytes=0-99999999999999999999999999999',
    'bytes=0-1,4-5',
    'bytes=0-1, 0-1, 0-1, 0-1, 0-1, 0-1, 0-1, 0-1',
    'bytes=5-1,0-1',
    'bytes = 0-1',
    'Bytes=0-1',
    'items=0-9',
    'bytes=0-1;q=1',
    'none',
  ]
  const partial = ['bytes=0-0', 'bytes=0-9', 'bytes=5-', 'bytes=-5']
  const assetsFolder = join(buildFolder(), 'client', 'assets')
  const [script = ''] = readdirSync(assetsFolder).filter((name) => name.endsWith('.js'))

  /**
   * `resumable`: an interrupted download can continue where it ended, so the file accepts ranges.
   */
  it.each<[kind: string, path: () => Promise<string> | string, options?: Options]>([
    ['an asset', () => `/assets/${script}`],
    ['a compressed asset', () => `/assets/${script}`, { encoding: 'br' }],
    ['an asset of an older build', () => '/assets/page-Old.aaa1.js'],
    ['a public file', () => '/picture-missing.svg', { resumable: true }],
    ['a compressed public file', () => '/picture-missing.svg', { encoding: 'gzip' }],
    ['a download', () => '/downloads/1.3.0/client-1.3.0-win64.zip', { resumable: true }],
    ['a page', () => '/pricing'],
    ['a missing page', () => '/nothing-here', { status: 404 }],
    ['a payload', () => '/pricing/_payload.json'],
    ['an image', () => '/_image/f_webp,w_640/content/blog/choosing-a-proxy-type/cover.png'],
    [
      'a social picture',
      async () =>
        /property="og:image" content="[^"]*?(\/_og\/[^"]*)"/.exec(
          (await site.get('/faq')).body,
        )?.[1] ?? '',
    ],
    ['a sitemap', () => '/sitemap.xml'],
    ['a text file', () => '/robots.txt'],
    ['an API call', () => '/api/home/base-info?lang=en&type=home'],
    ['a build file', () => '/builds/latest.json'],
  ])('for %s gets the part, 416 or everything', async (_kind, path, options = {}) => {
    const { encoding = 'identity', resumable = false, status: expected = 200 } = options
    const target = await path()
    const ask = (acceptEncoding: string, range?: string, method = 'GET') =>
      site.get(target, {
        method,
        headers: {
          'accept-encoding': acceptEncoding,
          ...(range === undefined ? {} : { range }),
        },
      })
    const whole = await ask(encoding)
    expect(whole.status).toBe(expected)
    const plain = await ask('identity')
    const check = async (range: string) => {
      const { status, headers, bytes } = await ask(encoding, range).catch(() => broken)
      const size = plain.bytes.length
      if (status === 206) {
        const [, start = NaN, end = NaN, total] = (
          /^bytes (\d+)-(\d+)\/(\d+)$/.exec(String(headers['content-range'])) ?? []
        ).map(Number)
        expect([range, total, headers['content-encoding']]).toEqual([range, size, undefined])
        expect([range, bytes.equals(plain.bytes.subarray(start, end + 1))]).toEqual([range, true])
        // A suffix is the end of the file.
        if (range === 'bytes=-5') expect([start, end]).toEqual([size - 5, size - 1])
      } else if (status === 416)
        expect([range, headers]).toMatchObject([
          range,
          { 'content-range': `bytes */${size}`, 'cache-control': 'no-store' },
        ])
      else expect([range, status, bytes.equals(whole.bytes)]).toEqual([range, whole.status, true])
      if (resumable && partial.includes(range)) expect([range, status]).toEqual([range, 206])
      const { status: head } = await ask(encoding, range, 'HEAD').catch(() => broken)
      expect([range, head]).toEqual([range, status])
    }
    await Promise.all(ranges.map(check))
  })
})

describe('machine files', () => {
  it('describe the build and its routes', async () => {
    const client = supertest(`http://127.0.0.1:${site.port}`)
    const latest = await client.get('/builds/latest.json')
    expect(latest.headers['cache-control']).toBe('no-store')
    const { id } = latest.body as { id: string }
    expect(id).toBe(buildId(root))
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
    for (const path of ['/healthz', '/readyz']) {
      const { status, headers, body } = await site.get(path)
      expect([path, status, headers['cache-control'], body]).toEqual([
        path,
        200,
        'no-store',
        '{"status":"ok"}',
      ])
    }
  })

  it('are kept by browsers for an hour when they are files of public/', async () => {
    expect((await site.get('/favicon.svg')).headers['cache-control']).toBe('public, max-age=3600')
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
