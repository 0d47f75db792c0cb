import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import supertest from 'supertest'
import type { IslandResponse, PagePayload } from '../../../shared/payload'
import { buildFolder } from '../../../testing/root'
import { eventually, startTestSite, type TestSite } from '../../../testing/site'

/** The fields of a response that these tests read. */
const partsOf = ({ status, headers, body }: supertest.Response) => ({
  status,
  headers,
  body: body as unknown,
})

let site: TestSite
let id = ''
beforeAll(async () => {
  site = await startTestSite()
  id = (JSON.parse((await site.get('/builds/latest.json')).body) as { id: string }).id
}, 120_000)
afterAll(() => site.stop())

const client = () => supertest(`http://127.0.0.1:${site.port}`)
/** The URL of an island, computed from the specification. */
function address(
  name: string,
  lang: string,
  props: Readonly<Record<string, string>>,
  build = id,
): string {
  const json = JSON.stringify(
    Object.fromEntries(Object.entries(props).sort(([a], [b]) => (a < b ? -1 : 1))),
  )
  const hash = createHash('sha256')
    .update([name, lang, json, build].join('\n'))
    .digest('hex')
    .slice(0, 16)
  return `/__nuxt_island/${name}_${hash}.json?lang=${lang}&props=${encodeURIComponent(json)}`
}

describe('an island', () => {
  it.each([
    [
      'RelatedArticles',
      'en',
      { collection: 'blog', id: 'choosing-a-proxy-type' },
      '/blog/choosing-a-proxy-type',
      'related-heading',
    ],
    ['RelatedArticles', 'es', { collection: 'docs', id: 'proxies' }, '/es/docs/proxies', ''],
    ['ComparisonTable', 'fr', { id: 'gologin' }, '/fr/alternatives/gologin', '<table'],
    ['ReleaseList', 'en', { page: '1' }, '/release', '<ol'],
    ['HighlightedCode', 'en', { snippet: 'verify-windows' }, '/download', 'tok-'],
    ['HighlightedCode', 'jp', { snippet: 'verify-mac' }, '/jp/download', 'shasum'],
    ['DownloadFiles', 'en', {}, '/download', 'data-system="com_win64"'],
  ])(
    '%s in %s equals the HTML in its page and its payload',
    async (name, lang, props, page, sign) => {
      const url = address(name, lang, props)
      const { status, body, headers } = partsOf(await client().get(url))
      const answer = body as IslandResponse
      expect([status, Object.keys(answer).sort()]).toEqual([200, ['head', 'html', 'id', 'props']])
      expect(answer).toMatchObject({
        id: /(\w+_[0-9a-f]{16})\.json/.exec(url)?.[1],
        head: { link: [] },
        props,
      })
      expect(answer.html).toContain(sign)
      expect(headers['cache-control']).toContain('s-maxage=60')
      expect((await site.get(page)).body).toContain(`data-island="${name}">${answer.html}</div>`)
      const payload = JSON.parse(
        (await site.get(`${page}/_payload.json?${id}`)).body,
      ) as PagePayload
      expect(payload.islands).toContainEqual({ url, html: answer.html })
    },
  )

  it('is stored, answers 304 and HEAD, and comes compressed', async () => {
    const url = address('ReleaseList', 'tr', { page: '1' })
    const first = await site.get(url)
    expect(first.headers['cache-status']).toMatch(/^site; (?:fwd=miss; stored|hit)/)
    expect((await site.get(url)).headers['cache-status']).toMatch(/^site; hit/)
    expect(
      (await site.get(url, { headers: { 'if-none-match': String(first.headers.etag) } })).status,
    ).toBe(304)
    expect((await site.get(url, { method: 'HEAD' })).body).toBe('')
    await eventually(async () =>
      expect(
        (await site.get(url, { headers: { 'accept-encoding': 'gzip' } })).headers[
          'content-encoding'
        ],
      ).toBe('gzip'),
    )
  })

  it('accepts props in any order', async () => {
    const url = address('RelatedArticles', 'en', {
      collection: 'blog',
      id: 'choosing-a-proxy-type',
    })
    const turned = url.replace(
      /props=.*/,
      `props=${encodeURIComponent('{"id": "choosing-a-proxy-type", "collection": "blog"}')}`,
    )
    expect((await client().get(turned)).body).toEqual((await client().get(url)).body)
  })
})

describe('refusals', () => {
  const known = { collection: 'blog', id: 'choosing-a-proxy-type' }
  const swap = (url: string, props: string): string =>
    url.replace(/props=.*/, `props=${encodeURIComponent(props)}`)
  const good = (): string => address('RelatedArticles', 'en', known)
  it.each<[string, () => string, number]>([
    ['an unknown name', () => good().replace('RelatedArticles', 'Unknown'), 404],
    ['a name of Object', () => address('constructor', 'en', known), 404],
    ['an island without URL', () => address('SimilarPages', 'en', { words: 'proxy' }), 404],
    ['a wrong hash', () => good().replace(/_[0-9a-f]{16}/, '_0123456789abcdef'), 404],
    ['a hash of another build', () => address('RelatedArticles', 'en', known, 'another'), 404],
    ['another language than the hash has', () => good().replace('lang=en', 'lang=es'), 404],
    ['an unknown language', () => good().replace('lang=en', 'lang=xx'), 404],
    ['a language that is too long', () => good().replace('lang=en', `lang=${'e'.repeat(65)}`), 404],
    ['no language', () => good().replace('lang=en&', ''), 404],
    [
      'other props under a good hash',
      () => swap(good(), '{"collection":"blog","id":"other"}'),
      404,
    ],
    ['props that the schema refuses', () => swap(good(), '{"collection":"pages","id":"x"}'), 400],
    [
      'a prop too many',
      () => swap(good(), '{"collection":"blog","id":"choosing-a-proxy-type","extra":"1"}'),
      400,
    ],
    ['a prop of another type', () => swap(good(), '{"collection":"blog","id":1}'), 400],
    ['props that are a list', () => swap(good(), '[]'), 400],
    ['props that are no JSON', () => swap(good(), '{'), 400],
    ['no props', () => good().replace(/&props=.*/, ''), 400],
    [
      'an article that does not exist',
      () => address('RelatedArticles', 'en', { collection: 'blog', id: 'none' }),
      404,
    ],
    [
      'an id that is too long',
      () => address('RelatedArticles', 'en', { collection: 'blog', id: 'a'.repeat(65) }),
      404,
    ],
    [
      'an article that the language does not offer',
      () => address('RelatedArticles', 'ru', known),
      404,
    ],
    [
      'a comparison that the language does not offer',
      () => address('ComparisonTable', 'zh', { id: 'octo-browser' }),
      404,
    ],
    [
      'the picture of a landing page that does not exist',
      () => address('LandingHeroPicture', 'en', { collection: 'features', id: 'none' }),
      404,
    ],
    [
      'the sections of a landing page that does not exist',
      () => address('LandingBody', 'en', { collection: 'features', id: 'none' }),
      404,
    ],
    ['a list page past the end', () => address('ReleaseList', 'en', { page: '99' }), 404],
    [
      'a snippet that does not exist',
      () => address('HighlightedCode', 'en', { snippet: 'toString' }),
      404,
    ],
    ['no file', () => '/__nuxt_island/', 404],
    ['another file', () => `${good().split('?')[0]?.replace('.json', '.html')}`, 404],
    ['an encoded slash', () => '/__nuxt_island/..%2f..%2fetc.json', 404],
  ])('%s', async (_name, url, status) => {
    const { status: answered, body, headers } = partsOf(await client().get(url()))
    expect([answered, body, headers['cache-control']]).toEqual([
      status,
      { code: expect.any(Number), msg: expect.any(String), data: null },
      'no-store',
    ])
  })

  it.each(['post', 'put', 'delete', 'options'] as const)('%s', async (method) => {
    const { status, headers, body } = partsOf(await client()[method](good()))
    expect([status, headers['allow'], body]).toEqual([
      405,
      'GET, HEAD',
      { code: 40500, msg: 'Method not allowed', data: null },
    ])
  })
})

describe('code of islands', () => {
  it('never reaches the browser', () => {
    const folder = join(buildFolder(), 'client', 'assets')
    const scripts = readdirSync(folder)
      .filter((name) => name.endsWith('.js'))
      .map((name) => readFileSync(join(folder, name), 'utf8'))
      .join('\n')
    // Text keys and attributes that only components of islands use.
    for (const sign of [
      'related-heading',
      'comparison.caption',
      'data-column',
      'comparison.checked',
      'Get-FileHash',
    ])
      expect([sign, scripts.includes(sign)]).toEqual([sign, false])
    expect(scripts).toContain('data-island')
  })
})
