import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { z } from 'zod'
import type { readSystem } from '../../../shared/console/system'
import { askConsole, consoleData } from '../../../testing/console'
import { rawRequest } from '../../../testing/raw-request'
import { temporaryFolder } from '../../../testing/release-with-tests'
import { root } from '../../../testing/root'
import {
  eventually,
  operator,
  opsToken,
  seedContent,
  startTestSite,
  type TestSite,
} from '../../../testing/site'

/** Samples by name with labels, as in the text. */
async function metricsOf(site: TestSite): Promise<Map<string, number>> {
  const answer = await site.get('/_ops/metrics', { headers: operator })
  expect(answer.status).toBe(200)
  return new Map(
    answer.body
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => {
        const at = line.lastIndexOf(' ')
        return [line.slice(0, at), Number(line.slice(at + 1))]
      }),
  )
}
const sum = (samples: Map<string, number>, pattern: RegExp): number =>
  [...samples].filter(([name]) => pattern.test(name)).reduce((total, [, value]) => total + value, 0)

describe('/_ops/metrics', () => {
  let site: TestSite
  beforeAll(async () => {
    site = await startTestSite({ OPS_TOKEN: opsToken, CONTENT_DIR: join(root, 'content') })
  })
  afterAll(() => site.stop())

  it('requires the token', async () => {
    expect([
      (await site.get('/_ops/metrics')).status,
      (await site.get('/_ops/metrics', { headers: { authorization: 'Bearer wrong' } })).status,
    ]).toEqual([401, 401])
    const answer = await site.get('/_ops/metrics', { headers: operator })
    expect(answer.headers).toMatchObject({
      'content-type': 'text/plain; version=0.0.4; charset=utf-8',
      'cache-control': 'no-store',
    })
  })

  it('counts requests of front and pipeline by route, language, cache and status', async () => {
    await site.get('/tr/pricing')
    await eventually(async () =>
      expect((await site.get('/tr/pricing')).headers['cache-status']).toContain('hit'),
    )
    const before = await metricsOf(site)
    for (let index = 0; index < 5; index += 1) await site.get('/tr/pricing')
    const { etag = '' } = (await site.get('/tr/pricing')).headers
    await site.get('/tr/pricing', { headers: { 'if-none-match': etag } })
    await site.get('/tr/no-such-page')
    const after = await metricsOf(site)
    const grew = (name: string): number => (after.get(name) ?? 0) - (before.get(name) ?? 0)
    expect(grew('site_requests_total{route="pricing",locale="tr",cache="hit",status="200"}')).toBe(
      6,
    )
    expect(grew('site_requests_total{route="pricing",locale="tr",cache="hit",status="304"}')).toBe(
      1,
    )
    expect(grew('site_requests_total{route="single",locale="tr",cache="miss",status="404"}')).toBe(
      1,
    )
    expect(grew('site_request_duration_seconds_count{cache="hit"}')).toBeGreaterThanOrEqual(7)
    expect(grew('site_load_duration_seconds_count{kind="page"}')).toBeGreaterThanOrEqual(1)
    expect(after.get('site_render_duration_seconds_count{kind="page"}')).toBeGreaterThanOrEqual(1)
    expect(sum(after, /^site_cache_bytes\{.*pages/)).toBeGreaterThan(1000)
    expect(sum(after, /^site_cache_hits_total/)).toBeGreaterThanOrEqual(7)
    expect(after.get('site_node_support_end_seconds')).toBeGreaterThan(Date.now() / 1000)
    for (const name of ['process_cpu_seconds_total', 'nodejs_eventloop_lag_p99_seconds'])
      expect(after.has(name)).toBe(true)
    for (const pattern of [
      /^site_event_loop_delay_seconds\{.*0\.99/,
      /^site_queue_length\{.*images/,
      /^site_process_memory_bytes\{.*rss/,
      /^site_build_info/,
      new RegExp(`^site_node_info\\{.*role="server",version="${process.version}"`),
    ])
      expect([...after.keys()].some((name) => pattern.test(name))).toBe(true)
    // The content process may still be starting.
    const contentNode = new RegExp(
      `^site_node_info\\{.*role="content",version="${process.version}"`,
    )
    await eventually(async () => expect(sum(await metricsOf(site), contentNode)).toBe(1))
  })

  it('counts refusals by error name, including those of the parser', async () => {
    const before = await metricsOf(site)
    await site.get('/%')
    await site.get('/api/nothing')
    await rawRequest(
      site.port,
      'GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
    )
    await rawRequest(
      site.port,
      `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'a'.repeat(60_000)}\r\n\r\n`,
    )
    const after = await metricsOf(site)
    const grew = (reason: string): number =>
      (after.get(`site_refused_total{reason="${reason}"}`) ?? 0) -
      (before.get(`site_refused_total{reason="${reason}"}`) ?? 0)
    expect({
      badPath: grew('badPath'),
      notFound: grew('notFound'),
      badRequest: grew('badRequest'),
      headersTooLarge: grew('headersTooLarge'),
    }).toEqual({ badPath: 1, notFound: 1, badRequest: 1, headersTooLarge: 1 })
  })

  it('contains no text from a visitor', async () => {
    await site.get('/es/somebody-was-here?token=a-secret-token', {
      headers: { 'x-request-id': 'visitor-was-here' },
    })
    expect((await site.get('/_ops/metrics', { headers: operator })).body).not.toMatch(
      /was-here|secret-token/,
    )
  })
})

describe('metrics of several processes', () => {
  it('are added up, including those of a killed process', async () => {
    const dataDir = seedContent(temporaryFolder('metrics'))
    const env = { OPS_TOKEN: opsToken, DATA_DIR: dataDir }
    const one = await startTestSite(env)
    const two = await startTestSite(env)
    const votes = /^site_requests_total\{route="faq",locale="hi"/
    try {
      for (let index = 0; index < 7; index += 1) await two.get('/hi/faq')
      for (let index = 0; index < 4; index += 1) await one.get('/hi/faq')
      // The other process publishes its counts every five seconds.
      await eventually(async () => expect(sum(await metricsOf(one), votes)).toBe(11))
      expect(sum(await metricsOf(one), /^site_ready/)).toBe(2)
      const ended = new Promise((resolve) => two.child.once('exit', resolve))
      two.child.kill('SIGKILL')
      await ended
      expect(sum(await metricsOf(one), votes)).toBe(11)
      expect(sum(await metricsOf(one), /^site_ready/)).toBe(1)
      const three = await startTestSite(env)
      await three.get('/hi/faq')
      await three.stop()
      expect(sum(await metricsOf(one), votes)).toBe(12)
    } finally {
      await one.stop()
      await two.stop()
      rmSync(dataDir, { recursive: true, force: true })
    }
  }, 120_000)

  it('are those of the own process where they cannot be exchanged; log and console go on', async () => {
    const dataDir = seedContent(temporaryFolder('metrics'))
    // A folder where the file would be.
    mkdirSync(join(dataDir, 'metrics.db'))
    const site = await startTestSite({ OPS_TOKEN: opsToken, DATA_DIR: dataDir })
    try {
      expect(sum(await metricsOf(site), /^site_ready/)).toBe(1)
      await eventually(() =>
        expect(site.logs.map(({ msg }) => msg)).toContain(
          'metrics could not be exchanged between processes',
        ),
      )
      const system = await askConsole(site.port, '/api/system', { headers: { ...operator } })
      expect(consoleData<z.output<typeof readSystem.output>>(system)).toMatchObject({
        processes: [],
        failed: [],
        facts: expect.arrayContaining([{ name: 'Database', value: 'SQLite' }]),
      })
    } finally {
      await site.stop()
      rmSync(dataDir, { recursive: true, force: true })
    }
  }, 60_000)
})
