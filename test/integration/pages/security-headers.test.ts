/**
 * Security headers and content security policy (spec 8.7) on every kind of answer and of refusal,
 * of a site whose en and zh hosts are https, and whose ru host is not.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { CspEvaluator } from 'csp_evaluator/dist/evaluator'
import { Severity } from 'csp_evaluator/dist/finding'
import { CspParser } from 'csp_evaluator/dist/parser'
import { loaderScript, themeScript } from '../../../server/pages/render/content-security-policy'
import { previewPath, previewSecret } from '../../../server/pages/previews/preview-link'
import { contentWith } from '../../../testing/content-copy'
import { observatoryScore } from '../../../testing/observatory'
import { rawRequest } from '../../../testing/raw-request'
import { temporaryFolder } from '../../../testing/release-with-tests'
import {
  operator,
  opsToken,
  startTestSite,
  type Answer,
  type TestSite,
} from '../../../testing/site'
import { freePort } from '../../../testing/free-port'

const en = 'www.example.com'
const origins = {
  SITE_URL_EN: `https://${en}`,
  SITE_URL_ZH: 'https://www.example.cn',
  SITE_URL_RU: 'http://ru.example.com',
}
let content = ''
let site: TestSite
beforeAll(async () => {
  content = contentWith({ statistics: { title: '<script>window.counted = 1</script>', body: '' } })
  mkdirSync(join(content, 'blog', 'secret-plan'))
  writeFileSync(
    join(content, 'blog', 'secret-plan', 'en.md'),
    '---\ntitle: "Plan"\ndescription: "A plan, in a sentence"\ndate: 2026-11-12\ncategory: proxies\ndraft: true\n---\n\nUnfinished words.\n',
  )
  site = await startTestSite({
    ...origins,
    CONTENT_DIR: content,
    OPS_TOKEN: opsToken,
    RATE_MESSAGES: '1',
  })
}, 120_000)
afterAll(async () => {
  await site.stop()
  rmSync(content, { recursive: true, force: true })
})

/** Findings that are more severe than advice. */
const findingsOf = (policy: string): string[] =>
  new CspEvaluator(new CspParser(policy).csp)
    .evaluate()
    .filter(({ severity }) =>
      [
        Severity.HIGH,
        Severity.MEDIUM,
        Severity.HIGH_MAYBE,
        Severity.MEDIUM_MAYBE,
        Severity.SYNTAX,
      ].includes(severity),
    )
    .map(({ directive, value, description }) => `${directive} ${value ?? ''}: ${description}`)
const policyOf = ({ headers }: Pick<Answer, 'headers'>): string =>
  String(headers['content-security-policy'])

type Received = Pick<Answer, 'status' | 'headers' | 'body'>

/** The last answer to bytes that no HTTP client sends. */
function parseAnswer(text: string): Received {
  const [head = '', body = ''] = text.split(/\r\n\r\n([\s\S]*)/)
  const [statusLine = '', ...lines] = head.split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  )
  return { status: Number(statusLine.split(' ')[1] ?? 0), headers, body }
}
async function raw(text: string): Promise<Received> {
  const received = await rawRequest(site.port, text)
  return parseAnswer(received.slice(received.lastIndexOf('HTTP/1.1 ')))
}
const line = (start: string, headers = ''): Promise<Received> =>
  raw(`${start} HTTP/1.1\r\nHost: ${en}\r\n${headers}Connection: close\r\n\r\n`)
const get = (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> =>
  site.get(path, { host: en, headers, method })
const post = (path: string, headers: Record<string, string> = {}): Promise<Answer> =>
  get(path, { 'content-length': '0', ...headers }, 'POST')
/** Requests a path whose first answer is stored. */
async function stored(path: string, headers: Record<string, string> = {}): Promise<Answer> {
  await get(path)
  return get(path, headers)
}
/** Requests what a pattern finds in the body of an answer. */
async function linked(pattern: RegExp, from: string): Promise<Answer> {
  const [found] = pattern.exec((await get(from)).body) ?? []
  if (!found) throw new Error(`nothing in ${from} looks like ${pattern.source}`)
  return get(found.replace(`https://${en}`, ''))
}
/** Requests a path again with the entity tag of its first answer. */
async function again(path: string): Promise<Answer> {
  const { headers } = await get(path)
  return get(path, { 'if-none-match': String(headers.etag) })
}
const preview = (id: string): string =>
  previewPath(
    { collection: 'blog', id, locale: 'en', expires: Date.now() + 60_000 },
    previewSecret(site.dataDir),
  )
const image = (modifiers: string): Promise<Answer> =>
  get(`/_image/${modifiers}/picture-missing.svg`)

/** Kind of answer, its status, and how to get it. */
type Kind = readonly [name: string, status: number, ask: () => Promise<Received>]

const pages: readonly Kind[] = [
  ['a page that was just made', 200, () => get('/partner')],
  ['a page of the cache', 200, () => stored('/pricing')],
  ['a page to HEAD', 200, () => get('/pricing', {}, 'HEAD')],
  ['a page that the browser has', 304, () => again('/pricing')],
  ['a page without a stored answer', 200, () => get('/', { 'accept-language': 'en' })],
  ['a 404 page that was just made', 404, () => get('/nothing-is-here')],
  ['a 404 page of the cache', 404, () => stored('/nothing-is-there')],
  ['the error screen', 502, () => get('/error/502')],
  ['a preview', 200, () => get(preview('secret-plan'))],
  ['the application', 200, () => get('/app')],
  ['the sign-in form of the console', 200, () => get('/_ops/console')],
]

const answers: readonly Kind[] = [
  ['a redirect', 301, () => get('/Pricing')],
  ['a redirect of the cache', 301, () => stored('/Faq')],
  ['a redirect with a query', 301, () => get('/Faq?a=b')],
  ['a choice of language', 302, () => get('/', { 'accept-language': 'es' })],
  ['a redirect of availability', 302, () => get('/guide')],
  ['a payload', 200, () => get('/partner/_payload.json')],
  ['a payload of the cache', 200, () => stored('/partner/_payload.json')],
  ['a payload that the browser has', 304, () => again('/partner/_payload.json')],
  ['a payload that redirects', 200, () => get('/Pricing/_payload.json')],
  ['a payload of no page', 404, () => get('/nothing/_payload.json')],
  ['an island', 200, () => linked(/\/__nuxt_island\/[^"]+/, '/download/_payload.json')],
  ['a call', 200, () => get('/api/home/base-info?lang=en&type=home')],
  ['the state of the cache', 200, () => get('/_ops/cache', operator)],
  ['metrics', 200, () => get('/_ops/metrics', operator)],
  ['a call of the console', 200, () => get('/_ops/api/sessions', operator)],
  ['the former insights', 302, () => get('/_ops/insights')],
  ['a script', 200, () => linked(/\/assets\/main[^" ]+\.js/, '/pricing')],
  ['a style sheet', 200, () => linked(/\/assets\/main[^" ]+\.css/, '/pricing')],
  ['icons', 200, () => linked(/\/assets\/sprite[^"# ]+\.svg/, '/pricing')],
  ['a public file', 200, () => get('/favicon.svg')],
  ['a public file that the browser has', 304, () => again('/favicon.svg')],
  ['a part of a file', 206, () => get('/favicon.svg', { range: 'bytes=0-9' })],
  ['a part that a file does not have', 416, () => get('/favicon.svg', { range: 'bytes=5-1' })],
  ['a drawing', 200, () => image('_')],
  ['a picture', 200, () => image('w_992,f_webp')],
  ['a picture that the browser has', 304, () => again('/_image/_/picture-missing.svg')],
  ['robots.txt', 200, () => get('/robots.txt')],
  ['a sitemap', 200, () => get('/en-US-sitemap.xml')],
  ['a sitemap that the browser has', 304, () => again('/en-US-sitemap.xml')],
  ['a sitemap of another host', 301, () => get('/zh-CN-sitemap.xml')],
  ['a feed', 200, () => get('/blog/feed.xml')],
  ['the Markdown of an article', 200, () => get('/blog/choosing-a-proxy-type.md')],
  [
    'a script of the snippets',
    200,
    () => linked(/\/_snippets\/[0-9a-f]+\.js/, '/api/site/visitor-settings?lang=en'),
  ],
  ['a picture of another text', 302, () => get('/_og/0123456789abcdef/pricing.png')],
  ['liveness', 200, () => get('/healthz')],
  ['readiness', 200, () => get('/readyz')],
  ['the build', 200, () => get('/builds/latest.json')],
]

const refusals: readonly Kind[] = [
  ['a bad encoding', 400, () => get('/%zz')],
  ['a bad encoding of a call', 400, () => get('/api/%zz')],
  ['a bad field', 400, () => get('/api/home/base-info?lang=xx')],
  ['a path that leaves the API', 400, () => get('/api/..%2fadmin')],
  ['no host', 400, () => raw('GET / HTTP/1.1\r\nConnection: close\r\n\r\n')],
  ['no token', 401, () => get('/_ops/cache')],
  ['no token for a file', 401, () => get('/_ops/insights?format=csv&table=days')],
  ['no session', 401, () => get('/_ops/api/sessions')],
  ['a write from another site', 403, () => post('/api/site/message', { origin: 'null' })],
  ['no such call', 404, () => get('/api/nothing')],
  ['no such operation', 404, () => get('/_ops/nothing', operator)],
  ['no such asset', 404, () => get('/assets/nothing.js')],
  ['no such picture', 404, () => get('/_image/w_992,f_webp/nothing.png')],
  ['no such island', 404, () => get('/__nuxt_island/Nothing_0123456789abcdef.json')],
  ['no such snippet', 404, () => get('/_snippets/nothing.js')],
  ['no such preview', 404, () => get(preview('no-plan'))],
  ['no such build', 404, () => get('/builds/meta/nothing.json')],
  ['another method of a page', 405, () => post('/pricing')],
  ['another method of a call', 405, () => post('/api/home/base-info')],
  ['another method of an operation', 405, () => post('/_ops/cache', operator)],
  ['TRACE', 405, () => line('TRACE /')],
  ['a method that the parser refuses', 405, () => line('FROB /pricing')],
  ['CONNECT', 405, () => raw(`CONNECT ${en}:443 HTTP/1.1\r\nHost: ${en}\r\n\r\n`)],
  ['a large body', 413, () => post('/api/site/message', { 'content-length': '70000', ...json })],
  ['a long target', 414, () => line(`GET /${'x'.repeat(9000)}`)],
  ['a target too long for the parser', 414, () => line(`GET /${'x'.repeat(60_000)}`)],
  ['another content type', 415, () => post('/api/site/vitals', { 'content-type': 'text/plain' })],
  ['an expectation', 417, () => line('GET /pricing', 'Expect: the-unexpected\r\n')],
  ['an expectation of a call', 417, () => line('GET /api/nothing', 'Expect: more\r\n')],
  ['too many calls', 429, () => post('/api/site/message').then(() => post('/api/site/message'))],
  ['large headers', 431, () => line('GET /', `X-A: ${'x'.repeat(17_000)}\r\n`)],
  ['headers too large for the parser', 431, () => line('GET /', `X-A: ${'x'.repeat(60_000)}\r\n`)],
  ['a folded header', 400, () => line('GET /pricing', 'X-A: b\r\n c\r\n')],
  ['a folded header of a call', 400, () => line('GET /api/x', 'X-A: b\r\n c\r\n')],
  [
    'a length and chunks',
    400,
    () => line('POST /api/x', 'Content-Length: 1\r\nTransfer-Encoding: chunked\r\n'),
  ],
  ['another protocol', 400, () => raw(`GET / HTTP/9.9\r\nHost: ${en}\r\n\r\n`)],
  ['no request at all', 400, () => raw('\u0016\u0003\u0001\r\n\r\n')],
  [
    'a bad request after a good one',
    400,
    () => raw(`GET /pricing HTTP/1.1\r\nHost: ${en}\r\n\r\nno request\r\n\r\n`),
  ],
]
const json = { 'content-type': 'application/json' }

/** Headers that every answer has. Some answers are stricter about the referrer. */
const always = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': expect.stringMatching(/^(strict-origin-when-cross-origin|no-referrer)$/),
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'cross-origin-opener-policy': 'same-origin-allow-popups',
  'x-frame-options': 'DENY',
  'content-security-policy': expect.stringMatching(/^default-src 'none'; /),
}
const transportSecurity = 'max-age=63072000; includeSubDomains'

describe('on https', () => {
  it.each([...pages, ...answers, ...refusals])(
    '%s (%d) has all headers',
    async (name, status, ask) => {
      const { status: seen, headers } = await ask()
      expect([seen, headers]).toEqual([
        status,
        expect.objectContaining({
          ...always,
          'strict-transport-security': transportSecurity,
          // Other sites show these pictures.
          'cross-origin-resource-policy':
            name === 'a picture of another text' ? 'cross-origin' : 'same-origin',
        }),
      ])
      expect(headers['x-powered-by']).toBeUndefined()
    },
  )

  it.each([...pages, ...refusals])('%s (%d) scores above 100', async (_name, _status, ask) => {
    const answer = await ask()
    expect(observatoryScore(answer)).toEqual({ score: expect.any(Number), minus: [] })
    expect(observatoryScore(answer).score).toBeGreaterThan(100)
    expect(findingsOf(policyOf(answer))).toEqual([])
  })

  it('a site that starts answers 503 with all headers, and says that it lives', async () => {
    const port = await freePort()
    const dataDir = temporaryFolder('starting')
    const starting = startTestSite({ ...origins, PORT: String(port), DATA_DIR: dataDir })
    // In one write, so that all are answered at the same moment of the start.
    const requests = ['/pricing', '/readyz', '/healthz']
      .map((path) => `GET ${path} HTTP/1.1\r\nHost: ${en}\r\n`)
      .join('\r\n')
    let received = ''
    while (received === '')
      received = await rawRequest(port, `${requests}Connection: close\r\n\r\n`).catch(() => '')
    await (await starting).stop()
    rmSync(dataDir, { recursive: true, force: true })
    const answers = received.split('HTTP/1.1 ').slice(1)
    const headers = expect.objectContaining({
      ...always,
      'strict-transport-security': transportSecurity,
      'cache-control': 'no-store',
    })
    const refused = { status: 503, headers, body: expect.any(String) }
    expect(answers.map((text) => parseAnswer(`HTTP/1.1 ${text}`))).toEqual([
      refused,
      refused,
      { status: 200, headers, body: '{"status":"ok"}' },
    ])
    expect(received.match(/^retry-after: 1\r$/gim)).toHaveLength(2)
  }, 60_000)
})

describe('on http', () => {
  it.each([
    'GET /faq HTTP/1.1',
    'GET /Faq HTTP/1.1',
    'GET /nothing HTTP/1.1',
    'GET /api/nothing HTTP/1.1',
    'GET /faq HTTP/9.9',
    'FROB /faq HTTP/1.1',
    'CONNECT ru.example.com:80 HTTP/1.1',
  ])('%s has all headers but transport security', async (start) => {
    const { headers } = await raw(`${start}\r\nHost: ru.example.com\r\nConnection: close\r\n\r\n`)
    expect(headers).toEqual(expect.objectContaining(always))
    expect(headers['strict-transport-security']).toBeUndefined()
  })
})

describe('the policy of pages', () => {
  it.each([
    ['/', en],
    ['/docs/proxies', en],
    ['/th/pricing', en],
    ['/', 'www.example.cn'],
    ['/faq', 'ru.example.com'],
    ['/nothing-is-here', en],
  ])('of %s on %s has no finding in the evaluator, made and stored', async (path, host) => {
    const made = await site.get(path, { host })
    const kept = await site.get(path, { host })
    expect(String(kept.headers['cache-status'])).toMatch(/hit/)
    for (const answer of [made, kept]) expect(findingsOf(policyOf(answer))).toEqual([])
    expect(policyOf(kept)).toBe(policyOf(made))
  })

  it('is this, on https and on http', async () => {
    const hashes = [themeScript, loaderScript].map(
      (script) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
    )
    for (const [host, isHttps] of [
      [en, true],
      ['ru.example.com', false],
    ] as const)
      expect([
        host,
        policyOf(await site.get('/faq', { host }))
          .split('; ')
          .sort(),
      ]).toEqual([
        host,
        [
          "default-src 'none'",
          `script-src ${hashes.join(' ')} 'strict-dynamic'`,
          ...['style', 'img', 'connect', 'font', 'manifest'].map((name) => `${name}-src 'self'`),
          "form-action 'self'",
          "base-uri 'none'",
          "object-src 'none'",
          "frame-ancestors 'none'",
          ...(isHttps ? ['upgrade-insecure-requests'] : []),
        ].sort(),
      ])
  })

  it('of everything else is this', async () => {
    for (const path of ['/Faq', '/robots.txt', '/healthz', '/api/nothing', '/faq/_payload.json'])
      expect([path, policyOf(await get(path))]).toEqual([
        path,
        "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      ])
  })

  it('would have findings if it were less strict', () => {
    expect(findingsOf("default-src 'self'; script-src 'self' 'unsafe-inline'")).not.toEqual([])
    expect(findingsOf("script-src 'strict-dynamic' 'sha256-abc'")).not.toEqual([])
  })
})
