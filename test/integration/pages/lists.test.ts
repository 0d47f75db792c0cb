/**
 * Lists, guards and heads of a site whose settings and content differ from the starter content: few
 * entries of one kind, many of another.
 */
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { readHead } from '../../../scripts/crawl/read-page'
import { contentWith } from '../../../testing/content-copy'
import { pageElements } from '../../../testing/page-elements'
import { root } from '../../../testing/root'
import {
  eventually,
  hostNames,
  startTestSite,
  type Answer,
  type TestSite,
} from '../../../testing/site'

const perPage = 12
const articles = 31
/** Ids of landing pages without a picture, and their drawings. */
const drawings = new Map([
  ['synchronizer', 'picture-sync'],
  ['rpa', 'picture-flow'],
  ['local-api', 'picture-api'],
  ['plain', 'picture-profiles'],
])
let content = ''
let site: TestSite

function write(path: string, front: readonly string[], body = 'Some words.'): void {
  mkdirSync(join(content, path, '..'), { recursive: true })
  writeFileSync(
    join(content, path),
    `---\ndescription: "A description that is long enough"\n${front.join('\n')}\n---\n\n${body}\n`,
  )
}
/** Keeps one file of an entry. */
function keepOnly(entry: string, file: string): void {
  for (const name of readdirSync(join(content, entry)))
    if (name.endsWith('.md') && name !== file) rmSync(join(content, entry, name))
}

beforeAll(async () => {
  content = contentWith({
    pre_sales: false,
    csp: {
      connect: ['https://connect.test'],
      img: ['https://img.test'],
      frame: ['https://frame.test'],
      style: ['https://style.test'],
    },
  })
  for (let number = 1; number <= articles; number += 1)
    write(`blog/listed-${number}/en.md`, [
      `title: "Listed ${number}"`,
      `seo_title: "For results ${number}"`,
      `date: 2026-11-${String(number).padStart(2, '0')}`.replace('2026-11-31', '2026-10-31'),
      'category: listed',
      `tags: [${number <= 3 ? 'one, two' : 'one'}]`,
    ])
  for (let number = 1; number <= 101; number += 1)
    write(`news/item-${number}/en.md`, [
      `title: "Item ${number}"`,
      'date: 2026-11-02',
      'category: listed',
      'tags: [one]',
    ])
  for (const collection of ['helps', 'guide'])
    rmSync(join(content, collection), { recursive: true })
  for (const id of readdirSync(join(content, 'solutions')))
    if (id !== 'e-commerce') rmSync(join(content, 'solutions', id), { recursive: true })
  keepOnly('solutions/e-commerce', 'zh.md')
  keepOnly('alternatives/gologin', 'zh.md')
  const comparison = join(content, 'alternatives/gologin/zh.md')
  const today = new Date().toISOString().slice(0, 10)
  writeFileSync(
    comparison,
    readFileSync(comparison, 'utf8').replace(
      /^ {4}ours: .*$/m,
      `$&\n    theirs: { text: "Their plan", source: "https://maker.test/plans", checked: ${today} }`,
    ),
  )
  // The same landing page four times: its drawing follows its id.
  for (const id of drawings.keys())
    write(`features/${id}/en.md`, [
      `title: "Feature ${id}"`,
      'lead: "Plain"',
      'benefits:',
      ...[1, 2, 3].map((number) => `  - { title: "Benefit ${number}", text: "Why" }`),
      'steps:',
      ...[1, 2, 3].map((number) => `  - { title: "Step ${number}", text: "How" }`),
      'questions:',
      ...[1, 2].map((number) => `  - { question: "Question ${number}?", answer: "Yes" }`),
    ])
  for (const id of ['rpa', 'own-page']) write(`pages/${id}/en.md`, [`title: "Page ${id}"`])
  cpSync(join(content, 'industries/betting/en.md'), join(content, 'industries/betting/zh.md'))
  mkdirSync(join(content, 'blog', 'no-article'))
  cpSync(
    join(content, 'blog/choosing-a-proxy-type/cover.png'),
    join(content, 'blog/no-article/cover.png'),
  )
  site = await startTestSite({
    CONTENT_DIR: content,
    LOCALE_NEGOTIATION: 'unprefixed',
    BENCH_PAGES: '1',
    AUTH_ORIGIN: 'https://sign-in.test',
    GOOGLE_CLIENT_ID: 'client',
    GSI_SCRIPT_URL: 'https://identity.test/client.js',
    CDN_MAX_AGE: '7',
    CDN_TAGS: 'on',
    TRUST_PROXY: '1',
  })
}, 120_000)
afterAll(async () => {
  await site.stop()
  rmSync(content, { recursive: true, force: true })
})

const get = (path: string, host: string = hostNames.en): Promise<Answer> => site.get(path, { host })
const listed = ({ body }: Answer): string[] => [
  ...new Set(body.match(/\/blog\/listed-\d+(?=")/g) ?? []),
]
const oneTapOf = async (from: TestSite): Promise<unknown> =>
  (
    JSON.parse((await from.get('/api/site/visitor-settings?lang=en')).body) as {
      data: { oneTap: unknown }
    }
  ).data.oneTap
const english = { headers: { 'accept-language': 'en' } }

describe('a list', () => {
  it('shows 12 entries a page', async () => {
    const counts = await Promise.all(
      ['', '?page=2', '?page=3', '?page=4'].map(async (query) => {
        const answer = await get(`/blog-listed${query}`)
        return answer.status === 200 ? listed(answer).length : answer.status
      }),
    )
    expect(counts).toEqual([perPage, perPage, articles - 2 * perPage, 404])
  })

  it('by tags has the articles that have all of them', async () => {
    expect(listed(await get('/blog-listed/two')).sort()).toEqual(
      [1, 2, 3].map((number) => `/blog/listed-${number}`),
    )
    expect(listed(await get('/blog-listed/one+two'))).toHaveLength(3)
    expect(listed(await get('/blog-listed/one'))).toHaveLength(perPage)
    for (const path of ['/blog-listed/none', '/blog-listed/none+one', '/news-listed/two'])
      expect([path, (await get(path)).status]).toEqual([path, 404])
    expect((await get('/news-listed/one')).status).toBe(200)
  })

  it('names itself as canonical, with its page and no other parameter', async () => {
    const first = readHead((await get('/blog-listed?utm_source=x')).body)
    const second = readHead((await get('/blog-listed?utm_source=x&page=2')).body)
    const origin = `http://localhost:${site.port}`
    expect([first.canonical, second.canonical]).toEqual([
      `${origin}/blog-listed`,
      `${origin}/blog-listed?page=2`,
    ])
    expect([first.alternates.size > 0, second.alternates.size]).toEqual([true, 0])
  })

  it('is open to robots, unless it is of several tags, when it also names no other language', async () => {
    const robotsAndLanguages = async (path: string) => {
      const { noindex, alternates } = readHead((await get(path)).body)
      return { path, noindex, hasLanguages: alternates.size > 0 }
    }
    for (const path of ['/blog-listed', '/blog-listed/one', '/pricing'])
      expect(await robotsAndLanguages(path)).toEqual({ path, noindex: false, hasLanguages: true })
    const secondPage = '/blog-listed?page=2'
    expect(await robotsAndLanguages(secondPage)).toMatchObject({ noindex: false })
    for (const path of ['/blog-listed/one+two', '/_icons', '/error/404', '/error/502'])
      expect(await robotsAndLanguages(path)).toEqual({ path, noindex: true, hasLanguages: false })
    const payload = await get('/release/_payload.json')
    const [island = ''] = /\/__nuxt_island\/[^"]+/.exec(payload.body) ?? []
    for (const answer of [payload, await get(island)])
      expect([answer.status, answer.headers['x-robots-tag']]).toEqual([200, 'noindex'])
  })

  it('and headings show the title, where a search engine gets the SEO title', async () => {
    const { body } = await get('/blog/listed-3')
    expect(body).toMatch(/<title>For results 3 /)
    expect(/<h1[^>]*>([^<]*)</.exec(body)?.[1]).toBe('Listed 3')
    for (const path of ['/blog-listed/two', '/blog/feed.xml']) {
      const { body: text } = await get(path)
      expect([path, /Listed \d/.test(text), text.includes('For results')]).toEqual([
        path,
        true,
        false,
      ])
    }
  })
})

describe('a guard', () => {
  it.each([
    ['no help article exists', '/helps', hostNames.en, 404],
    ['no guide article exists', '/guide', hostNames.zh, 404],
    ['no guide article has the id', '/guide/first-profile', hostNames.zh, 404],
    ['no solution is written in the language or a fallback', '/solutions', hostNames.en, 404],
    ['a solution exists', '/solutions', hostNames.zh, 200],
    ['this solution is not written', '/solutions/e-commerce', hostNames.en, 404],
    ['this solution is written', '/solutions/e-commerce', hostNames.zh, 200],
    ['a fallback has the solution', '/tc/solutions/e-commerce', hostNames.en, 200],
    ['the comparison is not written', '/alternatives/gologin', hostNames.en, 404],
    ['the comparison is written', '/alternatives/gologin', hostNames.zh, 200],
    ['a fallback has the comparison', '/tc/alternatives/gologin', hostNames.en, 200],
    ['the category has an article', '/blog-listed', hostNames.en, 200],
    ['the category has no article', '/blog-none', hostNames.en, 404],
    ['pre-sales is switched off', '/pre-sales', hostNames.en, 302],
    ['the segment is one of the own pages', '/own-page', hostNames.en, 200],
  ])('where %s: %s on %s answers %d', async (_name, path, host, status) => {
    expect((await get(path, host)).status).toBe(status)
  })

  it('finds a feature before a page of the same name', async () => {
    const { body } = await get('/rpa')
    expect(body).not.toContain('Page rpa')
  })

  it('finds the text of a renamed industry by its English slug', async () => {
    expect((await get('/media-market', hostNames.zh)).status).toBe(200)
    const { canonical } = readHead((await get('/media-market', hostNames.zh)).body)
    expect(canonical).toBe(`http://zh.localhost:${site.port}/media-market`)
  })
})

describe('settings', () => {
  it('LOCALE_NEGOTIATION=unprefixed negotiates every unprefixed path whose page exists there', async () => {
    const thai = { headers: { 'accept-language': 'th' } }
    for (const path of ['/', '/pricing', '/blog-listed?page=2']) {
      const { status, headers } = await site.get(path, thai)
      expect([status, headers.location]).toEqual([
        302,
        `http://localhost:${site.port}/th${path === '/' ? '' : path}`,
      ])
    }
    expect((await site.get('/vn/pricing', thai)).status).toBe(200)
    const russian = { headers: { cookie: 'i18n_redirected=ru' } }
    expect((await site.get('/pricing', russian)).status).toBe(302)
    // Russian has no blog.
    expect((await site.get('/blog', russian)).status).toBe(200)
  })

  it('BENCH_PAGES=1 adds pages without a shell', async () => {
    for (const path of ['/bench/home', '/bench/article', '/_icons', '/error/502']) {
      const { status, body } = await site.get(path, english)
      expect([
        path,
        [200, 502].includes(status),
        /data-shell=/.test(
          body.replace(/data-shell="(?:error-screen|countdown|loading-bar)"/g, ''),
        ),
      ]).toEqual([path, true, false])
    }
    expect((await get('/pricing')).body).toContain('data-shell="language-menu"')
  })

  it('CDN_MAX_AGE and CDN_TAGS are in the headers of pages', async () => {
    const { headers } = await get('/th/docs/faq')
    expect(headers['cache-control']).toContain('s-maxage=7,')
    expect(String(headers['cache-tag']).split(/,\s*/)).toEqual(
      expect.arrayContaining(['docs/faq', 'locale:th', 'site']),
    )
  })

  it('csp, AUTH_ORIGIN and the identity provider are in the policy', async () => {
    const policy = String((await get('/faq')).headers['content-security-policy'])
    for (const directive of [
      "connect-src 'self' https://connect.test https://sign-in.test https://identity.test",
      "img-src 'self' https://img.test",
      'frame-src https://frame.test https://identity.test',
      "style-src 'self' https://style.test https://identity.test",
    ])
      expect(policy.split('; ')).toContain(directive)
  })

  it('no header decides that a host is https', async () => {
    const { headers } = await site.get('/', {
      headers: { 'accept-language': 'th', 'x-forwarded-proto': 'https' },
    })
    expect(headers['strict-transport-security']).toBeUndefined()
    expect(headers['set-cookie']?.[0]).not.toContain('Secure')
  })

  it('BENCH_PAGES and one-tap are off by default', async () => {
    const plain = await startTestSite({ LOCALE_NEGOTIATION: 'off' })
    try {
      expect((await plain.get('/bench/home')).status).toBe(404)
      expect(await oneTapOf(plain)).toBeNull()
      // Without negotiation a visitor gets the page that was asked for.
      expect((await plain.get('/', { headers: { 'accept-language': 'th' } })).status).toBe(200)
    } finally {
      await plain.stop()
    }
  })

  it('one_tap of site.yaml switches the prompt off', async () => {
    expect(await oneTapOf(site)).toMatchObject({ clientId: 'client' })
    const file = join(content, 'site.yaml')
    writeFileSync(file, readFileSync(file, 'utf8').replace('one_tap: true', 'one_tap: false'))
    await eventually(async () => expect(await oneTapOf(site)).toBeNull())
  })
})

describe('texts for machines', () => {
  it('robots.txt of each host disallows three folders and names its sitemap', async () => {
    for (const host of Object.values(hostNames))
      expect((await get('/robots.txt', host)).body).toBe(
        `User-agent: *\nDisallow: /api/\nDisallow: /_ops/\nDisallow: /_preview/\n\nSitemap: http://${host}:${site.port}/sitemap.xml\n`,
      )
  })

  it('are made once and kept', async () => {
    for (const path of ['/th/blog/feed.xml', '/llms.txt', '/docs/rpa.md', '/th-TH-sitemap.xml']) {
      const [first, second] = [await get(path), await get(path)]
      expect([path, first.headers['cache-status'], second.headers['cache-status']]).toEqual([
        path,
        'site; fwd=miss; stored',
        'site; hit',
      ])
    }
    expect((await get('/th-TH-sitemap.xml')).headers.etag).toMatch(/^W\/"/)
  })

  it('have at most 30 articles in a feed, and 100 addresses of a collection in llms.txt', async () => {
    expect((await get('/blog/feed.xml')).body.match(/<entry>/g)).toHaveLength(30)
    expect((await get('/llms.txt')).body.match(/\/news\/[^/)]+\.md\)/g)).toHaveLength(100)
  })
})

describe('a landing page', () => {
  it.each([...drawings])(
    'without sections has benefits and steps; the drawing of %s is %s',
    async (id, drawing) => {
      const { body } = await get(`/${id}`)
      const exposed = pageElements(body).map(({ attributes }) => attributes['data-expose'])
      expect(exposed).toContain(drawing)
      const titles = /<h[23][^>]*>(What you get|How to start|Benefit \d|Step \d)</g
      expect(Array.from(body.matchAll(titles), ([, title]) => title)).toEqual([
        'What you get',
        ...[1, 2, 3].map((number) => `Benefit ${number}`),
        'How to start',
        ...[1, 2, 3].map((number) => `Step ${number}`),
      ])
    },
  )

  it('with a statement about the other product says where it comes from', async () => {
    const { heading, note } = (
      JSON.parse(readFileSync(join(root, 'locales/zh/landing.json'), 'utf8')) as {
        comparison: Record<'heading' | 'note', string>
      }
    ).comparison
    // Pages have other spaces, and marks that keep words together.
    const plain = (text: string): string => text.replace(/<[^>]+>|[\s\u2060]/g, '')
    const { body } = await get('/alternatives/gologin', hostNames.zh)
    const page = plain(body.slice(0, body.indexOf('<script type="application/json"')))
    for (const words of [heading, note.replaceAll('{{product}}', 'GoLogin'), 'Their plan'])
      expect(page).toContain(plain(words))
  })
})

describe('other pages', () => {
  it('the error screen has the seconds before the label in Chinese and after it elsewhere', async () => {
    const line = async (path: string, host?: string): Promise<string> =>
      /<p[^>]*>(?:(?!<\/p>).)*data-shell="countdown".*?<\/p>/s.exec(
        (await get(path, host)).body,
      )?.[0] ?? ''
    const isFirst = (html: string): boolean => /^<p[^>]*><span[^>]*data-shell/.test(html)
    expect([
      isFirst(await line('/error/502', hostNames.zh)),
      isFirst(await line('/tc/error/502')),
      isFirst(await line('/error/502')),
      isFirst(await line('/jp/error/502')),
    ]).toEqual([true, true, false, false])
  })

  it('the download page lists every file of the newest release and how to verify it', async () => {
    const { body } = await get('/download')
    for (const system of ['com_win64', 'com_win32', 'com_mac', 'com_arm64'])
      expect(body).toMatch(new RegExp(`data-system="${system}"`))
    expect(body).toContain('id="verify-heading"')
  })

  it('a picture is the same for any query, and 404 without an article', async () => {
    const path = '/_image/w_320,f_webp/content/blog/choosing-a-proxy-type/cover.png'
    const [plain, queried] = [await get(path), await get(`${path}?utm_source=x&w=9`)]
    expect([queried.status, queried.headers.etag]).toEqual([200, plain.headers.etag])
    expect((await get('/_image/_/content/blog/no-article/cover.png')).status).toBe(404)
  })
})
