/**
 * Floods (spec 10.1): what one address sends costs the others nothing. Searches that never end, and
 * answers that must be made.
 */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import Database from 'better-sqlite3'
import { contentFile } from '../../../server/content/data-files'
import { temporaryFolder } from '../../../testing/release-with-tests'
import {
  eventually,
  operator,
  opsToken,
  seedContent,
  startTestSite,
  type Answer,
  type TestSite,
} from '../../../testing/site'

let next = 1
/** An address that no other test uses. */
const newAddress = (): string => `198.51.${next >> 8}.${(next += 1) & 255}`
const from = (address: string): { headers: Record<string, string> } => ({
  headers: { 'X-Forwarded-For': address },
})

/** CPU seconds of a process and its children. */
function cpuSecondsOf(pid: number): number {
  const fields = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
        return [[name, ...stat.slice(stat.lastIndexOf(')') + 2).split(' ')]]
      } catch {
        return [] // the process has ended
      }
    })
    .filter(([id, , parent]) => Number(id) === pid || Number(parent) === pid)
  return fields.reduce((sum, row) => sum + (Number(row[12]) + Number(row[13])) / 100, 0)
}

describe('searches that never end', () => {
  const dataDir = temporaryFolder('floods')
  let site: TestSite
  /** The word is in no article, so the search looks for corrections in the vocabulary. */
  const endless = '/api/site/search?q=collleague'
  const search = (query: string, address: string): Promise<Answer> =>
    site.get(`/api/site/search?q=${query}`, from(address))

  beforeAll(async () => {
    // A site that has no seed compiles its content when it starts.
    if (!existsSync(contentFile(seedContent(dataDir))))
      await (await startTestSite({ DATA_DIR: dataDir })).stop()
    const db = new Database(contentFile(dataDir))
    db.exec(`DROP TABLE vocabulary;
      CREATE VIEW vocabulary AS
        WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers)
        SELECT CASE WHEN n > 0 THEN 'none' ELSE 'en' END AS locale, n AS key, '' AS word
        FROM numbers`)
    db.close()
    site = await startTestSite({ DATA_DIR: dataDir, TRUST_PROXY: '1' })
  }, 120_000)
  afterAll(async () => {
    await site.stop()
    rmSync(dataDir, { recursive: true, force: true })
  })

  it('do not keep other addresses from searching', async () => {
    const attacker = newAddress()
    const served: string[] = []
    const flood = Array.from({ length: 20 }, async (_, index) => {
      const { status } = await site.get(`${endless}&limit=${index + 1}`, from(attacker))
      if (status !== 429) served.push('attacker')
      return status
    })
    expect((await search('proxy', newAddress())).status).toBe(200)
    served.push('visitor')
    const statuses = await Promise.all(flood)
    expect(statuses.sort()).toEqual([...Array<number>(18).fill(429), 503, 503])
    // At most one search of the attacker came first.
    expect(served.indexOf('visitor')).toBeLessThan(2)
  })

  it('are really ended', async () => {
    expect((await site.get(endless, from(newAddress()))).status).toBe(503)
    await eventually(async () => {
      const before = cpuSecondsOf(site.child.pid ?? 0)
      await new Promise((resolve) => setTimeout(resolve, 300))
      expect(cpuSecondsOf(site.child.pid ?? 0) - before).toBeLessThan(0.1)
    }, 5000)
    expect((await search('proxy', newAddress())).status).toBe(200)
  })
})

describe('answers that must be made', () => {
  const limit = 3
  let site: TestSite
  /** Pages that the site does not warm. */
  const articles = [
    'automation',
    'faq',
    'install',
    'local-api',
    'organise',
    'profiles',
    'proxies',
    'rpa',
  ].map((id) => `/th/docs/${id}`)

  beforeAll(async () => {
    site = await startTestSite({
      TRUST_PROXY: '1',
      RATE_MISS: String(limit),
      PAGE_WARMING: 'on',
      OPS_TOKEN: opsToken,
      // An entry is stale at once, and a few pages fill the cache.
      PAGE_CACHE_TTL_MS: '1',
      PAGE_CACHE_MAX_MB: '1',
    })
  }, 120_000)
  afterAll(() => site.stop())

  /** The statuses of paths, requested one after the other by one address. */
  async function statusesOf(paths: readonly string[], address: string): Promise<number[]> {
    const statuses: number[] = []
    for (const path of paths) statuses.push((await site.get(path, from(address))).status)
    return statuses
  }
  const useUp = (address: string): Promise<number[]> =>
    statusesOf(
      Array.from({ length: limit }, () => `/unknown-${(next += 1)}`),
      address,
    )

  it.each([
    ['404 pages', ['/a-1', '/a-2', '/a-3', '/a-4'], 404],
    ['pages', articles.slice(0, limit + 1), 200],
    ['payloads', articles.slice(0, limit + 1).map((path) => `${path}/_payload.json`), 200],
    ['sitemaps', ['es-ES', 'pt-PT', 'tr-TR', 'fr-FR'].map((tag) => `/${tag}-sitemap.xml`), 200],
    ['feeds', ['es', 'pt', 'tr', 'fr'].map((prefix) => `/${prefix}/blog/feed.xml`), 200],
    ['Markdown texts', articles.slice(0, limit + 1).map((path) => `${path}.md`), 200],
    [
      'sharing pictures',
      articles.slice(0, limit + 1).map((path) => `/_og/0123456789abcdef${path}.png`),
      302,
    ],
  ])('are limited: %s', async (_, paths, status) => {
    const address = newAddress()
    expect(await statusesOf(paths, address)).toEqual([status, status, status, 429])
    const refused = await site.get(paths[limit] ?? '', from(address))
    expect(refused.status).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60)
    expect(refused.headers['cache-control']).toBe('no-store')
    expect((await site.get(paths[limit] ?? '', from(newAddress()))).status).toBe(status)
  })

  it('are counted for a /64 of IPv6 as one', async () => {
    const paths = ['/b-1', '/b-2', '/b-3', '/b-4']
    const statuses = await Promise.all(
      paths.map(
        async (path, index) => (await site.get(path, from(`2001:db8:5:6::${index}`))).status,
      ),
    )
    expect(statuses.sort()).toEqual([404, 404, 404, 429])
  })

  it('do not include stored answers, nor their renewal', async () => {
    const address = newAddress()
    await useUp(address)
    const files = ['/es-ES-sitemap.xml', '/es/blog/feed.xml']
    for (const path of ['/th/faq', ...files]) await site.get(path, from(newAddress()))
    for (let count = 0; count < 3; count += 1) {
      const { status, headers } = await site.get('/th/faq', from(address))
      expect([status, headers['cache-status']]).toEqual([
        200,
        expect.stringMatching(/^site; hit; ttl=(0|-\d+)$/),
      ])
    }
    expect(await statusesOf(files, address)).toEqual([200, 200])
  })

  it('come from the copy on disk once they were evicted, unless they were purged', async () => {
    const [page = '', ...others] = articles.map((path) => path.replace('/th/', '/es/'))
    const address = newAddress()
    await useUp(address)
    await site.get(page, from(newAddress()))
    const isStored = async (): Promise<boolean> => {
      const { body } = await site.get('/_ops/cache?limit=1000', { headers: operator })
      return body.includes(`${page}"`)
    }
    await eventually(async () => {
      for (const path of others) await site.get(`${path}?page=2`, from(newAddress()))
      for (const path of others) await site.get(path, from(newAddress()))
      expect(await isStored()).toBe(false)
    })
    const copy = await site.get(page, from(address))
    expect([copy.status, copy.headers['cache-status']]).toEqual([
      200,
      expect.stringMatching(/^site; hit; ttl=-\d+$/),
    ])
    const purged = await fetch(`http://127.0.0.1:${site.port}/_ops/cache/purge`, {
      method: 'POST',
      headers: { ...operator, 'content-type': 'application/json' },
      body: JSON.stringify({ all: true }),
    })
    expect(purged.status).toBe(200)
    expect((await site.get(page, from(address))).status).toBe(429)
  })

  it('do not include those that the site warms', async () => {
    // Without X-Forwarded-For these requests have the address of the warm-up requests: loopback.
    for (let count = 0; count <= limit; count += 1) await site.get(`/warm-${count}`)
    expect((await site.get('/warm-refused')).status).toBe(429)
    const seen = site.logs.length
    await eventually(() =>
      expect(
        site.logs.slice(seen).some((line) => line['cache'] === 'miss' && line['status'] === 200),
      ).toBe(true),
    )
  })
})
