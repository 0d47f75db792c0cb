/** Two machines with one Redis and one PostgreSQL behind nginx. */
import { appendFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { callApi, nonceOf, signInForm } from '../../../testing/call-api'
import { contentWith } from '../../../testing/content-copy'
import { describeWith } from '../../../testing/describe-with'
import { startIdentityProvider, type IdentityProvider } from '../../../testing/identity-provider'
import { startNginx, type TestNginx } from '../../../testing/nginx'
import { startPostgres, type PostgresServer } from '../../../testing/postgres'
import { startRedis, type RedisServer } from '../../../testing/redis'
import { eventually, operator, opsToken, startTestSite, type TestSite } from '../../../testing/site'

describeWith(['nginx', 'postgres', 'redis'], 'two machines', (programs) => {
  let provider: IdentityProvider
  let redis: RedisServer
  let postgres: PostgresServer
  let nginx: TestNginx
  let one: TestSite
  let two: TestSite
  // Compiled again, from files with other times in another folder, as on another machine.
  const content = contentWith({})
  // No pages that are warmed, because the site requests those itself.
  const path = '/blog/choosing-a-proxy-type'

  beforeAll(async () => {
    ;[provider, redis, postgres] = await Promise.all([
      startIdentityProvider(),
      startRedis(programs.redis),
      startPostgres(programs.postgres),
    ])
    const shared = {
      ...provider.settings,
      REDIS_URL: redis.url,
      DATABASE_URL: await postgres.makeDatabase(),
      OPS_TOKEN: opsToken,
      RATE_SIGNIN: '100',
      RATE_OTHER: '20',
      // The visitor's address passes through a CDN and nginx.
      TRUST_PROXY: '2',
      SITE_URL_EN: 'https://localhost',
      SITE_URL_ZH: 'https://zh.localhost',
      SITE_URL_RU: 'https://ru.localhost',
    }
    ;[one, two] = await Promise.all([
      startTestSite(shared),
      startTestSite({ ...shared, CONTENT_DIR: content }),
    ])
    nginx = await startNginx(programs.nginx, [one.port, two.port])
    await eventually(async () => expect((await nginx.ask('/healthz')).status).toBe(200))
  }, 180_000)
  afterAll(async () => {
    await nginx?.stop()
    await Promise.all([one?.stop(), two?.stop()])
    await Promise.all([provider?.stop(), redis?.stop(), postgres?.stop()])
    rmSync(content, { recursive: true, force: true })
  })

  /** The `cache` fields of a machine's log lines for a path. */
  const cacheFields = (site: TestSite, path: string): unknown[] =>
    site.logs
      .filter((line) => line.msg === 'request' && line['path'] === path)
      .map((line) => line['cache'])
  /** An answer that is compressed is written to Redis before the next request. */
  async function expectShared(site: TestSite, key: string): Promise<void> {
    const { data } = JSON.parse(
      (await site.get('/_ops/cache?limit=1000', { headers: operator })).body,
    ) as { data: { listed: Array<{ key: string; forms: Record<string, number> }> } }
    expect(data.listed.find((entry) => entry.key === key)?.forms ?? {}).toHaveProperty('br')
  }
  /**
   * Waits until other machines can read the answer in Redis. Gives up after 10 s: if Redis is slow
   * when an answer is made, the answer is never written there.
   */
  const untilShared = (site: TestSite, key: string): Promise<void> =>
    eventually(() => expectShared(site, key), 10_000)
  const purge = (body: unknown): Promise<Response> =>
    fetch(`http://127.0.0.1:${one.port}/_ops/cache/purge`, {
      method: 'POST',
      headers: { ...operator, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const cacheStatus = async (site: TestSite): Promise<string> =>
    String((await site.get(path)).headers['cache-status'])

  async function serveTogether(path: string): Promise<void> {
    const first = await nginx.ask(`${path}?n=0`)
    const [maker, other] = await eventually(() => {
      expect([...cacheFields(one, path), ...cacheFields(two, path)]).toEqual(['miss'])
      return cacheFields(one, path).length === 1 ? ([one, two] as const) : ([two, one] as const)
    })
    await untilShared(maker, `en ${path}`)
    // nginx caches each of these URLs separately, the site all of them as one.
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => nginx.ask(`${path}?n=${index + 1}`)),
    )
    for (const answer of answers)
      expect([answer.status, answer.body === first.body, answer.headers['cache-status']]).toEqual([
        200,
        true,
        expect.stringMatching(/^site; (?:hit; ttl=\d+|fwd=miss; collapsed)$/),
      ])
    await eventually(() =>
      expect(cacheFields(maker, path).length + cacheFields(other, path).length).toBe(21),
    )
    const all = [...cacheFields(maker, path), ...cacheFields(other, path)]
    expect([
      all.filter((way) => way === 'miss').length,
      cacheFields(other, path).filter((way) => way === 'shared').length,
    ]).toEqual([1, 1])
    // All encodings exist, with the same ETags.
    for (const encoding of ['br', 'gzip', 'identity']) {
      await eventually(async () => {
        const [fromMaker, fromOther] = [
          await maker.get(path, { headers: { 'accept-encoding': encoding } }),
          await other.get(path, { headers: { 'accept-encoding': encoding } }),
        ]
        expect([fromOther.headers.etag, fromOther.headers['content-encoding']]).toEqual([
          fromMaker.headers.etag,
          encoding === 'identity' ? undefined : encoding,
        ])
        expect(fromOther.bytes.equals(fromMaker.bytes)).toBe(true)
      })
    }

    const payload = `${path}/_payload.json?${/data-build="(\w+)"/.exec(first.body)?.[1] ?? ''}`
    const made = await other.get(payload)
    await untilShared(other, `payload en ${path}`)
    const again = await maker.get(payload)
    expect([again.body === made.body, again.headers['cache-status']]).toEqual([
      true,
      expect.stringMatching(/^site; hit/),
    ])
  }

  it('serve a page that one of them has made: HTML and payload, through nginx and directly', async () => {
    // Under load a Redis command may take 100 ms now and then, and each machine works alone for a
    // moment. Then another page is tried.
    const languages = ['', '/es', '/pt', '/vn', '/fr', '/tr', '/ko', '/th'].values()
    await eventually(() => serveTogether(`${languages.next().value ?? ''}${path}`), 90_000)
    const { body } = await one.get('/_ops/metrics', { headers: operator })
    expect(
      Number(/^site_shared_cache_total\{outcome="hit"\} (\d+)/m.exec(body)?.[1]),
    ).toBeGreaterThan(0)
  }, 180_000)

  it('apply a purge, by surrogate key, path or all, and serve nothing from before it', async () => {
    const delays: number[] = []
    for (const body of [
      { tags: ['blog/choosing-a-proxy-type'] },
      { paths: [path] },
      { all: true },
    ]) {
      await eventually(async () =>
        expect([await cacheStatus(one), await cacheStatus(two)]).toEqual([
          expect.stringMatching(/^site; hit/),
          expect.stringMatching(/^site; hit/),
        ]),
      )
      expect((await purge(body)).status).toBe(200)
      const began = performance.now()
      await eventually(async () => expect(await cacheStatus(two)).toBe('site; fwd=miss; stored'))
      delays.push(performance.now() - began)
    }
    console.info(
      `a purge reached the other machine after ${delays.map((delay) => delay.toFixed(1)).join(', ')} ms`,
    )
  }, 60_000)

  it('do not share pages after the content of one of them has changed', async () => {
    appendFileSync(
      join(content, 'blog', 'choosing-a-proxy-type', 'en.md'),
      '\n\nA sentence about a lighthouse.\n',
    )
    await eventually(async () => {
      expect((await two.get(path)).body).toContain('A sentence about a lighthouse.')
      // What was begun before the change is not stored, so the page is requested again.
      await expectShared(two, `en ${path}`)
    })
    await purge({ paths: [path] })
    const answer = await one.get(path)
    expect([answer.headers['cache-status'], answer.body.includes('lighthouse')]).toEqual([
      'site; fwd=miss; stored',
      false,
    ])
    expect((await two.get(path)).body).toContain('A sentence about a lighthouse.')
  }, 60_000)

  it('redeem a one-time token once', async () => {
    const form = await signInForm(one.port, await provider.token(await nonceOf(two.port)))
    const { cpl } = (await callApi(one.port, '/sys/user/passport/authorized-login', { form }))
      .data as { cpl: string }
    const answers = await Promise.all(
      Array.from({ length: 30 }, () =>
        nginx.ask('/api/sys/user/passport/redeem', { json: { token: cpl } }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([
      200,
      ...Array.from({ length: 29 }, () => 401),
    ])
  })

  it('share their rate limits', async () => {
    let visitor = 0
    // Under load a Redis command may take 100 ms now and then, and each machine counts alone for a
    // moment.
    await eventually(async () => {
      const headers = { 'x-forwarded-for': `198.51.100.${(visitor += 1)}` }
      const answers = await Promise.all(
        Array.from({ length: 60 }, () =>
          nginx.ask('/api/home/base-info?lang=en&type=home', { headers }),
        ),
      )
      expect(answers.filter(({ status }) => status === 200).length).toBe(20)
    })
  })
})
