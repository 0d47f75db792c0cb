import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { readHead, readSitemap } from '../../../scripts/crawl/read-page'
import { allLocales } from '../../../shared/i18n/locales'
import { root } from '../../../testing/root'
import { temporaryFolder } from '../../../testing/release-with-tests'
import { eventually, hostNames, startTestSite, type TestSite } from '../../../testing/site'
import { ownTo } from '../../../testing/starter-articles'
import { schemaErrors } from '../../../testing/xml-schema'

const content = temporaryFolder('content')
const write = (path: string, text: string): void => {
  mkdirSync(join(content, path, '..'), { recursive: true })
  writeFileSync(join(content, path), text)
}
const article = (title: string, front = '', category = 'proxies'): string =>
  `---\ntitle: "${title}"\ndescription: "What ${title} is about, in a sentence"\ndate: 2026-11-02\ncategory: ${category}\ntags: [proxy]\n${front}---\n\nSome words.\n`

let site: TestSite
beforeAll(async () => {
  cpSync(join(root, 'content'), content, { recursive: true, preserveTimestamps: true })
  for (let number = 1; number <= 14; number += 1)
    write(
      `blog/part-${number}/en.md`,
      article(`Part ${number}`, number === 1 ? 'updated: 2026-11-09\n' : ''),
    )
  write('blog/chinese-only/zh.md', article('只有中文', '', 'chinese-matters'))
  write('blog/unpublished-draft/en.md', article('Draft', 'draft: true\n'))
  write('blog/in-three/es.md', article('Tres'))
  write('blog/in-three/tc.md', article('三'))
  write('blog/in-three/pt.md', article('Três'))
  // An industry whose slug is different in Chinese.
  cpSync(join(content, 'industries/betting/en.md'), join(content, 'industries/betting/zh.md'))
  writeFileSync(
    join(content, 'redirects.yaml'),
    '- { from: /faq, to: /pricing }\n- { from: /partner, to: /links, locales: [es] }\n',
  )
  site = await startTestSite({ CONTENT_DIR: content })
}, 120_000)
afterAll(async () => {
  await site.stop()
  rmSync(content, { recursive: true, force: true })
})

const originOf = (host: string): string => `http://${host}:${site.port}`
const part = async (tag: string, host: string = hostNames.en) =>
  readSitemap((await site.get(`/${tag}-sitemap.xml`, { host })).body)
const locs = async (tag: string, host?: string): Promise<string[]> =>
  (await part(tag, host)).map(({ loc }) => loc)

describe('the sitemap index', () => {
  it.each([
    [
      'en',
      [
        'en-US',
        'vi-VN',
        'es-ES',
        'pt-PT',
        'tr-TR',
        'th-TH',
        'fr-FR',
        'uk-UA',
        'ko-KR',
        'hi-IN',
        'ja-JP',
        'zh-TW',
      ],
    ],
    ['zh', ['zh-CN']],
    ['ru', ['ru-RU']],
  ] as const)('of the %s host lists its own languages, under both names', async (name, tags) => {
    const host = hostNames[name]
    const index = await site.get('/sitemap.xml', { host })
    expect({ status: index.status, type: index.headers['content-type'] }).toEqual({
      status: 200,
      type: 'application/xml',
    })
    expect(await schemaErrors(index.body, 'siteindex.xsd')).toEqual([])
    expect(readSitemap(index.body).map(({ loc }) => loc)).toEqual(
      tags.map((tag) => `${originOf(host)}/${tag}-sitemap.xml`),
    )
    expect((await site.get('/index-sitemap.xml', { host })).body).toBe(index.body)
  })

  it('is refused to other methods and answers HEAD without a body', async () => {
    expect((await site.get('/sitemap.xml', { method: 'POST' })).status).toBe(405)
    expect(await site.get('/sitemap.xml', { method: 'HEAD' })).toMatchObject({
      status: 200,
      body: '',
    })
  })
})

describe('the sitemap of a language', () => {
  it.each(allLocales.map(({ language, domain }) => [language, domain] as const))(
    '%s is valid and lists pages of its host, each once',
    async (tag, domain) => {
      const { body, status } = await site.get(`/${tag}-sitemap.xml`, { host: hostNames[domain] })
      expect(status).toBe(200)
      expect(await schemaErrors(body, 'all.xsd')).toEqual([])
      const found = readSitemap(body).map(({ loc }) => loc)
      expect(new Set(found).size).toBe(found.length)
      expect(found.filter((loc) => new URL(loc).origin !== originOf(hostNames[domain]))).toEqual([])
      expect(body).not.toMatch(/<priority>|<changefreq>/)
    },
  )

  it('redirects to its host, and is 404 when the part does not exist', async () => {
    const { status, headers } = await site.get('/zh-CN-sitemap.xml')
    expect({ status, location: headers.location }).toEqual({
      status: 301,
      location: `${originOf(hostNames.zh)}/zh-CN-sitemap.xml`,
    })
    expect((await site.get('/th-TH-sitemap.xml', { host: hostNames.ru })).headers.location).toBe(
      `${originOf(hostNames.en)}/th-TH-sitemap.xml`,
    )
    for (const path of [
      '/en-US-sitemap-2.xml',
      '/en-US-sitemap-1.xml',
      '/de-DE-sitemap.xml',
      '/en-us-sitemap.xml',
      '/en-US-sitemap-99999.xml',
    ])
      expect({ path, status: (await site.get(path)).status }).not.toMatchObject({ status: 200 })
  })

  it('has dates of the front matter, pages of lists, and only pages with a text in the language', async () => {
    const { body } = await site.get('/en-US-sitemap.xml')
    expect(body).toMatch(/blog\/part-1<\/loc><lastmod>2026-11-09</)
    expect(body).toMatch(/blog\/part-2<\/loc><lastmod>2026-11-02</)
    expect(body).not.toMatch(/\/pricing<\/loc><lastmod>/)
    const found = (await locs('en-US')).map((loc) => loc.slice(originOf(hostNames.en).length))
    expect(found).toEqual(
      expect.arrayContaining([
        '/',
        '/blog',
        '/blog?page=2',
        '/blog-proxies',
        '/blog-proxies/proxy',
        '/docs/proxies',
        '/solutions/crypto',
        '/rpa',
        '/betting',
      ]),
    )
    for (const path of [
      '/faq',
      '/_icons',
      '/error/404',
      '/docs',
      '/guide',
      '/use-cases',
      '/media-market',
      '/blog/unpublished-draft',
      '/blog/in-three',
      '/blog?page=3',
      '/blog-chinese-matters',
      '/alternatives/ziniao',
    ])
      expect(found).not.toContain(path)
    // Starter articles that exist in Spanish; the others are shown in English, so they are left
    // out.
    const spanish = ['in-three', ...ownTo('es')].map(
      (id) => `${originOf(hostNames.en)}/es/blog/${id}`,
    )
    expect((await locs('es-ES')).filter((loc) => loc.includes('/blog/')).sort()).toEqual(
      spanish.sort(),
    )
    expect(await locs('es-ES')).not.toContain(`${originOf(hostNames.en)}/es/partner`)
    expect(
      (await locs('ru-RU', hostNames.ru)).filter((loc) =>
        /\/(blog|news|guide|solutions$)/.test(loc),
      ),
    ).toEqual([])
    expect(await locs('zh-CN', hostNames.zh)).toEqual(
      expect.arrayContaining(
        [
          '/media-market',
          '/guide/first-profile',
          '/blog-chinese-matters',
          '/blog/chinese-only',
        ].map((path) => originOf(hostNames.zh) + path),
      ),
    )
  })

  it.each(['/es/blog/in-three', '/blog-proxies', '/links', '/es', '/partner', '/agencies'])(
    'announces the alternates that the head of %s has',
    async (path) => {
      const address = originOf(hostNames.en) + path
      const listed = (await part(path.startsWith('/es') ? 'es-ES' : 'en-US')).find(
        ({ loc }) => loc === address,
      )
      const head = readHead((await site.get(path)).body)
      expect(head.canonical).toBe(address)
      expect([...(listed?.alternates ?? [])]).toEqual([...head.alternates])
      expect([...head.alternates.values()]).toContain(address)
    },
  )

  it('omits hreflang of languages where the page is redirected or the list is empty', async () => {
    const partner = readHead((await site.get('/partner')).body).alternates
    expect([partner.has('es-ES'), partner.has('pt-PT'), partner.get('x-default')]).toEqual([
      false,
      true,
      `${originOf(hostNames.en)}/partner`,
    ])
    const chinese = readHead(
      (await site.get('/blog-chinese-matters', { host: hostNames.zh })).body,
    ).alternates
    expect([...chinese.keys()].sort()).toEqual(['zh', 'zh-CN', 'zh-Hant', 'zh-TW'])
    const three = readHead((await site.get('/es/blog/in-three')).body).alternates
    expect([...three.keys()].sort()).toEqual(['es', 'es-ES', 'pt', 'pt-PT', 'zh-Hant', 'zh-TW'])
  })

  it('is compressed, answers 304 to its ETag, and changes the ETag with its content', async () => {
    const first = await site.get('/en-US-sitemap.xml', { headers: { 'accept-encoding': 'gzip' } })
    expect(first.headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(first.bytes).toString()).toContain('</urlset>')
    const condition = { 'if-none-match': String(first.headers.etag) }
    expect((await site.get('/en-US-sitemap.xml', { headers: condition })).status).toBe(304)
    write('blog/fresh/en.md', article('Fresh'))
    await eventually(async () =>
      expect((await site.get('/en-US-sitemap.xml', { headers: condition })).body).toContain(
        '/blog/fresh<',
      ),
    )
    rmSync(join(content, 'blog/fresh'), { recursive: true })
    await eventually(async () =>
      expect((await site.get('/en-US-sitemap.xml', { headers: condition })).status).toBe(304),
    )
  })

  it('is made once, for requests at the same time and for later ones', async () => {
    const path = '/es-ES-sitemap.xml'
    const gzip = { 'accept-encoding': 'gzip' }
    const condition = { 'if-none-match': String((await site.get(path)).headers.etag) }
    write('blog/made-once/es.md', article('Una vez'))
    // An edit is published in two steps: the article, then the counts of its lists. The second one
    // changes the ETag.
    await eventually(async () =>
      expect((await site.get(path, { headers: condition })).status).toBe(200),
    )
    // The site may notice the second step after these requests, and then makes the file once more.
    await eventually(async () => {
      const together = await Promise.all(
        [gzip, gzip, {}, { 'accept-encoding': 'br' }].map((headers) => site.get(path, { headers })),
      )
      const texts = together.map(({ headers, bytes }) =>
        (headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString(),
      )
      expect(new Set(texts).size).toBe(1)
      expect(texts[0]).toContain('/es/blog/made-once<')
      const again = await site.get(path, { headers: gzip })
      expect(again.headers['cache-status']).toBe('site; hit')
      expect(again.headers['content-encoding']).toBe('gzip')
      expect(again.headers.vary).toContain('Accept-Encoding')
      expect(again.bytes.equals(together[0]?.bytes ?? Buffer.alloc(0))).toBe(true)
    })
    rmSync(join(content, 'blog/made-once'), { recursive: true })
  })

  it('shows an article in list, feed and sitemap within a second of its publication', async () => {
    const at = Date.now() + 2500
    write(
      'blog/timed/en.md',
      article('Timed', `publish: ${new Date(at).toISOString()}\n`).replace(
        '2026-11-02',
        '2026-11-20',
      ),
    )
    const seen = async (): Promise<boolean[]> => [
      (await site.get('/blog/timed')).status === 200,
      ...(await Promise.all(
        ['/blog', '/blog/feed.xml', '/en-US-sitemap.xml'].map(async (path) =>
          (await site.get(path)).body.includes('/blog/timed'),
        ),
      )),
    ]
    await new Promise((resolve) => setTimeout(resolve, 1000))
    const before = await seen()
    // A busy machine may need longer than until then for four answers.
    if (Date.now() < at) expect(before).toEqual([false, false, false, false])
    await eventually(
      async () => expect(await seen()).toEqual([true, true, true, true]),
      Math.max(0, at - Date.now()) + 10_000,
    )
  })
})
