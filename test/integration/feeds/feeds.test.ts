import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import Parser from 'rss-parser'
import sharp from 'sharp'
import { readHead } from '../../../scripts/crawl/read-page'
import { root } from '../../../testing/root'
import { allLocales } from '../../../shared/i18n/locales'
import { requiredFaults, type Thing } from '../../../testing/structured-data'
import { schemaErrors } from '../../../testing/xml-schema'
import { temporaryFolder } from '../../../testing/release-with-tests'
import { eventually, hostNames, startTestSite, type TestSite } from '../../../testing/site'
import { ownTo } from '../../../testing/starter-articles'

const content = temporaryFolder('content')
const write = (path: string, text: string): void => {
  mkdirSync(join(content, path, '..'), { recursive: true })
  writeFileSync(join(content, path), text)
}
const hostile = 'Ends </script><script>alert(1)</script> & "quotes" ]]>'
const article = (title: string, front = '', body = 'Some words.'): string =>
  `---\ntitle: ${JSON.stringify(title)}\ndescription: ${JSON.stringify(`About ${title}`)}\ndate: 2026-11-12\ncategory: proxies\ntags: [proxy]\n${front}---\n\n${body}\n`

let site: TestSite
beforeAll(async () => {
  cpSync(join(root, 'content'), content, { recursive: true, preserveTimestamps: true })
  const yaml = join(content, 'site.yaml')
  cpSync(join(root, 'content/site.yaml'), yaml)
  writeFileSync(yaml, 'authors:\n  jane: { name: Jane Ash, url: "https://jane.example" }\n', {
    flag: 'a',
  })
  write(
    'blog/hostile/en.md',
    article(
      hostile,
      'author: jane\n',
      'A [link](/docs/proxies#check) and `[no](/link)`.\n\n```\n[code](/docs/proxies)\n```',
    ),
  )
  write(
    'blog/espanol/es.md',
    article(
      'En español',
      'author: Pablo\nupdated: 2026-11-15\n',
      '[Enlace](/pricing) [Archivo](/favicon.svg)',
    ),
  )
  for (const part of [2, 1])
    write(
      `news/story-${part}/en.md`,
      article(`Story part ${part}`, `series: the-story\npart: ${part}\n`),
    )
  site = await startTestSite({
    CONTENT_DIR: content,
    SITE_URL_EN: 'https://www.example.com',
    INDEXING: 'off',
  })
}, 120_000)
afterAll(async () => {
  await site.stop()
  rmSync(content, { recursive: true, force: true })
})

const thingsOf = (html: string): Thing[] =>
  (
    JSON.parse(
      /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html)?.[1] ?? '{"@graph":[]}',
    ) as { '@graph': Thing[] }
  )['@graph']
const origin = 'https://www.example.com'

describe('robots.txt', () => {
  it('excludes robots from a staging site, files included', async () => {
    expect((await site.get('/robots.txt')).body).toBe('User-agent: *\nDisallow: /\n')
    const files = ['/robots.txt', '/blog/feed.xml', '/sitemap.xml', '/favicon.svg']
    // The second answer of a redirect is a stored one.
    for (const path of ['/', ...files, '/PRICING', '/PRICING'])
      expect({ path, robots: (await site.get(path)).headers['x-robots-tag'] }).toEqual({
        path,
        robots: 'noindex',
      })
    const { noindex, alternates } = readHead((await site.get('/pricing')).body)
    // The languages stay, so that they can be checked before the site is open.
    expect([noindex, alternates.size]).toEqual([true, 29])
  })
})

describe('feeds', () => {
  it.each([
    ['/blog/feed.xml', hostNames.en, 'en-US'],
    ['/news/feed.xml', hostNames.en, 'en-US'],
    ['/es/blog/feed.xml', hostNames.en, 'es-ES'],
    ['/th/news/feed.xml', hostNames.en, 'th-TH'],
    ['/blog/feed.xml', hostNames.zh, 'zh-CN'],
  ])('%s on %s is Atom that a reader takes', async (path, host, language) => {
    const { status, headers, body } = await site.get(path, { host })
    expect({ status, type: headers['content-type'] }).toEqual({
      status: 200,
      type: 'application/atom+xml; charset=utf-8',
    })
    expect(body).toContain(`xml:lang="${language}"`)
    const feed = await new Parser().parseString(body)
    expect(feed.feedUrl).toMatch(new RegExp(`${path}$`))
    for (const item of feed.items)
      expect(item).toMatchObject({
        title: expect.stringMatching(/./),
        link: expect.stringMatching(/^https?:/),
        id: item.link,
        isoDate: expect.stringMatching(/^\d{4}-/),
      })
  })

  it.each(
    allLocales
      .filter(({ code }) => code !== 'ru')
      .flatMap((locale) =>
        (['blog', 'news'] as const).map((collection) => ({ ...locale, collection })),
      ),
  )('$collection in $code is what RFC 4287 says', async ({ collection, prefix, domain }) => {
    const { status, body } = await site.get(`${prefix}/${collection}/feed.xml`, {
      host: hostNames[domain],
    })
    expect(status).toBe(200)
    expect(await schemaErrors(body, 'atom.rng')).toEqual([])
    // Rules that the schema cannot express: one self link (4.2.7.2), unique ids (4.2.6), absolute
    // URLs.
    const { items } = await new Parser().parseString(body)
    expect(new Set(items.map(({ id }) => id as string)).size).toBe(items.length)
    expect(body.match(/rel="self"/g)).toHaveLength(1)
    for (const [, address = ''] of body.matchAll(/<(?:id|uri)>([^<]*)</g))
      expect(address).toMatch(/^https?:\/\/[^/]+/)
  })
  it('fail the check when they are not valid', async () => {
    const { body } = await site.get('/blog/feed.xml')
    for (const [sound, broken] of [
      ['<updated>', '<updated>x'],
      ['</feed>', '<pubDate/></feed>'],
      [/<title>/, '<title/><title>'],
      [/<author>.*?<\/author>/s, ''],
      ['rel="self"', 'rel=""'],
    ] as const)
      expect([
        broken,
        (await schemaErrors(body.replace(sound, broken), 'atom.rng')).length,
      ]).not.toEqual([broken, 0])
  })

  it('contain only articles in the language, newest first, with any characters in titles', async () => {
    const english = await new Parser().parseString((await site.get('/blog/feed.xml')).body)
    expect(english.items.find(({ link }) => link === `${origin}/blog/hostile`)).toMatchObject({
      title: hostile,
      link: `${origin}/blog/hostile`,
      author: 'Jane Ash',
    })
    const dates = english.items.map(({ isoDate }) => isoDate ?? '')
    expect(dates).toEqual([...dates].sort().reverse())
    const spanish = await new Parser().parseString((await site.get('/es/blog/feed.xml')).body)
    expect(spanish.items.map(({ link }) => link).sort()).toEqual(
      ['espanol', ...ownTo('es')].map((id) => `${origin}/es/blog/${id}`).sort(),
    )
    expect(spanish.items.find(({ link }) => link === `${origin}/es/blog/espanol`)?.content).toMatch(
      /href="\/es\/pricing".*href="\/favicon.svg"/,
    )
  })

  it('do not exist in Russian and at other paths', async () => {
    for (const [path, host] of [
      ['/blog/feed.xml', hostNames.ru],
      ['/news/feed.xml', hostNames.ru],
      ['/docs/feed.xml', hostNames.en],
      ['/xx/blog/feed.xml', hostNames.en],
    ] as const)
      expect({ path, status: (await site.get(path, { host })).status }).toEqual({
        path,
        status: 404,
      })
    expect((await site.get('/es/blog/feed.xml', { host: hostNames.zh })).headers.location).toBe(
      `${origin}/es/blog/feed.xml`,
    )
    expect((await site.get('/pricing', { host: hostNames.ru })).body).not.toContain(
      'application/atom+xml',
    )
    expect((await site.get('/vn/pricing')).body).toContain(`href="${origin}/vn/blog/feed.xml"`)
  })

  it('answer 304 until an article changes', async () => {
    const condition = { 'if-none-match': String((await site.get('/news/feed.xml')).headers.etag) }
    expect((await site.get('/news/feed.xml', { headers: condition })).status).toBe(304)
    write(
      'news/story-2/en.md',
      article('Story part 2', 'series: the-story\npart: 2\n', 'Edited words.'),
    )
    await eventually(async () =>
      expect((await site.get('/news/feed.xml', { headers: condition })).body).toContain(
        'Edited words',
      ),
    )
  })
})

describe('texts for machines', () => {
  it('include the Markdown of an article with absolute links and unchanged code', async () => {
    const { status, headers, body } = await site.get('/blog/hostile.md')
    expect({ status, type: headers['content-type'], link: headers['link'] }).toEqual({
      status: 200,
      type: 'text/markdown; charset=utf-8',
      link: `<${origin}/blog/hostile>; rel="canonical"`,
    })
    expect(body).toContain(`# ${hostile}`)
    expect(body).toContain(`[link](${origin}/docs/proxies#check)`)
    expect(body).toContain('```\n[code](/docs/proxies)\n```')
    const { headers: untranslated } = await site.get('/es/blog/hostile.md')
    expect(untranslated).toMatchObject({ 'content-language': 'en-US', link: headers['link'] })
    for (const path of ['/rpa.md', '/release/1.0.0.md', '/solutions/e-commerce.md', '/privacy.md'])
      expect({ path, status: (await site.get(path)).status }).toEqual({ path, status: 200 })
    for (const path of ['/blog/nothing.md', '/pricing.md', '/.md', '/blog.md'])
      expect({ path, status: (await site.get(path)).status }).toEqual({ path, status: 404 })
  })

  it.each([
    ['en', origin],
    ['zh', null],
    ['ru', null],
  ] as const)('has an llms.txt of the %s host whose links all answer', async (name, given) => {
    const host = hostNames[name]
    const { body } = await site.get('/llms.txt', { host })
    const own = [...body.matchAll(/\]\((https?:\/\/[^/)]+)(\/[^)]*\.md)\)/g)]
    expect(own.length).toBeGreaterThan(name === 'ru' ? -1 : 5)
    for (const [, base, path = ''] of own)
      expect({ base, path, status: (await site.get(path, { host })).status }).toEqual({
        base: given ?? `http://${host}:${site.port}`,
        path,
        status: 200,
      })
  })
})

describe('structured data', () => {
  it('is valid for any title, and has what schema.org and search engines require', async () => {
    const { body } = await site.get('/blog/hostile')
    const things = thingsOf(body)
    const of = (type: string): Thing | undefined => things.find((thing) => thing['@type'] === type)
    expect(of('Organization')).toMatchObject({
      name: expect.any(String),
      url: `${origin}/`,
      logo: `${origin}/favicon.svg`,
    })
    expect(of('WebSite')).toMatchObject({
      name: expect.any(String),
      url: `${origin}/`,
      inLanguage: 'en-US',
    })
    expect(of('Article')).toMatchObject({
      headline: hostile,
      datePublished: '2026-11-12',
      dateModified: '2026-11-12',
      author: { '@type': 'Person', name: 'Jane Ash', url: 'https://jane.example' },
      image: [readHead(body).image],
      mainEntityOfPage: `${origin}/blog/hostile`,
    })
    const crumbs = of('BreadcrumbList')?.['itemListElement'] as Thing[]
    expect(crumbs.map(({ position, item }) => [position, item])).toEqual([
      [1, `${origin}/`],
      [2, `${origin}/blog`],
      [3, `${origin}/blog-proxies`],
      [4, `${origin}/blog/hostile`],
    ])
    for (const { name } of crumbs) expect(name).toMatch(/./)
    expect(body.match(/<script>alert/g)).toBeNull()
  })

  it.each([
    ['/pricing', hostNames.en, ['Home', 'Pricing']],
    ['/rpa', hostNames.en, ['Home', 'RPA']],
    ['/solutions/amazon', hostNames.en, ['Home', 'Solutions', 'Amazon']],
    ['/solutions/amazon', hostNames.zh, ['首页', '解决方案', '亚马逊']],
  ])('name pages in breadcrumbs as the menus do: %s %s', async (path, host, names) => {
    const { body } = await site.get(path, { host })
    const trail = thingsOf(body).find((thing) => thing['@type'] === 'BreadcrumbList')
    const crumbs = trail?.['itemListElement'] as Thing[]
    expect(crumbs.map(({ name }) => name)).toEqual(names)
    const current = /<li[^>]*aria-current="page"[^>]*>(.*?)<\/li>/s.exec(body)?.[1]
    expect(current?.replace(/<[^>]+>/g, '')).toBe(names.at(-1))
  })

  it.each([
    ['/', hostNames.en, 'WebSite'],
    ['/blog', hostNames.en, 'BreadcrumbList'],
    ['/blog/espanol', hostNames.en, 'none'],
    ['/es/blog/espanol', hostNames.en, 'Article'],
    ['/news/story-1', hostNames.en, 'Article'],
    ['/docs/proxies', hostNames.en, 'Article'],
    ['/th/docs/proxies', hostNames.en, 'Article'],
    ['/helps/change-your-plan', hostNames.en, 'Article'],
    ['/guide/first-profile', hostNames.zh, 'Article'],
    ['/blog', hostNames.zh, 'BreadcrumbList'],
    ['/pricing', hostNames.ru, 'SoftwareApplication'],
    ['/jp', hostNames.en, 'SoftwareApplication'],
    ['/tc/download', hostNames.en, 'SoftwareApplication'],
    ['/solutions/e-commerce', hostNames.en, 'BreadcrumbList'],
    ['/alternatives/gologin', hostNames.en, 'BreadcrumbList'],
    ['/rpa', hostNames.en, 'BreadcrumbList'],
    ['/faq', hostNames.ru, 'BreadcrumbList'],
    ['/blog-proxies/proxy', hostNames.en, 'BreadcrumbList'],
  ])('of %s on %s has every field that its kinds require', async (path, host, kind) => {
    const { status, body } = await site.get(path, { host })
    const things = thingsOf(body)
    expect([status, things.some((thing) => thing['@type'] === kind)]).toEqual(
      kind === 'none' ? [404, false] : [200, true],
    )
    expect(requiredFaults(things)).toEqual([])
    for (const name of ['datePublished', 'headline', 'itemListElement', 'price']) {
      const holders = JSON.stringify(things).includes(`"${name}"`)
      // The check must notice removed properties.
      if (holders)
        expect(
          requiredFaults(
            JSON.parse(
              JSON.stringify(things, (key, value: unknown) => (key === name ? undefined : value)),
            ) as Thing[],
          ),
        ).not.toEqual([])
    }
  })

  it.each(['/', '/download', '/pt/pricing'])(
    "describes the program on %s with an offer in the page's currency",
    async (path) => {
      const software = thingsOf((await site.get(path)).body).find(
        (thing) => thing['@type'] === 'SoftwareApplication',
      )
      expect(software).toMatchObject({
        name: expect.any(String),
        operatingSystem: expect.stringContaining('Windows'),
        applicationCategory: 'BusinessApplication',
      })
      for (const offer of software?.['offers'] as Thing[])
        expect(offer).toMatchObject({
          '@type': 'Offer',
          price: expect.stringMatching(/^\d+$/),
          priceCurrency: path.startsWith('/pt') ? 'BRL' : 'USD',
        })
    },
  )

  it('is absent on error pages', async () => {
    expect(thingsOf((await site.get('/nothing/here')).body)).toEqual([])
  })
})

describe('the social picture of a page', () => {
  it.each([
    ['/', hostNames.en],
    ['/th/docs/proxies', hostNames.en],
    ['/jp', hostNames.en],
    ['/pricing', hostNames.zh],
    ['/faq', hostNames.ru],
    ['/blog/hostile', hostNames.en],
  ])(
    'of %s on %s is made once and kept',
    async (path, host) => {
      const image = new URL(readHead((await site.get(path, { host })).body).image ?? 'about:blank')
      const first = await site.get(image.pathname, { host })
      expect({
        status: first.status,
        type: first.headers['content-type'],
        cache: first.headers['cache-control'],
      }).toEqual({ status: 200, type: 'image/png', cache: 'public, max-age=31536000, immutable' })
      expect(await sharp(first.bytes).metadata()).toMatchObject({
        format: 'png',
        width: 1200,
        height: 630,
      })
      expect((await site.get(image.pathname, { host })).bytes.equals(first.bytes)).toBe(true)
    },
    30_000,
  )

  it('shows only titles of pages', async () => {
    const { pathname } = new URL(
      readHead((await site.get('/about-us')).body).image ?? 'about:blank',
    )
    const stale = await site.get(pathname.replace(/[0-9a-f]{16}/, '0123456789abcdef'))
    expect({ status: stale.status, location: stale.headers.location }).toEqual({
      status: 302,
      location: origin + pathname,
    })
    for (const path of [
      '/_og/0123456789abcdef/no/such/page.png',
      '/_og/0123456789abcdef/Buy%20now.png',
      '/_og/x/about-us.png',
      '/_og/0123456789abcdef/about-us.svg',
      '/_og/0123456789abcdef/../../preview.secret.png',
      '/_og',
    ])
      expect({ path, status: (await site.get(path)).status }).toEqual({ path, status: 404 })
  })
})

describe('a series', () => {
  it('lists its parts in order on every part, and a new part immediately', async () => {
    const parts = async (): Promise<string[]> =>
      [
        ...(((await site.get('/news/story-1')).body.split('id="series-heading"')[1] ?? '')
          .split('</ol>')[0]
          ?.matchAll(/<li[^>]*>(?:<a[^>]*>)?([^<]+)/g) ?? []),
      ].map(([, title = '']) => title)
    expect(await parts()).toEqual(['Story part 1', 'Story part 2'])
    write('news/story-3/en.md', article('Story part 3', 'series: the-story\npart: 3\n'))
    await eventually(async () =>
      expect(await parts()).toEqual(['Story part 1', 'Story part 2', 'Story part 3']),
    )
  })
})

describe('related articles', () => {
  it('appear and disappear with the articles', async () => {
    const shown = async (): Promise<boolean> =>
      (await site.get('/blog/hostile')).body.includes('href="/blog/much-alike"')
    expect(await shown()).toBe(false)
    expect((await site.get('/blog/hostile')).headers['cache-status']).toMatch(/^site; hit/)
    write('blog/much-alike/en.md', article(`${hostile}, once more`))
    await eventually(async () => expect(await shown()).toBe(true))
    rmSync(join(content, 'blog/much-alike'), { recursive: true })
    await eventually(async () => expect(await shown()).toBe(false))
  })
})
