import { cpSync, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals'
import { readBuild } from '../../server/build-info'
import { readSettings } from '../../server/env'
import { createLogger } from '../../server/log'
import { startSite, type RunningSite } from '../../server/start-site'
import type { ViewModule } from '../../shared/view'
import { buildFolder, root } from '../helpers/root'
import { eventually, fetchFrom, startTestSite, temporaryFolder, type Answer, type TestSite } from '../helpers/site'

const view = (): ViewModule => jest.requireActual<ViewModule>(join(buildFolder(), 'server', 'view.js'))
const cacheStatus = (answer: Answer): string => String(answer.headers['cache-status'])

/** A site in this process whose rendering can be slowed down, counted and broken. */
describe('an answer that has expired', () => {
  let running: RunningSite
  let renders = 0
  let broken = false
  const real = view()
  const data = temporaryFolder('cache')
  const start = (ttl = 1500): Promise<RunningSite> => startSite({
    settings: readSettings({ PORT: '0', HOST: '127.0.0.1', DATA_DIR: data, PAGE_CACHE_TTL_MS: String(ttl), SITE_URL_EN: 'http://localhost', SITE_URL_ZH: 'http://zh.localhost', SITE_URL_RU: 'http://ru.localhost' }, root),
    build: readBuild(buildFolder()),
    view: {
      ...real,
      renderPage: (page, options) => {
        renders += 1
        if (broken && page.route !== 'error-502') {
          setTimeout(() => options.onShellError(new Error('the renderer is broken')), 100)
          return { pipe: () => undefined, abort: () => undefined }
        }
        return real.renderPage(page, options)
      },
    },
    log: createLogger('silent'),
    root,
    warming: null,
  })
  const get = (path: string, options = {}): Promise<Answer> => fetchFrom(running.port, path, options)
  beforeAll(async () => {
    running = await start()
  }, 60_000)
  afterAll(() => running.stop())

  const expire = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1550))

  it('is served once more while one renewal makes it anew', async () => {
    await get('/pricing')
    renders = 0
    await expire()
    const answers = await Promise.all(Array.from({ length: 10 }, () => get('/pricing')))
    expect(answers.map(cacheStatus)).toContain('site; hit; ttl=-1')
    // Nobody waits: whoever comes after the renewal has the new one, the others the old one.
    for (const answer of answers) expect(cacheStatus(answer)).toMatch(/^site; hit; ttl=(-1|0|1)$/)
    await eventually(async () => expect(cacheStatus(await get('/pricing'))).toMatch(/ttl=[01]$/))
    expect(renders).toBe(1)
  })

  it('is served for a day more when its renewal fails, and says so; the renderer is not asked again at once', async () => {
    await get('/faq')
    await expire()
    broken = true
    renders = 0
    expect(cacheStatus(await get('/faq'))).toMatch(/^site; hit; ttl=-\d+$/)
    const stale = await eventually(async () => {
      const answer = await get('/faq')
      expect(cacheStatus(answer)).toMatch(/^site; hit; ttl=-\d+; detail=error$/)
      return answer
    })
    expect(stale.body.trimEnd().endsWith('</html>')).toBe(true)
    for (let index = 0; index < 20; index += 1) expect((await get('/faq')).status).toBe(200)
    expect(renders).toBe(1)
    broken = false
  })

  it('comes back from its copy on disk where memory has none, and only when it cannot be made', async () => {
    await eventually(() => expect(readdirSync(join(data, 'frozen')).length).toBeGreaterThan(1))
    await get('/about-us')
    await eventually(async () => expect((await get('/about-us', { headers: { 'accept-encoding': 'br' } })).headers['content-encoding']).toBe('br'))
    const before = await get('/about-us')
    await new Promise((resolve) => setTimeout(resolve, 200))
    running.site.cache.purge(() => true)
    broken = true
    const frozen = await get('/about-us')
    expect([frozen.status, cacheStatus(frozen)]).toEqual([200, expect.stringMatching(/^site; hit; ttl=-\d+; detail=error$/)])
    expect(frozen.body).toBe(before.body)
    expect(frozen.headers.etag).toBe(before.headers.etag)
    // What was never made has no copy.
    const none = await get('/links')
    expect([none.status, none.headers['cache-control'], none.headers['retry-after'], cacheStatus(none)]).toEqual([502, 'no-store', '5', 'site; fwd=miss'])
    expect(none.body).toContain('data-page="error-502"')
    broken = false
    running.site.cache.purge(() => true)
    expect(cacheStatus(await get('/about-us'))).toBe('site; fwd=miss; stored')
    expect(cacheStatus(await get('/links'))).toBe('site; fwd=miss; stored')
  })

  it('comes back after a restart during an outage too', async () => {
    await get('/partner-plan')
    await eventually(async () => expect((await get('/partner-plan', { headers: { 'accept-encoding': 'br' } })).headers['content-encoding']).toBe('br'))
    await running.stop()
    running = await start()
    broken = true
    const answer = await get('/partner-plan')
    expect([answer.status, cacheStatus(answer)]).toEqual([200, expect.stringContaining('detail=error')])
    // The failure of one key is shared by those who ask together.
    renders = 0
    const failed = await Promise.all(Array.from({ length: 8 }, () => get('/referral-program')))
    expect(failed.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 502))
    expect(failed.filter((one) => cacheStatus(one) === 'site; fwd=miss; collapsed').length).toBe(7)
    broken = false
  }, 30_000)

  it('does not come back from a damaged copy, nor from one of other settings', async () => {
    await running.stop()
    for (const file of readdirSync(join(data, 'frozen'))) writeFileSync(join(data, 'frozen', file), 'not what was written')
    running = await start()
    broken = true
    expect((await get('/partner-plan')).status).toBe(502)
    broken = false
  }, 30_000)

  it('is dropped when the page is gone, copy and all', async () => {
    const before = readdirSync(join(data, 'frozen')).length
    expect((await get('/blog/no-such-article')).status).toBe(404)
    expect(cacheStatus(await get('/blog/no-such-article'))).toMatch(/^site; hit/)
    expect(readdirSync(join(data, 'frozen')).length).toBeLessThanOrEqual(before + 1)
  })

  it('is never what a purge overtook while it was being rendered', async () => {
    running.site.cache.purge(() => true)
    const asked = get('/helps')
    running.site.purge({ tags: ['helps'] })
    await asked
    running.site.purge({ paths: ['/helps'] })
    expect(cacheStatus(await get('/helps'))).toBe('site; fwd=miss; stored')
  })
})

describe('purging and looking into the cache', () => {
  let sites: TestSite[] = []
  const dataDir = temporaryFolder('purge')
  const contentDir = temporaryFolder('purge-content')
  const token = 'a-token'
  const operator = { authorization: `Bearer ${token}` }
  beforeAll(async () => {
    cpSync(join(root, 'content'), contentDir, { recursive: true })
    const env = { DATA_DIR: dataDir, CONTENT_DIR: contentDir, OPS_TOKEN: token }
    sites = [await startTestSite(env), await startTestSite(env)]
  }, 90_000)
  afterAll(async () => {
    await Promise.all(sites.map((site) => site.stop()))
    rmSync(dataDir, { recursive: true, force: true })
    rmSync(contentDir, { recursive: true, force: true })
  })
  const [one, two] = [(): TestSite => sites[0] ?? never(), (): TestSite => sites[1] ?? never()]
  const never = (): never => {
    throw new Error('not started')
  }
  const purge = async (body: unknown, headers: Record<string, string> = operator, type = 'application/json'): Promise<{ status: number; body: { code: number; data: { purged: number } } }> => {
    const answer = await fetch(`http://127.0.0.1:${one().port}/_ops/cache/purge`, { method: 'POST', headers: { ...headers, 'content-type': type }, body: typeof body === 'string' ? body : JSON.stringify(body) })
    return { status: answer.status, body: await answer.json() as { code: number; data: { purged: number } } }
  }

  it('reaches the other process of the machine within 100 ms', async () => {
    for (const body of [{ paths: ['/pricing'] }, { tags: ['site'] }, { all: true }]) {
      for (const site of [one(), two()]) await site.get('/pricing')
      for (const site of [one(), two()]) expect(cacheStatus(await site.get('/pricing'))).toMatch(/^site; hit/)
      const answer = await purge(body)
      expect([answer.status, answer.body.code]).toEqual([200, 0])
      expect(answer.body.data.purged).toBeGreaterThan(0)
      expect(cacheStatus(await one().get('/pricing'))).toBe('site; fwd=miss; stored')
      await new Promise((resolve) => setTimeout(resolve, 100))
      expect(cacheStatus(await two().get('/pricing'))).toBe('site; fwd=miss; stored')
    }
  })

  it('counts what it drops, and leaves the rest', async () => {
    await purge({ all: true })
    for (const path of ['/pricing', '/faq', '/blog/choosing-a-proxy-type']) await one().get(path)
    expect((await purge({ tags: ['blog/choosing-a-proxy-type'] })).body.data.purged).toBe(1)
    expect(cacheStatus(await one().get('/faq'))).toMatch(/^site; hit/)
    expect((await purge({ paths: ['/faq', '/nothing'] })).body.data.purged).toBe(1)
    expect((await purge({ tags: ['none'] })).body.data.purged).toBe(0)
    expect(cacheStatus(await one().get('/pricing'))).toMatch(/^site; hit/)
  })

  it('takes nothing else', async () => {
    for (const body of [{}, { all: false }, { tags: [] }, { tags: ['a'], paths: ['b'] }, { tags: 'a' }, { other: 1 }, { tags: [1] }, '[]', 'null', '{', `{"tags":${'['.repeat(40)}${']'.repeat(40)}}`]) expect((await purge(body)).status).toBe(400)
    expect((await purge({ all: true }, operator, 'text/plain')).status).toBe(415)
    expect((await purge(`{"tags":["${'x'.repeat(70_000)}"]}`)).status).toBe(413)
  })

  it('is for the bearer of the token alone', async () => {
    for (const headers of [{}, { authorization: token }, { authorization: 'Bearer ' }, { authorization: `Bearer ${token}x` }, { authorization: `Basic ${token}` }] as Array<Record<string, string>>) {
      expect((await purge({ all: true }, headers)).status).toBe(401)
      const listing = await one().get('/_ops/cache', { headers })
      expect([listing.status, listing.headers['www-authenticate']]).toEqual([401, 'Bearer'])
    }
    expect((await one().get('/_ops/nothing', { headers: operator })).status).toBe(404)
    const wrong = await one().get('/_ops/cache/purge', { headers: operator })
    expect([wrong.status, wrong.headers.allow]).toEqual([405, 'POST'])
    expect((await one().get('/_ops/cache', { method: 'DELETE', headers: operator })).status).toBe(405)
  })

  it('lists entries with sizes that add up', async () => {
    await purge({ all: true })
    for (let hit = 0; hit < 3; hit += 1) await one().get('/links')
    await eventually(async () => expect((await one().get('/links', { headers: { 'accept-encoding': 'br' } })).headers['content-encoding']).toBe('br'))
    const { data } = JSON.parse((await one().get('/_ops/cache?limit=1000', { headers: operator })).body) as { data: { entries: number; bytes: number; maxBytes: number; hitRatio: number; listed: Array<{ key: string; bytes: number; hits: number; ttl: number; tags: string[]; forms: Record<string, number> }> } }
    const links = data.listed.find(({ key }) => key === 'en /links')
    expect(links).toMatchObject({ tags: expect.arrayContaining(['locale:en']), forms: { identity: expect.any(Number), br: expect.any(Number), gzip: expect.any(Number) } })
    expect(links?.hits).toBeGreaterThan(1)
    expect(links?.bytes).toBeGreaterThan(Object.values(links?.forms ?? {}).reduce((sum, value) => sum + value, 0))
    expect(data.bytes).toBe(data.listed.reduce((sum, { key, bytes }) => sum + bytes + key.length, 0))
    expect(data.hitRatio).toBeGreaterThan(0)
  })

  it('drops what a changed file is shown on, in both processes', async () => {
    const file = join(contentDir, 'blog', 'choosing-a-proxy-type', 'en.md')
    expect(existsSync(file)).toBe(true)
    for (const site of [one(), two()]) {
      await site.get('/blog/choosing-a-proxy-type')
      await site.get('/pricing')
    }
    writeFileSync(file, `${(await import('node:fs')).readFileSync(file, 'utf8')}\n\nA sentence about a lighthouse.\n`)
    for (const site of [one(), two()]) {
      await eventually(async () => expect((await site.get('/blog/choosing-a-proxy-type')).body).toContain('A sentence about a lighthouse.'))
      expect(cacheStatus(await site.get('/pricing'))).toMatch(/^site; hit/)
    }
  })
})

describe('a site without cache or token', () => {
  it('bypasses always, and has no operators', async () => {
    const site = await startTestSite({ PAGE_CACHE_MAX_MB: '0' })
    for (let index = 0; index < 2; index += 1) expect(cacheStatus(await site.get('/pricing'))).toBe('site; fwd=bypass')
    for (const headers of [{}, { authorization: 'Bearer ' }, { authorization: 'Bearer x' }] as Array<Record<string, string>>) {
      expect((await site.get('/_ops/cache', { headers })).status).toBe(404)
      expect((await site.get('/_ops/metrics', { headers })).status).toBe(404)
    }
    await site.stop()
  }, 60_000)
})
