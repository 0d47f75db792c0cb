import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { parse } from 'yaml'
import { describeWith } from '../../testing/describe-with'
import { startNginx, type TestNginx } from '../../testing/nginx'
import { root } from '../../testing/root'
import { eventually, startTestSite, type TestSite } from '../../testing/site'

const read = (name: string): string => readFileSync(join(root, 'deploy', name), 'utf8')

describe('dashboard and alert rules', () => {
  let names: Set<string>
  beforeAll(async () => {
    const site = await startTestSite({ OPS_TOKEN: 'secret' })
    const { body } = await site.get('/_ops/metrics', {
      headers: { authorization: 'Bearer secret' },
    })
    await site.stop()
    names = new Set(
      [...body.matchAll(/^# TYPE (\S+) (\S+)/gm)].flatMap(([, name = '', type]) =>
        type === 'histogram' ? ['_bucket', '_sum', '_count'].map((part) => name + part) : [name],
      ),
    )
  })
  const used = (expressions: readonly string[]): string[] => [
    ...new Set(
      expressions.flatMap((text) => text.match(/\b(?:site|process|nodejs)_[a-z_]+/g) ?? []),
    ),
  ]

  it('use only metrics that exist, and the dashboard shows every metric of the site', () => {
    const { groups } = parse(read('alerts.yml')) as {
      groups: Array<{
        rules: Array<{
          alert: string
          expr: string
          labels: { severity: string }
          annotations: { summary: string }
        }>
      }>
    }
    const rules = groups.flatMap((group) => group.rules)
    const { panels } = JSON.parse(read('grafana-dashboard.json')) as {
      panels: Array<{ id: number; title: string; targets?: Array<{ expr: string }> }>
    }
    const asked = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
    expect(
      used([...rules.map(({ expr }) => expr), ...asked]).filter((name) => !names.has(name)),
    ).toEqual([])
    const histograms = [...names].filter(
      (name) => name.startsWith('site_') && !/_(?:sum|count|bucket)$/.test(name),
    )
    expect(histograms.filter((name) => !used(asked).includes(name))).toEqual([])
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
    for (const { labels, annotations } of rules)
      expect([['page', 'ticket'].includes(labels.severity), annotations.summary !== '']).toEqual([
        true,
        true,
      ])
  })

  it('the reasons in the rules are names of the error catalogue', async () => {
    const { catalogue } = await import('../../server/errors')
    const reasons = [...read('alerts.yml').matchAll(/reason=~?"([^"]+)"/g)].flatMap(
      ([, list = '']) => list.split('|'),
    )
    expect(reasons.filter((name) => !(name in catalogue))).toEqual([])
    expect(reasons.length).toBeGreaterThan(3)
  })
})

describeWith(['nginx'], 'behind nginx with deploy/nginx.conf', (programs) => {
  let site: TestSite
  let nginx: TestNginx
  beforeAll(async () => {
    // The port of nginx is known only after its start. These tests work with any origins.
    site = await startTestSite({
      TRUST_PROXY: '1',
      SITE_URL_EN: 'https://localhost',
      SITE_URL_ZH: 'https://zh.localhost',
      SITE_URL_RU: 'https://ru.localhost',
      OPS_TOKEN: 'secret',
      CDN_MAX_AGE: '60',
    })
    nginx = await startNginx(programs.nginx, [site.port])
    await eventually(async () => expect((await get('/healthz')).status).toBe(200))
  }, 120_000)
  afterAll(async () => {
    await nginx?.stop()
    await site?.stop()
  })

  const get: TestNginx['ask'] = (path, question) => nginx.ask(path, question)
  const reached = (path: string): number => site.logs.filter((line) => line['path'] === path).length
  const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 300))

  it('redirects to https on the same host first', async () => {
    expect(await get('/pricing?a=1', { host: 'zh.localhost', plain: true })).toMatchObject({
      status: 301,
      headers: { location: 'https://zh.localhost/pricing?a=1' },
    })
  })

  it('caches pages by host as long as their headers allow, and never private answers', async () => {
    for (let index = 0; index < 3; index += 1) expect((await get('/th/pricing')).status).toBe(200)
    expect((await get('/pricing', { host: 'zh.localhost' })).headers['content-language']).toBe(
      'zh-CN',
    )
    expect((await get('/pricing', { host: 'ru.localhost' })).headers['content-language']).toBe(
      'ru-RU',
    )
    for (let index = 0; index < 3; index += 1)
      expect((await get('/', { headers: { 'accept-language': 'th' } })).status).toBe(302)
    expect((await get('/', { headers: { 'accept-language': 'en' } })).status).toBe(200)
    await settled()
    expect(reached('/th/pricing')).toBe(1)
    expect(reached('/')).toBeGreaterThanOrEqual(4)
  })

  it('passes paths on unchanged, so that there is one redirect', async () => {
    expect(await get('//ES//Pricing.html/')).toMatchObject({
      status: 301,
      headers: { location: 'https://localhost/es/pricing' },
    })
    expect((await get('/%zz')).status).toBe(400)
    expect((await get('/api/..%2fadmin')).status).toBe(400)
  })

  it('ignores a forged X-Forwarded-For', async () => {
    const answer = await get('/api/sys/config/ip/get-visitor-ip', {
      headers: { 'x-forwarded-for': '8.8.8.8' },
    })
    expect((JSON.parse(answer.body) as { data: { ip: string } }).data.ip).toBe('127.0.0.1')
  })

  it('passes the request id on and keeps the security headers', async () => {
    const { headers } = await get('/faq')
    expect(headers['x-request-id']).toMatch(/^[0-9a-f]{32}$/)
    expect(headers['strict-transport-security']).toContain('max-age')
  })

  it('allows operators on this machine', async () => {
    expect(
      (await get('/_ops/metrics', { headers: { authorization: 'Bearer secret' } })).status,
    ).toBe(200)
    expect((await get('/_ops/metrics')).status).toBe(401)
  })

  it('serves stale pages when the site is down', async () => {
    const page = await get('/th/pricing')
    await site.stop()
    expect((await get('/th/pricing')).body).toBe(page.body)
    expect((await get('/th/download')).status).toBe(502)
  })
})
