/** Calls of the console's views: translations, addresses, search, system (spec 8.12 to 8.14). */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import type { z } from 'zod'
import type { explainAddress, listAddresses } from '../../../shared/console/addresses'
import type { listSearches } from '../../../shared/console/search'
import type { readSystem } from '../../../shared/console/system'
import type { ImportAnswer, OpenText, TranslatedUnit } from '../../../shared/console/translations'
import { saveTranslations } from '../../../server/ops/xliff/save-translations'
import { tarArchive } from '../../../server/ops/xliff/tar-archive'
import { askConsole, consoleData } from '../../../testing/console'
import { contentWith } from '../../../testing/content-copy'
import { temporaryFolder } from '../../../testing/release-with-tests'
import {
  eventually,
  operator,
  opsToken,
  searchSite,
  startTestSite,
  type Answer,
  type TestSite,
} from '../../../testing/site'
import { describeOnStores, type TestStore } from '../../../testing/stores'

type Output<Call extends { output: z.ZodType }> = z.output<Call['output']>

describeOnStores('the calls of the console', (start) => {
  let store: TestStore | undefined
  let site: TestSite
  let url = ''
  const content = contentWith({})
  const article = (path: string): string => join(content, path)
  beforeAll(async () => {
    mkdirSync(article('blog/to-translate'), { recursive: true })
    writeFileSync(
      article('blog/to-translate/en.md'),
      '---\ntitle: "One {{brand}}"\ndescription: "A text to translate"\ndate: 2026-11-20\ncategory: proxies\n---\n\nSee [the proxies](/docs/proxies) and `code`.\n',
    )
    writeFileSync(
      article('redirects.yaml'),
      "- { from: '/old-page', to: '/pricing' }\n- { from: '/never', to: '/pricing', locales: [es] }\n",
    )
    store = await start()
    url = await store.url()
    site = await startTestSite({
      DATABASE_URL: url,
      CONTENT_DIR: content,
      OPS_TOKEN: opsToken,
      PAGE_CACHE_TTL_MS: '3600000',
    })
  }, 120_000)
  afterAll(async () => {
    await site?.stop()
    await store?.stop()
    rmSync(content, { recursive: true, force: true })
  })
  const get = (path: string): Promise<Answer> =>
    askConsole(site.port, `/api${path}`, { headers: { ...operator } })
  const post = (path: string, json: unknown): Promise<Answer> =>
    askConsole(site.port, `/api${path}`, { headers: { ...operator }, json })

  it.each([
    ['/translations', 400, 'locale'],
    ['/translations?locale=en', 400, 'locale'],
    ['/translations/file?path=content/blog/none/es.md', 400, 'path'],
    ['/translations/file?path=../../package.json', 400, 'path'],
    ['/translations/xliff?locale=es&scope=some', 400, 'scope'],
    ['/addresses/explanation', 400, 'url'],
    ['/search?from=yesterday&to=2026-01-01', 400, 'from'],
  ])('refuses %s with %d, naming the field', async (path, status, field) => {
    const answer = await get(path)
    expect(answer.status).toBe(status)
    expect(answer.body).toContain(field)
  })
  it.each([
    ['/system/purge', {}, 400],
    ['/system/purge', { tags: [] }, 400],
    ['/translations/import', { xliff: '<x/>', write: true }, 400],
  ])('refuses POST %s with %j', async (path, json, status) => {
    expect((await post(path, json)).status).toBe(status)
  })
  it.each([
    '/translations?locale=es',
    '/addresses',
    '/search?from=2026-01-01&to=2026-01-02',
    '/system',
  ])('answers %s only to operators', async (path) => {
    expect((await askConsole(site.port, `/api${path}`)).status).toBe(401)
    expect((await get(path)).status).toBe(200)
  })

  it('lists what a language lacks, and the glossary', async () => {
    const { files, glossary } = consoleData<{
      files: OpenText[]
      glossary: Array<{ term: string }>
    }>(await get('/translations?locale=es'))
    expect(files.find(({ path }) => path === 'content/blog/to-translate/es.md')).toMatchObject({
      state: 'missing',
      texts: 1,
      words: 200,
    })
    expect(glossary.map(({ term }) => term)).toContain('RPA')
    const path = encodeURIComponent('content/blog/to-translate/es.md')
    const { units } = consoleData<{ units: Array<{ name: string; source: string }> }>(
      await get(`/translations/file?path=${path}`),
    )
    expect(units.map(({ name }) => name)).toEqual(['front:title', 'front:description', 'body:1'])
  })

  it('exports all that a language lacks as one XLIFF file', async () => {
    const { files } = consoleData<{ files: OpenText[] }>(await get('/translations?locale=fr'))
    const { body } = await get('/translations/xliff?locale=fr')
    const exported = [...body.matchAll(/ original="([^"]+)"/g)].map(([, path]) => path)
    expect(exported).toContain('content/blog/to-translate/fr.md')
    expect(exported).toEqual(files.map(({ path }) => path))
  })

  it('exports XLIFF, refuses it with a changed link, and imports it: live within a second', async () => {
    const path = encodeURIComponent('content/blog/to-translate/es.md')
    const exported = await get(`/translations/xliff?locale=es&path=${path}`)
    expect(exported.headers['content-type']).toMatch(/^application\/xliff\+xml/)
    expect(exported.headers['content-disposition']).toBe('attachment; filename="es.xlf"')
    const translate = (text: string): string =>
      exported.body.replace(
        /<source>([\s\S]*?)<\/source>/g,
        (whole, source: string) => `${whole}<target>${source.replace('One', text)}</target>`,
      )
    const send = async (xliff: string, write: boolean): Promise<ImportAnswer> =>
      consoleData<ImportAnswer>(await post('/translations/import', { xliff, write }))

    const broken = translate('Uno').replace(/(<target>[\s\S]*?)<ph [^>]*>/, '$1')
    expect((await send(broken, true)).files[0]?.problems.length).toBeGreaterThan(0)
    expect(existsSync(article('blog/to-translate/es.md'))).toBe(false)

    const checked = await send(translate('Uno'), false)
    expect(checked).toMatchObject({ locale: 'es', written: [], archive: null })
    expect(existsSync(article('blog/to-translate/es.md'))).toBe(false)

    const saved = await send(translate('Uno'), true)
    expect(saved.written).toEqual(['content/blog/to-translate/es.md'])
    await eventually(async () => {
      const { body } = await site.get('/es/blog/to-translate')
      expect(body).toMatch(/<h1[^>]*>Uno /)
      expect(body).toContain('<html lang="es-ES"')
    })
    expect(readFileSync(article('blog/to-translate/es.md'), 'utf8')).toContain('`code`')
    // The same file again changes nothing.
    const again = await get(`/translations/xliff?locale=es&scope=all&path=${path}`)
    expect(await send(again.body, true)).toMatchObject({ written: [], files: [{ changed: 0 }] })
  })

  it('answers the English text of the time of the import beside the one of now', async () => {
    const file = article('blog/to-translate/en.md')
    const english = readFileSync(file, 'utf8')
    writeFileSync(file, english.replace('See', 'Read').replace('2026-11-20', '2026-11-21'))
    const path = encodeURIComponent('content/blog/to-translate/es.md')
    const { units } = consoleData<{ units: TranslatedUnit[] }>(
      await get(`/translations/file?path=${path}`),
    )
    writeFileSync(file, english)
    expect(units.find(({ name }) => name === 'body:1')).toMatchObject({
      before: expect.stringMatching(/^See \[the proxies\]/),
      source: expect.stringMatching(/^Read \[the proxies\]/),
    })
    // There was no import into French.
    const french = encodeURIComponent('content/blog/to-translate/fr.md')
    const answer = await get(`/translations/file?path=${french}`)
    expect(consoleData<{ units: TranslatedUnit[] }>(answer).units[0]?.before).toBeNull()
  })

  it('counts missing pages that browsers open, with their referrer, and proposes a redirect', async () => {
    const missing = '/docs/proxies-and-more'
    const browser = {
      'sec-fetch-dest': 'document',
      referer: 'https://forum.example/thread?secret=1',
    }
    for (const headers of [browser, browser, {}]) await site.get(missing, { headers })
    await site.get('/somebody@example.org', { headers: browser })
    const list = async (): Promise<Output<typeof listAddresses>> =>
      consoleData(await get('/addresses'))
    await eventually(async () =>
      expect((await list()).missing).toContainEqual(
        expect.objectContaining({
          host: 'en',
          path: missing,
          referrer: 'https://forum.example/thread',
          count: 2,
        }),
      ),
    )
    expect(JSON.stringify(await list())).not.toMatch(/example\.org|secret/)
    const { row } = consoleData<{ row: string }>(
      await get(`/addresses/proposal?host=en&path=${encodeURIComponent(missing)}`),
    )
    expect(row).toBe(`- { from: '${missing}', to: '/docs/proxies' }`)
    writeFileSync(
      article('redirects.yaml'),
      `${readFileSync(article('redirects.yaml'), 'utf8')}${row}\n`,
    )
    await eventually(async () => {
      const answer = await site.get(missing)
      expect([answer.status, answer.headers.location]).toEqual([
        301,
        `http://localhost:${site.port}/docs/proxies`,
      ])
    })
  })

  it('counts the hits of redirects, those from the cache too', async () => {
    for (let count = 0; count < 3; count += 1) await site.get('/Old-Page.html')
    await eventually(async () => {
      const { redirects } = consoleData<Output<typeof listAddresses>>(await get('/addresses'))
      expect(redirects.slice(0, 2).map(({ from, hits }) => [from, hits])).toEqual([
        ['/old-page', 3],
        ['/never', 0],
      ])
    })
  })

  it.each([
    [
      'localhost//ES//Pricing.HTML/?a=1',
      {
        status: 301,
        rules: ['repeated slashes', 'trailing slash', 'capital letters', '.html suffix'],
        location: expect.stringMatching(/^http:\/\/localhost:\d+\/es\/pricing\?a=1$/),
      },
    ],
    ['localhost/old-page', { status: 301, rules: ['redirect table, line 1'] }],
    ['localhost/pricing', { status: 200, rules: [], route: 'pricing', location: '' }],
    ['localhost/no-such/page/at-all', { status: 404, rules: [], route: '' }],
    ['localhost/%ff', { status: 400 }],
    ['localhost/%zz', { status: 400 }],
    [
      'zh.localhost/blog/none',
      {
        status: 404,
        route: 'blog-article',
        details: expect.arrayContaining([expect.stringMatching(/^guard {4}blog/)]),
      },
    ],
    [
      'zh.localhost',
      { status: 200, route: 'home', details: expect.arrayContaining(['language zh']) },
    ],
  ])('explains %s', async (address, expected) => {
    const answer = consoleData<Output<typeof explainAddress>>(
      await get(`/addresses/explanation?url=${encodeURIComponent(`http://${address}`)}`),
    )
    expect({ ...answer, rules: [...answer.rules].sort() }).toMatchObject({
      ...expected,
      ...('rules' in expected ? { rules: [...expected.rules].sort() } : {}),
    })
  })

  it('lists what visitors search for, once for each query that they typed', async () => {
    const day = new Date().toISOString().slice(0, 10)
    const list = async (more = ''): Promise<Output<typeof listSearches>> =>
      consoleData(await get(`/search?from=${day}&to=${day}${more}`))
    for (const query of ['pro', 'Prox', 'PROXIES ', 'zzyzx', 'zzyzx', 'ann@example.org zzyzx'])
      await searchSite(site, query, 'en')
    await searchSite(site, '代理', 'zh')
    await eventually(async () => {
      const { searches, misses } = await list()
      const rows = searches.map(({ locale, query, count }) => [locale, query, count])
      expect(rows.sort()).toEqual([
        ['en', 'proxies', 1],
        ['en', 'zzyzx', 1],
        ['en', '… zzyzx', 1],
        ['zh', '代理', 1],
      ])
      expect(misses.map(({ query }) => query)).toEqual(['zzyzx'])
      expect(searches.find(({ query }) => query === 'proxies')?.results).toBeGreaterThan(0)
    })
    expect((await list('&locale=zh')).searches.map(({ query }) => query)).toEqual(['代理'])
    expect((await list('&locale=zh')).misses).toEqual([])
  })

  it('shows the figures and failures of all processes of the machine', async () => {
    const other = await startTestSite({
      ...{ DATA_DIR: site.dataDir, DATABASE_URL: url, CONTENT_DIR: content, OPS_TOKEN: opsToken },
      // Nothing listens there, so every call of the backend fails.
      API_UPSTREAM: 'http://127.0.0.1:9',
    })
    try {
      for (let count = 0; count < 2; count += 1) await other.get('/pricing')
      expect((await other.get('/api/orders?secret=1')).status).toBeGreaterThanOrEqual(500)
      const otherId = String(other.child.pid)
      await eventually(async () => {
        const { processes, failed } = consoleData<Output<typeof readSystem>>(await get('/system'))
        const servers = processes.filter(({ role }) => role === 'server')
        expect(servers.map((row) => row.process).sort()).toEqual(
          [String(site.child.pid), otherId].sort(),
        )
        for (const { figures } of servers) expect(figures?.memoryBytes).toBeGreaterThan(1_000_000)
        const figures = servers.find((row) => row.process === otherId)?.figures
        expect(figures?.failed).toBe(1)
        expect(figures?.cacheEntries).toBeGreaterThan(0)
        expect(figures?.hits).toBeGreaterThan(0)
        expect(failed).toContainEqual(
          expect.objectContaining({ process: otherId, path: '/api/orders' }),
        )
      })
    } finally {
      await other.stop()
    }
    const { processes } = consoleData<Output<typeof readSystem>>(await get('/system'))
    expect(processes.map((row) => row.process)).not.toContain(String(other.child.pid))
  }, 60_000)

  it('shows the state of the system, and purges so that the next request is a miss', async () => {
    const status = async (): Promise<string> =>
      String((await site.get('/pricing')).headers['cache-status'])
    await eventually(async () => expect(await status()).toMatch(/^site; hit/))
    const system = consoleData<Output<typeof readSystem>>(await get('/system'))
    const facts = Object.fromEntries(system.facts.map(({ name, value }) => [name, value]))
    expect(facts).toMatchObject({ Redis: 'off', IndexNow: 'off' })
    const purged = consoleData<{ purged: number }>(
      await post('/system/purge', { paths: ['/pricing'] }),
    )
    expect(purged.purged).toBeGreaterThan(0)
    expect(await status()).toMatch(/^site; fwd=miss/)
    await eventually(() =>
      expect(site.logs).toContainEqual(
        expect.objectContaining({
          msg: 'changed by an operator',
          call: '/system/purge',
          paths: ['/pricing'],
        }),
      ),
    )
  })
})

it('offers an archive where files cannot be written', () => {
  const folder = temporaryFolder('unwritable')
  const folders = { content: join(folder, 'content'), locales: join(folder, 'locales') }
  // A folder where the file would be.
  mkdirSync(join(folders.locales, 'es', 'home.json'), { recursive: true })
  const output = [{ path: 'locales/es/home.json', text: '{"a":"ñ"}\n' }]
  expect(saveTranslations(folders, output)).toBe(false)
  rmSync(folder, { recursive: true })
  const archive = Buffer.from(tarArchive(output))
  expect(archive.length % 512).toBe(0)
  expect(archive.subarray(0, 20).toString()).toBe('locales/es/home.json')
  expect(archive.subarray(257, 262).toString()).toBe('ustar')
  expect(archive.subarray(512, 512 + 11).toString()).toBe('{"a":"ñ"}\n')
  const sum = Number.parseInt(archive.subarray(148, 154).toString(), 8)
  const header = Buffer.from(archive.subarray(0, 512))
  header.fill(' ', 148, 156)
  expect(header.reduce((total, byte) => total + byte, 0)).toBe(sum)
})
