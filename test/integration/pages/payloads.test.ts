import { cpSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { RunningSite } from '../../../server/start-site'
import type { HostName } from '../../../shared/i18n/locales'
import type { PagePayload, Payload, RedirectPayload } from '../../../shared/payload'
import { tableCases, tableRows, urlCases } from '../../cases/canonical-urls'
import { rawRequest } from '../../../testing/raw-request'
import { root } from '../../../testing/root'
import { temporaryFolder } from '../../../testing/release-with-tests'
import { eventually, fetchFrom, hostNames, type Answer } from '../../../testing/site'
import { startSiteInProcess } from '../../../testing/site-in-process'

const content = temporaryFolder('payloads-content')
const data = temporaryFolder('payloads')
let running: RunningSite
let id = ''
/** Makes an island late and fail, for one test. */
let broken = false

beforeAll(async () => {
  cpSync(join(root, 'content'), content, { recursive: true, preserveTimestamps: true })
  writeFileSync(
    join(content, 'redirects.yaml'),
    tableRows
      .map(
        ({ from, to, status, locales: codes }) =>
          `- { from: "${from}", to: "${to}", status: ${status}${codes ? `, locales: [${codes.join(', ')}]` : ''} }\n`,
      )
      .join(''),
  )
  running = await startSiteInProcess(
    { DATA_DIR: data, CONTENT_DIR: content, CDN_TAGS: 'on' },
    {
      wrapIslands: (load) => (name, props, locale, tags) =>
        broken ? Promise.reject(new Error('the island broke')) : load(name, props, locale, tags),
    },
  )
  id = running.site.build.id
}, 120_000)
afterAll(async () => {
  await running.stop()
  for (const folder of [content, data]) rmSync(folder, { recursive: true, force: true })
})

const get = (path: string, options: Parameters<typeof fetchFrom>[2] = {}): Promise<Answer> =>
  fetchFrom(running.port, path, options)
const isJson = ({ headers }: Answer): boolean =>
  headers['content-type'] === 'application/json; charset=utf-8'
const payloadOf = (answer: Answer): Payload => JSON.parse(answer.body) as Payload
const carrying = (answer: Answer): PagePayload => payloadOf(answer) as PagePayload
const own = (host: HostName): string => running.site.hosts.origins[host]

describe('a payload', () => {
  it('has the shape of the contract', async () => {
    const answer = await get(`/es/solutions/e-commerce/_payload.json?${id}`)
    expect([answer.status, isJson(answer)]).toEqual([200, true])
    expect(carrying(answer)).toMatchObject({
      buildId: id,
      path: '/es/solutions/e-commerce',
      locale: 'es',
      route: 'solution',
      params: { id: 'e-commerce' },
      seo: {
        title: expect.any(String),
        canonical: expect.stringMatching(/\/solutions\/e-commerce$/),
      },
    })
    expect(Object.keys(carrying(answer).texts)).toEqual(['landing'])
    expect(carrying(answer).languages).toHaveLength(14)
  })

  it('has the headers of the HTML, another ETag, and no content security policy', async () => {
    const html = await get('/pricing')
    const answer = await get(`/pricing/_payload.json?${id}`)
    for (const name of [
      'cache-control',
      'cache-tag',
      'content-language',
      'vary',
      'x-content-type-options',
    ])
      expect([name, answer.headers[name]]).toEqual([name, html.headers[name]])
    expect(answer.headers['set-cookie']).toBeUndefined()
    expect(answer.headers.etag).not.toBe(html.headers.etag)
    const again = await get(`/pricing/_payload.json?${id}`, {
      headers: { 'if-none-match': String(answer.headers.etag) },
    })
    expect([again.status, again.body]).toEqual([304, ''])
    expect(
      (
        await get(`/pricing/_payload.json?${id}`, {
          headers: { 'if-none-match': String(html.headers.etag) },
        })
      ).status,
    ).toBe(200)
    const head = await get(`/pricing/_payload.json?${id}`, { method: 'HEAD' })
    expect([head.status, head.body, head.headers['content-length']]).toEqual([
      200,
      '',
      String(answer.bytes.length),
    ])
  })

  it('is produced once for concurrent requests, stored, compressed and purged by its tags', async () => {
    running.site.cache.purge(() => true)
    const path = `/blog/choosing-a-proxy-type/_payload.json?${id}`
    const answers = await Promise.all(Array.from({ length: 6 }, () => get(path)))
    expect(
      answers.filter(({ headers }) => headers['cache-status'] === 'site; fwd=miss; stored'),
    ).toHaveLength(1)
    await eventually(async () =>
      expect(
        (await get(path, { headers: { 'accept-encoding': 'br' } })).headers['content-encoding'],
      ).toBe('br'),
    )
    expect((await get(`${path}&utm=1`)).headers['cache-status']).toMatch(/^site; hit/)
    const [shown] =
      (carrying(answers[0] as Answer).islands[0]?.html ?? '').match(/\/blog\/[a-z0-9-]+/) ?? []
    expect(shown).toBeDefined()
    // An article that only an island shows purges the HTML and the payload of the page.
    expect(
      running.site.cache.purge((_key, { tags }) => tags.includes(String(shown).slice(1))),
    ).toBeGreaterThan(0)
    expect((await get(path)).headers['cache-status']).toBe('site; fwd=miss; stored')
  })

  it('accepts a page number, and refuses an invalid one', async () => {
    expect(carrying(await get(`/blog/_payload.json?${id}&page=1`))).toEqual({
      buildId: id,
      redirect: { location: '/blog', status: 301, external: false },
    })
    for (const page of ['0', '02', 'x', '99']) {
      const answer = await get(`/blog/_payload.json?${id}&page=${page}`)
      expect([page, answer.status, payloadOf(answer)]).toEqual([
        page,
        404,
        { buildId: id, statusCode: 404, message: 'Page Not Found: /blog' },
      ])
    }
  })

  it("never redirects to the visitor's language", async () => {
    const answer = await get(`/_payload.json?${id}`, {
      headers: { 'accept-language': 'es', cookie: 'i18n_redirected=es' },
    })
    expect(carrying(answer)).toMatchObject({ route: 'home', locale: 'en' })
    expect(answer.headers.vary).toBe('Accept-Encoding')
    expect(String(answer.headers['cache-control'])).toContain('public')
  })

  it('names the current build to other builds, in a response that no cache may store', async () => {
    for (const path of ['/faq', '/nothing-here', '/guide']) {
      const answer = await get(`${path}/_payload.json?0123456789abcdef`, {
        headers: {
          'if-none-match': String(
            (await get(`${path}/_payload.json?${id}`)).headers.etag ?? '"none"',
          ),
        },
      })
      expect({
        path,
        build: payloadOf(answer).buildId,
        cache: answer.headers['cache-control'],
        etag: answer.headers.etag,
      }).toEqual({ path, build: id, cache: 'no-store', etag: undefined })
    }
    expect((await get('/faq/_payload.json?0123456789abcdef')).status).toBe(200)
    expect((await get(`/faq/_payload.json?${id}`)).headers['cache-control']).toContain('s-maxage')
  })

  it('of a missing page is a 404 that is not stored', async () => {
    for (const [path, message] of [
      ['/nothing-here', 'Page not found: /nothing-here'],
      ['/blog/none', 'Page Not Found: /blog/none'],
      ['/error/404', 'Page not found: /error/404'],
      ['/%3Cb%3E', 'Page not found: /%3Cb%3E'],
      ['/_payload.json', 'Page not found: /_payload.json'],
      [`/blog/${'a'.repeat(65)}`, `Page Not Found: /blog/${'a'.repeat(65)}`],
    ] as const) {
      const answer = await get(`${path}/_payload.json?${id}`)
      expect([
        path,
        answer.status,
        payloadOf(answer),
        answer.headers['cache-control'],
        isJson(answer),
      ]).toEqual([path, 404, { buildId: id, statusCode: 404, message }, 'no-store', true])
    }
    const { body } = await get('/api/site/missing?lang=es')
    expect(JSON.parse(body)).toMatchObject({
      code: 0,
      data: {
        buildId: id,
        route: 'error-404',
        locale: 'es',
        data: { status: 404 },
        texts: { errors: expect.any(Object) },
      },
    })
  })

  it('has the URL instead of the HTML of an island that fails, and is not stored then', async () => {
    running.site.cache.purge(() => true)
    broken = true
    const first = await get(`/release/_payload.json?${id}`)
    broken = false
    expect([first.status, carrying(first).islands[0]?.html, first.headers['cache-status']]).toEqual(
      [200, null, 'site; fwd=miss'],
    )
    const second = await get(`/release/_payload.json?${id}`)
    expect(carrying(second).islands[0]?.html).toContain('<ol')
  })
})

describe('refusals', () => {
  it.each([
    ['POST', '/pricing/_payload.json', 405],
    ['DELETE', '/_payload.json', 405],
    ['GET', '/%/_payload.json', 400],
    ['GET', '/a%00b/_payload.json', 400],
    ['GET', `/${'a'.repeat(9000)}/_payload.json`, 414],
    ['GET', `/_payload.json?${'a'.repeat(9000)}`, 414],
    ['GET', '/error/502/_payload.json', 502],
  ])('%s %s is JSON', async (method, path, status) => {
    const answer = await get(path, { method })
    expect([answer.status, isJson(answer), answer.headers['cache-control']]).toEqual([
      status,
      true,
      'no-store',
    ])
    expect(JSON.parse(answer.body)).toEqual({
      code: expect.any(Number),
      msg: expect.any(String),
      data: null,
    })
    if (status === 405) expect(answer.headers.allow).toBe('GET, HEAD')
    expect(answer.body).not.toMatch(/node_modules|\.js/)
  })
})

/**
 * As for the page, except for language roots with a query: their slash is part of the payload's
 * path.
 */
describe('URL rules, applied to the page of a payload', () => {
  const slashOfThePage = ['/es?ref=a', '/tc?a=1&b=2']
  // The HTTP parser refuses targets that begin with a backslash.
  const cases = [...urlCases, ...tableCases].filter(
    ([, target]) => target.startsWith('/') && !slashOfThePage.includes(target),
  )
  it.each(cases)('%s host, %s', async (host, target) => {
    const [path = '', query = ''] = target.split('?')
    const page = await get(target, { host: hostNames[host] })
    const answer = await get(`${path}/_payload.json?${id}${query ? `&${query}` : ''}`, {
      host: hostNames[host],
    })
    expect(isJson(answer)).toBe(true)
    if (page.status >= 300 && page.status < 400) {
      const { redirect } = payloadOf(answer) as RedirectPayload
      const location = String(page.headers.location)
      const inside = location.startsWith(`${own(host)}/`)
      expect([answer.status, redirect]).toEqual([
        200,
        {
          location: inside ? location.slice(own(host).length) : location,
          status: page.status,
          external: !inside,
        },
      ])
      expect(answer.headers['cache-control']).toBe(page.headers['cache-control'])
    } else expect([target, answer.status]).toEqual([target, page.status])
  })

  it.each(slashOfThePage)('%s is the page', async (target) => {
    const [path = '', query = ''] = target.split('?')
    expect(carrying(await get(`${path}/_payload.json?${id}&${query}`)).route).toBe('home')
  })
})

describe('HTML and payloads in the cache', () => {
  const targets = [
    '/?/_payload.json',
    '/_payload.json/',
    '/%5fpayload.json',
    '/_payload%2ejson',
    '//_payload.json',
    '///_payload.json',
    '/_payload.json.html',
    '/_payload.json/index.html',
    '/_PAYLOAD.JSON',
    '\\_payload.json',
    '/./_payload.json',
    '/x/../_payload.json',
    '/_payload.json?',
    '/_payload.json?page=2',
    '/_payload.json#x',
    '/%5fpayload.json/',
    '/en/_payload.json',
    '/pricing/_payload.json.html',
    '/pricing?/_payload.json',
    '/pricing?_payload.json',
    '/pricing//_payload.json',
    '/pricing/%5Fpayload.json',
    '/pricing/_payload.json/',
    '/pricing\\_payload.json',
    '/pricing%2f_payload.json',
    '/pricing%5c_payload.json',
    '/pricing/./_payload.json',
    '/pricing/x/../_payload.json',
    '/pricing;/_payload.json',
    '/pricing/_payload.json;',
    '/pricing/_payload.json/_payload.json',
    '/pricing/_payload.json?/pricing',
    '/Pricing/_payload.json',
    '/pricing.html/_payload.json',
    '/pricing#/_payload.json',
    '/pricing/_payload.json%00',
    '/pricing/_payload.json%20',
  ]
  it.each(targets)('%s first', async (target) => {
    running.site.cache.purge(() => true)
    for (const method of ['GET', 'HEAD'])
      await rawRequest(
        running.port,
        `${method} ${target} HTTP/1.1\r\nHost: localhost:${running.port}\r\nAccept: application/json\r\nConnection: close\r\n\r\n`,
      )
    for (const path of ['/', '/pricing']) {
      const page = await get(path)
      expect([path, page.status, page.headers['content-type'], page.body.slice(0, 15)]).toEqual([
        path,
        200,
        'text/html; charset=utf-8',
        '<!doctype html>',
      ])
      const payload = await get(`${path === '/' ? '' : path}/_payload.json?${id}`)
      expect([path, isJson(payload), carrying(payload).path]).toEqual([path, true, path])
    }
    // With both stored, a payload's path still gets JSON, and other paths a page or a redirect.
    const text = await rawRequest(
      running.port,
      `GET ${target} HTTP/1.1\r\nHost: localhost:${running.port}\r\nConnection: close\r\n\r\n`,
    )
    const [head = '', body = ''] = text.split('\r\n\r\n')
    expect(/^content-type: application\/json/im.test(head)).toBe(/^\{/.test(body))
  })

  it('are stored independently of request headers', async () => {
    running.site.cache.purge(() => true)
    for (const headers of [
      { accept: 'application/json' },
      { 'x-nextjs-data': '1' },
      { rsc: '1' },
      { 'x-original-url': '/_payload.json' },
      { 'x-rewrite-url': '/_payload.json' },
      { 'x-http-method-override': 'POST' },
    ]) {
      expect((await get('/faq', { headers })).body.slice(0, 15)).toBe('<!doctype html>')
    }
  })
})
