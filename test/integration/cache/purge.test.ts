import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { root } from '../../../testing/root'
import { temporaryFolder } from '../../../testing/release-with-tests'
import {
  eventually,
  operator,
  opsToken,
  startTestSite,
  type Answer,
  type TestSite,
} from '../../../testing/site'

const cacheStatus = (answer: Answer): string => String(answer.headers['cache-status'])

describe('purging and listing the cache', () => {
  let sites: TestSite[] = []
  const dataDir = temporaryFolder('purge')
  const contentDir = temporaryFolder('purge-content')
  beforeAll(async () => {
    cpSync(join(root, 'content'), contentDir, { recursive: true, preserveTimestamps: true })
    editFile('solutions/amazon', 'solutions/amazon', /^related: .*$/m, 'related: [not-written]')
    const env = { DATA_DIR: dataDir, CONTENT_DIR: contentDir, OPS_TOKEN: opsToken }
    sites = [await startTestSite(env), await startTestSite(env)]
  }, 90_000)
  afterAll(async () => {
    await Promise.all(sites.map((site) => site.stop()))
    rmSync(dataDir, { recursive: true, force: true })
    rmSync(contentDir, { recursive: true, force: true })
  })
  /** Writes the English text of one entry, changed, as that of another. */
  const editFile = (from: string, to: string, pattern: RegExp, replacement: string): void => {
    const text = readFileSync(join(contentDir, from, 'en.md'), 'utf8')
    mkdirSync(join(contentDir, to), { recursive: true })
    writeFileSync(join(contentDir, to, 'en.md'), text.replace(pattern, replacement))
  }
  const [one, two] = [(): TestSite => sites[0] ?? never(), (): TestSite => sites[1] ?? never()]
  const never = (): never => {
    throw new Error('not started')
  }
  const purge = async (
    body: unknown,
    headers: Record<string, string> = operator,
    type = 'application/json',
  ): Promise<{ status: number; body: { code: number; data: { purged: number } } }> => {
    const answer = await fetch(`http://127.0.0.1:${one().port}/_ops/cache/purge`, {
      method: 'POST',
      headers: { ...headers, 'content-type': type },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
    return {
      status: answer.status,
      body: (await answer.json()) as { code: number; data: { purged: number } },
    }
  }

  it('reaches the other process of the machine at once', async () => {
    // Not a page that is warmed, because warming would store it again.
    const path = '/blog/choosing-a-proxy-type'
    for (const body of [{ paths: [path] }, { tags: ['site'] }, { all: true }]) {
      for (const site of [one(), two()]) await site.get(path)
      for (const site of [one(), two()])
        expect(cacheStatus(await site.get(path))).toMatch(/^site; hit/)
      const answer = await purge(body)
      expect([answer.status, answer.body.code]).toEqual([200, 0])
      expect(answer.body.data.purged).toBeGreaterThan(0)
      expect(cacheStatus(await one().get(path))).toBe('site; fwd=miss; stored')
      // 100 ms by the specification (spec 8.5), but the machine may be busy with other tests.
      await eventually(
        async () => expect(cacheStatus(await two().get(path))).toBe('site; fwd=miss; stored'),
        1000,
      )
    }
  })

  it('returns the number of deleted entries, and keeps the others', async () => {
    // Neither pages that are warmed nor entries that a warmed page lists, because warming would
    // store those again.
    await purge({ all: true })
    for (const path of ['/pricing', '/faq', '/privacy']) await one().get(path)
    expect((await purge({ tags: ['pages/privacy'] })).body.data.purged).toBe(1)
    expect(cacheStatus(await one().get('/faq'))).toMatch(/^site; hit/)
    expect((await purge({ paths: ['/faq', '/nothing'] })).body.data.purged).toBe(1)
    expect((await purge({ tags: ['none'] })).body.data.purged).toBe(0)
    expect(cacheStatus(await one().get('/pricing'))).toMatch(/^site; hit/)
  })

  it('refuses other bodies', async () => {
    for (const body of [
      {},
      { all: false },
      { tags: [] },
      { tags: ['a'], paths: ['b'] },
      { tags: 'a' },
      { other: 1 },
      { tags: [1] },
      '[]',
      'null',
      '{',
      `{"tags":${'['.repeat(40)}${']'.repeat(40)}}`,
    ])
      expect((await purge(body)).status).toBe(400)
    expect((await purge({ all: true }, operator, 'text/plain')).status).toBe(415)
    expect((await purge(`{"tags":["${'x'.repeat(70_000)}"]}`)).status).toBe(413)
  })

  it('requires the token', async () => {
    for (const headers of [
      {},
      { authorization: opsToken },
      { authorization: 'Bearer ' },
      { authorization: `Bearer ${opsToken}x` },
      { authorization: `Basic ${opsToken}` },
    ] as Array<Record<string, string>>) {
      expect((await purge({ all: true }, headers)).status).toBe(401)
      const listing = await one().get('/_ops/cache', { headers })
      expect([listing.status, listing.headers['www-authenticate']]).toEqual([401, 'Bearer'])
    }
    expect((await one().get('/_ops/nothing', { headers: operator })).status).toBe(404)
    const wrong = await one().get('/_ops/cache/purge', { headers: operator })
    expect([wrong.status, wrong.headers.allow]).toEqual([405, 'POST'])
    expect((await one().get('/_ops/cache', { method: 'DELETE', headers: operator })).status).toBe(
      405,
    )
  })

  it('lists entries with sizes that add up', async () => {
    await purge({ all: true })
    for (let hit = 0; hit < 3; hit += 1) await one().get('/links')
    await eventually(async () =>
      expect(
        (await one().get('/links', { headers: { 'accept-encoding': 'br' } })).headers[
          'content-encoding'
        ],
      ).toBe('br'),
    )
    const { data } = JSON.parse(
      (await one().get('/_ops/cache?limit=1000', { headers: operator })).body,
    ) as {
      data: {
        entries: number
        bytes: number
        maxBytes: number
        hitRatio: number
        listed: Array<{
          key: string
          bytes: number
          hits: number
          ttl: number
          tags: string[]
          forms: Record<string, number>
        }>
      }
    }
    const links = data.listed.find(({ key }) => key === 'en /links')
    expect(links).toMatchObject({
      tags: expect.arrayContaining(['locale:en']),
      forms: { identity: expect.any(Number), br: expect.any(Number), gzip: expect.any(Number) },
    })
    expect(links?.hits).toBeGreaterThan(1)
    expect(links?.bytes).toBeGreaterThan(
      Object.values(links?.forms ?? {}).reduce((sum, value) => sum + value, 0),
    )
    expect(data.bytes).toBe(
      data.listed.reduce((sum, { key, bytes }) => sum + bytes + key.length, 0),
    )
    expect(data.hitRatio).toBeGreaterThan(0)
  })

  it('deletes the pages that show a changed file, in both processes', async () => {
    const file = join(contentDir, 'blog', 'choosing-a-proxy-type', 'en.md')
    expect(existsSync(file)).toBe(true)
    for (const site of [one(), two()]) {
      await site.get('/blog/choosing-a-proxy-type')
      await site.get('/pricing')
    }
    writeFileSync(file, `${readFileSync(file, 'utf8')}\n\nA sentence about a lighthouse.\n`)
    for (const site of [one(), two()]) {
      await eventually(async () =>
        expect((await site.get('/blog/choosing-a-proxy-type')).body).toContain(
          'A sentence about a lighthouse.',
        ),
      )
      expect(cacheStatus(await site.get('/pricing'))).toMatch(/^site; hit/)
    }
  })

  it('deletes the pages that link to a new file from now on', async () => {
    const pages = {
      '/release/1.3.0': '/release/1.4.0',
      '/solutions/amazon': '/solutions/not-written',
    }
    const areLinked = (): Promise<boolean[]> =>
      Promise.all(
        Object.entries(pages).map(async ([path, link]) =>
          (await one().get(path)).body.includes(`href="${link}"`),
        ),
      )
    expect(await areLinked()).toEqual([false, false])
    editFile('release/1.3.0', 'release/1.4.0', /^date: .*$/m, 'date: 2026-11-20')
    editFile('solutions/e-commerce', 'solutions/not-written', /^title: .*$/m, 'title: "Another"')
    await eventually(async () => expect(await areLinked()).toEqual([true, true]))
  })
})

describe('a site without cache or token', () => {
  it('bypasses the cache for every page, and has no operator calls', async () => {
    const site = await startTestSite({ PAGE_CACHE_MAX_MB: '0' })
    for (let index = 0; index < 2; index += 1)
      expect(cacheStatus(await site.get('/pricing'))).toBe('site; fwd=bypass')
    for (const headers of [
      {},
      { authorization: 'Bearer ' },
      { authorization: 'Bearer x' },
    ] as Array<Record<string, string>>) {
      expect((await site.get('/_ops/cache', { headers })).status).toBe(404)
      expect((await site.get('/_ops/metrics', { headers })).status).toBe(404)
    }
    await site.stop()
  }, 60_000)
})
