import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { crawlSite, type Finding } from '../../../scripts/crawl/crawl-site'
import { root } from '../../../testing/root'
import { temporaryFolder } from '../../../testing/release-with-tests'
import { eventually, hostNames, startTestSite, type TestSite } from '../../../testing/site'

const content = temporaryFolder('content')
let site: TestSite
beforeAll(async () => {
  cpSync(join(root, 'content'), content, { recursive: true, preserveTimestamps: true })
  site = await startTestSite({ CONTENT_DIR: content })
}, 120_000)
afterAll(async () => {
  await site.stop()
  rmSync(content, { recursive: true, force: true })
})

const origins = (): string[] =>
  Object.values(hostNames).map((host) => `http://${host}:${site.port}`)

describe('a crawl of the three hosts', () => {
  it('reports every inserted fault, and nothing else in the starter content', async () => {
    mkdirSync(join(content, 'blog/faulty'), { recursive: true })
    writeFileSync(
      join(content, 'blog/faulty/en.md'),
      '---\ntitle: "Faulty"\ndescription: "Links that lead nowhere"\ndate: 2026-11-20\ncategory: proxies\n---\n\n[a](/blog/never-was) [b](/blog-proxies/) [c](/docs/proxies#nowhere)\n',
    )
    await eventually(async () => expect((await site.get('/blog/faulty')).status).toBe(200))
    const { findings, sitemaps, listed, reached, milliseconds } = await crawlSite(origins())
    console.log(
      `crawl: ${sitemaps} sitemaps, ${listed} pages listed, ${reached} reached, ${(milliseconds / 1000).toFixed(1)} s`,
    )
    const isInserted = ({ detail }: Finding): boolean => detail.includes('/blog/faulty')
    expect(findings.filter((finding) => !isInserted(finding))).toEqual([])
    expect([...new Set(findings.map(({ kind }) => kind))].sort()).toEqual([
      'broken link',
      'link to a missing anchor',
      'link to a redirect',
    ])
    expect({ sitemaps, enough: listed > 400 && reached > listed }).toEqual({
      sitemaps: 14,
      enough: true,
    })
  }, 600_000)
})
