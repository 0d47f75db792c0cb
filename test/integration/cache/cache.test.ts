import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { RunningSite } from '../../../server/start-site'
import { temporaryFolder } from '../../../testing/release-with-tests'
import { eventually, fetchFrom, type Answer } from '../../../testing/site'
import { loadView, startSiteInProcess } from '../../../testing/site-in-process'

const cacheStatus = (answer: Answer): string => String(answer.headers['cache-status'])

/** A site in this process whose renders can be delayed, counted and made to fail. */
describe('an expired answer', () => {
  let running: RunningSite
  let renders = 0
  let broken = false
  const real = loadView()
  const data = temporaryFolder('cache')
  const start = (ttl = 1500): Promise<RunningSite> =>
    startSiteInProcess(
      {
        DATA_DIR: data,
        PAGE_CACHE_TTL_MS: String(ttl),
        SITE_URL_EN: 'http://localhost',
        SITE_URL_ZH: 'http://zh.localhost',
        SITE_URL_RU: 'http://ru.localhost',
      },
      {
        view: {
          ...real,
          renderPage: (page, options) => {
            renders += 1
            if (broken && page.route !== 'error-502') throw new Error('the renderer is broken')
            return real.renderPage(page, options)
          },
        },
      },
    )
  const get = (path: string, options = {}): Promise<Answer> =>
    fetchFrom(running.port, path, options)
  beforeAll(async () => {
    running = await start()
  }, 60_000)
  afterAll(() => running.stop())

  const expire = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1550))

  it('is served while one renewal runs', async () => {
    await get('/pricing')
    renders = 0
    await expire()
    const answers = await Promise.all(Array.from({ length: 10 }, () => get('/pricing')))
    expect(answers.map(cacheStatus)).toContain('site; hit; ttl=-1')
    // No request waits: before the end of the renewal they get the old page, afterwards the new
    // one.
    for (const answer of answers) expect(cacheStatus(answer)).toMatch(/^site; hit; ttl=(-1|0|1)$/)
    await eventually(async () => expect(cacheStatus(await get('/pricing'))).toMatch(/ttl=[01]$/))
    expect(renders).toBe(1)
  })

  it('is served for another day with detail=error when its renewal fails, and is not renewed again at once', async () => {
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

  it('is served from its copy on disk when it is not in memory and cannot be made', async () => {
    await eventually(() =>
      expect(readdirSync(join(data, 'stale-if-error')).length).toBeGreaterThan(1),
    )
    await get('/about-us')
    await eventually(async () =>
      expect(
        (await get('/about-us', { headers: { 'accept-encoding': 'br' } })).headers[
          'content-encoding'
        ],
      ).toBe('br'),
    )
    const before = await get('/about-us')
    await new Promise((resolve) => setTimeout(resolve, 200))
    running.site.cache.purge(() => true)
    broken = true
    const copy = await get('/about-us')
    expect([copy.status, cacheStatus(copy)]).toEqual([
      200,
      expect.stringMatching(/^site; hit; ttl=-\d+; detail=error$/),
    ])
    expect(copy.body).toBe(before.body)
    expect(copy.headers.etag).toBe(before.headers.etag)
    // A page that was never rendered has no copy.
    const none = await get('/links')
    expect([
      none.status,
      none.headers['cache-control'],
      none.headers['retry-after'],
      cacheStatus(none),
    ]).toEqual([502, 'no-store', '5', 'site; fwd=miss'])
    expect(none.body).toContain('data-page="error-502"')
    broken = false
    running.site.cache.purge(() => true)
    expect(cacheStatus(await get('/about-us'))).toBe('site; fwd=miss; stored')
    expect(cacheStatus(await get('/links'))).toBe('site; fwd=miss; stored')
  })

  it('is served from its copy after a restart during an outage', async () => {
    await get('/partner-plan')
    await eventually(async () =>
      expect(
        (await get('/partner-plan', { headers: { 'accept-encoding': 'br' } })).headers[
          'content-encoding'
        ],
      ).toBe('br'),
    )
    await running.stop()
    running = await start()
    broken = true
    const answer = await get('/partner-plan')
    expect([answer.status, cacheStatus(answer)]).toEqual([
      200,
      expect.stringContaining('detail=error'),
    ])
    // Simultaneous requests for a key share its failure. They arrive while others have their turns.
    renders = 0
    for (let turn = 0; turn < 1000; turn += 1) void running.site.turns.begin(`another ${turn}`)
    const failed = await Promise.all(Array.from({ length: 8 }, () => get('/referral-program')))
    expect(failed.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 502))
    expect(failed.filter((one) => cacheStatus(one) === 'site; fwd=miss; collapsed').length).toBe(7)
    broken = false
  })

  it('is not served from a damaged copy, or from one of other settings', async () => {
    await running.stop()
    for (const file of readdirSync(join(data, 'stale-if-error')))
      writeFileSync(join(data, 'stale-if-error', file), 'not what was written')
    running = await start()
    broken = true
    expect((await get('/partner-plan')).status).toBe(502)
    broken = false
  })

  it('is deleted with its copy when the page no longer exists', async () => {
    const before = readdirSync(join(data, 'stale-if-error')).length
    expect((await get('/blog/no-such-article')).status).toBe(404)
    expect(cacheStatus(await get('/blog/no-such-article'))).toMatch(/^site; hit/)
    expect(readdirSync(join(data, 'stale-if-error')).length).toBeLessThanOrEqual(before + 1)
  })

  it('is not stored when a purge happened during its render', async () => {
    running.site.cache.purge(() => true)
    const requested = get('/helps')
    running.site.purge({ tags: ['helps'] })
    await requested
    running.site.purge({ paths: ['/helps'] })
    expect(cacheStatus(await get('/helps'))).toBe('site; fwd=miss; stored')
  })
})
