/**
 * `npm run soak -- redis-faults [seconds a phase] [pause]`: two sites that share a Redis under
 * load, while Redis is paused, killed, replaced by a server that answers garbage, and restarted.
 * The memory cache is so small that most requests reach the second-level cache. Exits with 1 when a
 * request fails.
 */
import { build } from '../scripts/prepare.mjs'
import { needProgram } from '../testing/debian-program'
import { startNonsense, startRedis } from '../testing/redis'
import { operator, opsToken, startTestSite } from '../testing/site'
import { steadyLoad } from '../testing/steady-load'
import { runPhases } from './faulty-phases'
import { root } from './servers'

const phaseMs = Number(process.argv[2] ?? 5) * 1000
const pauseMs = Number(process.argv[3] ?? 0)
const connections = 16
const prefixes = ['', '/es', '/pt', '/fr', '/th', '/vn', '/jp', '/ko', '/tr', '/uk', '/hi', '/tc']
const pages = [
  '',
  '/pricing',
  '/download',
  '/faq',
  '/docs/profiles',
  '/blog',
  '/about-us',
  '/links',
  '/helps',
  '/privacy',
  '/terms',
]
const paths = prefixes.flatMap((prefix) => pages.map((page) => `${prefix}${page}` || '/'))
const call = '/api/home/base-info?lang=en&type=home'

async function main(): Promise<void> {
  const folder = build(root)
  const programs = needProgram('redis')
  let redis = await startRedis(programs)
  const settings = {
    REDIS_URL: redis.url,
    RATE_OTHER: '1000000',
    PAGE_CACHE_MAX_MB: '1',
    OPS_TOKEN: opsToken,
    LOG_LEVEL: 'info',
    SITE_URL_EN: 'http://localhost:1',
    SITE_URL_ZH: 'http://zh.localhost:1',
    SITE_URL_RU: 'http://ru.localhost:1',
  }
  const sites = await Promise.all([
    startTestSite(settings, folder),
    startTestSite(settings, folder),
  ])
  const loads = sites.map((site) =>
    steadyLoad(
      site.port,
      connections,
      (index) => ({
        path: index % 20 === 0 ? call : (paths[Math.floor(Math.random() * paths.length)] ?? '/'),
      }),
      pauseMs,
    ),
  )
  const describeSharedCache = async (): Promise<string> => {
    const texts = await Promise.all(
      sites.map(async (site) => (await site.get('/_ops/metrics', { headers: operator })).body),
    )
    const sums = texts
      .flatMap((text) => [...text.matchAll(/^site_shared_cache_total\{outcome="(\w+)"\} (\d+)/gm)])
      .reduce<Record<string, number>>(
        (sum, [, name = '', count]) => ({ ...sum, [name]: (sum[name] ?? 0) + Number(count) }),
        {},
      )
    return `; in Redis so far ${JSON.stringify(sums)}`
  }
  let nonsense: Awaited<ReturnType<typeof startNonsense>> | null = null
  const restartRedis = async (): Promise<void> => {
    redis = await startRedis(programs, redis.port)
  }
  const failed = await runPhases(
    [
      {
        name: 'Redis available',
        act: () => Promise.resolve(),
        durationMs: phaseMs,
        isOutage: false,
      },
      {
        name: 'paused',
        act: () => Promise.resolve(redis.child.kill('SIGSTOP')),
        durationMs: phaseMs,
        isOutage: true,
      },
      {
        name: 'resumed',
        act: () => Promise.resolve(redis.child.kill('SIGCONT')),
        durationMs: phaseMs,
        isOutage: false,
      },
      { name: 'killed', act: () => redis.stop(), durationMs: phaseMs, isOutage: true },
      {
        name: 'replaced by garbage',
        act: async () => (nonsense = await startNonsense(redis.port)),
        durationMs: phaseMs,
        isOutage: true,
      },
      {
        name: 'nothing on the port',
        act: async () => nonsense?.stop(),
        durationMs: phaseMs,
        isOutage: true,
      },
      { name: 'restarted, empty', act: restartRedis, durationMs: phaseMs, isOutage: false },
    ],
    loads.map(({ result }, index) => ({
      name: `site ${index + 1}`,
      result,
      isExpected: (status) => status === 200,
    })),
    describeSharedCache,
  )
  await Promise.all(loads.map(({ stop }) => stop()))
  const lines = sites
    .flatMap((site) => site.logs)
    .filter(
      ({ level, msg }) =>
        msg !== 'request' && (level === 'error' || level === 'fatal' || msg.startsWith('Redis')),
    )
  console.log(
    `log: ${JSON.stringify(lines.reduce<Record<string, number>>((counts, { msg }) => ({ ...counts, [msg]: (counts[msg] ?? 0) + 1 }), {}))}`,
  )
  const exited = sites.filter(({ child }) => child.exitCode !== null).length
  await Promise.all(sites.map((site) => site.stop()))
  await redis.stop()
  if (failed > 0 || exited > 0) process.exitCode = 1
  console.log(
    process.exitCode
      ? `FAILED: ${failed} requests, ${exited} processes exited`
      : 'ok: no request failed',
  )
}

void main()
