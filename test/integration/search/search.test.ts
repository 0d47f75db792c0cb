import { fork } from 'node:child_process'
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { SearchResult } from '../../../shared/search-result'
import type { PagePayload } from '../../../shared/payload'
import { buildFolder, root } from '../../../testing/root'
import { releaseWithTests, temporaryFolder } from '../../../testing/release-with-tests'
import {
  eventually,
  hostNames,
  requestSearch,
  startTestSite,
  type TestSite,
} from '../../../testing/site'

const content = temporaryFolder('search')
let site: TestSite
const write = (path: string, title: string, body: string, extra = ''): void => {
  mkdirSync(join(content, path, '..'), { recursive: true })
  writeFileSync(
    join(content, path),
    `---\ntitle: "${title}"\ndescription: "What ${title} is about, in one sentence"\ndate: 2026-11-01\nsection: help\norder: 90\n${extra}---\n\n${body}\n`,
  )
}

beforeAll(async () => {
  cpSync(join(root, 'content'), content, { recursive: true, preserveTimestamps: true })
  write(
    'docs/lighthouse-keeper/en.md',
    'The lighthouse keeper',
    'He trims the wick at dusk.\n\n:::tabs\n== macOS\nOne\n== Windows\nTwo\n:::',
  )
  write('docs/secret-draft/en.md', 'The quokka draft', 'Not yet.', 'draft: true\n')
  write('docs/only-here/zh.md', '只有中文的文章', '灯塔看守人。')
  write('docs/old-translation/en.md', 'New words', 'Text.', 'updated: 2026-11-20\n')
  write('docs/old-translation/th.md', 'คำเก่า', 'ข้อความ')
  write('docs/old-translation/zh.md', '新词', '文字。', 'updated: 2026-11-20\n')
  writeFileSync(join(content, 'site.yaml'), '\nedit_url: https://git.example.com/edit/{path}\n', {
    flag: 'a',
  })
  site = await startTestSite({ CONTENT_DIR: content })
}, 90_000)
afterAll(async () => {
  await site.stop()
  rmSync(content, { recursive: true, force: true })
})

const call = async (
  query: string,
): Promise<{ status: number; code: number; msg: string; data: SearchResult }> => {
  const answer = await requestSearch(site, query)
  return {
    status: answer.status,
    ...(JSON.parse(answer.body) as { code: number; msg: string; data: SearchResult }),
  }
}
const urls = async (query: string): Promise<string[]> =>
  (await call(query)).data.hits.map(({ url }) => url)

describe('GET /api/site/search', () => {
  it('returns hits with plain-text excerpts and marks', async () => {
    const { status, data } = await call('q=lighthouse&lang=en')
    expect(status).toBe(200)
    expect(data.hits[0]).toMatchObject({
      url: '/docs/lighthouse-keeper',
      title: 'The lighthouse keeper',
      collection: 'docs',
    })
    const [hit] = data.hits
    expect(hit?.marks.map(([start, end]) => hit.excerpt.slice(start, end))).toEqual(['lighthouse'])
    expect(data.total).toBe(1)
  })
  it('accepts codes and tags, and returns URLs of that language', async () => {
    for (const lang of ['th', 'th-TH', 'TH'])
      expect((await urls(`q=keeper&lang=${lang}`))[0]).toBe('/th/docs/lighthouse-keeper')
    expect((await call('q=keeper&lang=th')).data.hits[0]?.foreign).toBe('en')
    expect((await urls('q=keeper&lang=it-IT'))[0]).toBe('/docs/lighthouse-keeper')
  })
  it('searches in English by default, and logs no query', async () => {
    expect((await urls('q=keeper'))[0]).toBe('/docs/lighthouse-keeper')
    await urls('q=unloggedword')
    await site.get('/after-the-search')
    await eventually(() => expect(site.logs.map(({ path }) => path)).toContain('/after-the-search'))
    expect(JSON.stringify(site.logs)).not.toContain('unloggedword')
  })
  it('searches one collection, up to the limit', async () => {
    const { data } = await call('q=proxy&lang=en&collection=docs&limit=2')
    expect(data.hits.length).toBe(2)
    expect(data.total).toBeGreaterThan(2)
    for (const { collection } of data.hits) expect(collection).toBe('docs')
  })
  it.each([
    ['', 'q:'],
    ['q=', 'q:'],
    ['q=%20%09', 'q:'],
    ['q=%00', 'q:'],
    [`q=${'x'.repeat(201)}`, 'q:'],
    [`q=${'%F0%9F%98%80'.repeat(201)}`, 'q:'],
    ['q=a&lang=xx', 'lang:'],
    ['q=a&lang=', 'lang:'],
    ['q=a&collection=nope', 'collection:'],
    ['q=a&collection=__proto__', 'collection:'],
    ['q=a&limit=0', 'limit:'],
    ['q=a&limit=-1', 'limit:'],
    ['q=a&limit=101', 'limit:'],
    ['q=a&limit=1e1', 'limit:'],
    ['q=a&limit=', 'limit:'],
  ])('refuses ?%s and names the field', async (query, field) => {
    const { status, code, msg, data } = await call(query)
    expect([status, data]).toEqual([400, null])
    expect(code).not.toBe(0)
    expect(msg.startsWith(field)).toBe(true)
  })
  it.each([
    '"',
    '*',
    '"*"',
    'a"b',
    'title:x',
    '{title}:x',
    'NEAR(',
    'AND',
    'a OR',
    '-a',
    '^a',
    '%00a',
    '%F0%9F%98%80',
    '%ED%A0%80',
    'x'.repeat(200),
    '%E4%BB%A3'.repeat(200),
    "'; DROP TABLE articles; --",
  ])('is safe with %s', async (query) => {
    const { status, code } = await call(`q=${encodeURI(query).replace(/%25/g, '%')}`)
    expect([status, code]).toEqual([200, 0])
  })
  it('finds no draft, and an edited page after a second', async () => {
    expect(await urls('q=quokka')).toEqual([])
    expect(await urls('q=wick')).toContain('/docs/lighthouse-keeper')
    write('docs/lighthouse-keeper/en.md', 'The wombat keeper', 'Edited.')
    await eventually(
      async () => expect((await urls('q=wombat'))[0]).toBe('/docs/lighthouse-keeper'),
      5000,
    )
    expect(await urls('q=wick')).not.toContain('/docs/lighthouse-keeper')
    write('docs/lighthouse-keeper/en.md', 'The lighthouse keeper', 'Again.')
    await eventually(
      async () => expect((await urls('q=lighthouse'))[0]).toBe('/docs/lighthouse-keeper'),
      5000,
    )
  })
  it('answers two searches of an address at a time and serves pages meanwhile', async () => {
    await site.get('/pricing')
    const flood = Promise.all(
      Array.from({ length: 120 }, (_, index) =>
        call(`q=${encodeURIComponent(`flood ${index} proxy profile`)}&lang=en`),
      ),
    )
    expect((await site.get('/pricing')).status).toBe(200)
    const statuses = new Set((await flood).map(({ status }) => status))
    expect(statuses).toEqual(new Set([200, 429]))
    await eventually(async () => expect((await call('q=proxy')).status).toBe(200))
  })
  it('accepts GET and HEAD only', async () => {
    expect((await site.get('/api/site/search?q=a', { method: 'POST' })).status).toBe(405)
    expect((await site.get('/api/site/search?q=a', { method: 'HEAD' })).status).toBe(200)
  })
})

describe('GET /api/site/texts', () => {
  it('returns the texts of the search, and no others', async () => {
    const { body } = await site.get('/api/site/texts?lang=ru&name=search')
    expect(JSON.parse(body)).toMatchObject({
      code: 0,
      data: { locale: 'ru', texts: { label: 'Поиск по\u00a0сайту' } },
    })
    expect((await site.get('/api/site/texts?lang=ru&name=shell')).status).toBe(400)
    expect((await site.get('/api/site/texts?lang=xx&name=search')).status).toBe(400)
  })
})

describe('the 404 page', () => {
  it('suggests pages with a similar address', async () => {
    // A busy machine may leave them out: the page does not wait.
    await eventually(async () => {
      const { status, body } = await site.get('/docs/lighthouse-keper')
      expect(status).toBe(404)
      expect(body).toContain('data-shell="nearest"')
      expect(body).toContain('href="/docs/lighthouse-keeper"')
    })
  })
  it('has suggestions and languages after a click too', async () => {
    const missing = async (path: string): Promise<PagePayload> => {
      const { body } = await site.get(
        `/api/site/missing?${new URLSearchParams({ lang: 'en', path })}`,
      )
      return (JSON.parse(body) as { data: PagePayload }).data
    }
    await eventually(async () => {
      const { data, islands } = await missing('/docs/lighthouse-keper')
      expect(islands[0]?.html).toContain('href="/docs/lighthouse-keeper"')
      expect(data).toMatchObject({ nearest: { url: islands[0]?.url } })
    })
    expect((await missing('/docs/only-here')).data).toMatchObject({
      elsewhere: [{ code: 'zh', href: `http://${hostNames.zh}:${site.port}/docs/only-here` }],
    })
  })
  it('suggests at most five pages, and none where none is similar', async () => {
    const nearest = (body: string): number =>
      (/data-shell="nearest">(.*?)<\/nav>/s.exec(body)?.[1]?.match(/<li>/g) ?? []).length
    const offered = await eventually(async () => {
      const count = nearest((await site.get('/blog/proxy-profile-teamwork-automation')).body)
      expect(count).toBeGreaterThan(0)
      return count
    })
    expect(offered).toBeLessThanOrEqual(5)
    for (const path of ['/docs/zzqqxxww', '/docs/12345', '/%e0%b9%97%e0%b9%97', '/docs/%2e%2e'])
      expect(nearest((await site.get(path)).body)).toBe(0)
  })
  it('links to the languages that have the page', async () => {
    const { status, body } = await site.get('/docs/only-here')
    expect(status).toBe(404)
    expect(body).toMatch(
      new RegExp(`href="http://${hostNames.zh}:${site.port}/docs/only-here"[^>]*>简体中文`),
    )
    expect((await site.get('/docs/nowhere-at-all')).body).not.toContain(
      '/docs/nowhere-at-all" hrefLang',
    )
  })
  it('is served during a flood of addresses, with or without suggestions', async () => {
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) => site.get(`/docs/flood-proxy-${index}`)),
    )
    expect(answers.every(({ status }) => status === 404)).toBe(true)
  })
})

describe('a page of the documentation', () => {
  it('says when its original has changed since the translation, and links to it', async () => {
    const { body } = await site.get('/th/docs/old-translation')
    expect(body).toContain('data-shell="outdated-notice"')
    expect(body).toContain(`href="http://${hostNames.en}:${site.port}/docs/old-translation"`)
    expect((await site.get('/docs/old-translation')).body).not.toContain('outdated-notice')
    expect((await site.get('/docs/old-translation', { host: hostNames.zh })).body).not.toContain(
      'outdated-notice',
    )
  })
  it('links to its source file in the language of its text', async () => {
    expect((await site.get('/docs/profiles')).body).toContain(
      'href="https://git.example.com/edit/docs/profiles/en.md"',
    )
    expect((await site.get('/th/docs/rpa')).body).toContain(
      'href="https://git.example.com/edit/docs/rpa/en.md"',
    )
    expect((await site.get('/jp/docs/profiles')).body).toContain(
      'href="https://git.example.com/edit/docs/profiles/jp.md"',
    )
    expect((await site.get('/blog/choosing-a-proxy-type')).body).not.toContain('git.example.com')
  })
  it('asks whether it was helpful', async () => {
    expect((await site.get('/docs/profiles')).body).toContain('data-shell="helpful"')
    expect((await site.get('/blog/choosing-a-proxy-type')).body).not.toContain(
      'data-shell="helpful"',
    )
  })
})

it('the search process answers a search that fails, and the next one', async () => {
  const child = releaseWithTests(fork(join(buildFolder(), 'server', 'search.js'), ['/nowhere.db']))
  const next = (): Promise<unknown> => new Promise((resolve) => child.once('message', resolve))
  expect(await next()).toBe('started')
  for (let count = 0; count < 2; count += 1) {
    const answer = next()
    child.send({ query: 'a', locale: 'en', collection: null, limit: 1, disabledRoutes: [] })
    expect(await answer).toEqual({ error: 'the content database is not ready' })
  }
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.disconnect()
  expect(await ended).toBe(0)
})
