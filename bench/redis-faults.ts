/**
 * `npm run soak -- redis-faults [seconds a phase] [pause]`: two machines with one Redis under load, while Redis is paused, killed, replaced by a server that answers
 * garbage, and comes back. The first level is so small that the second is asked all the time. Exits with 1 when a request fails.
 */
import { build } from '../scripts/prepare.mjs'
import { needProgram } from '../testing/debian-program'
import { startNonsense, startRedis } from '../testing/redis'
import { startTestSite } from '../testing/site'
import { steadyLoad } from '../testing/steady-load'
import { runPhases } from './faulty-phases'
import { root } from './servers'

const lasts = Number(process.argv[2] ?? 5) * 1000
const pause = Number(process.argv[3] ?? 0)
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
    OPS_TOKEN: 'soak',
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
      pause,
    ),
  )
  const outcomes = async (): Promise<string> => {
    const texts = await Promise.all(
      sites.map(
        async (site) =>
          (await site.get('/_ops/metrics', { headers: { authorization: 'Bearer soak' } })).body,
      ),
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
  const begin = async (): Promise<void> => {
    redis = await startRedis(programs, redis.port)
  }
  const failed = await runPhases(
    [
      { name: 'Redis there', act: async () => undefined, lasts, failing: false },
      { name: 'paused', act: async () => redis.child.kill('SIGSTOP'), lasts, failing: true },
      { name: 'goes on', act: async () => redis.child.kill('SIGCONT'), lasts, failing: false },
      { name: 'killed', act: () => redis.stop(), lasts, failing: true },
      {
        name: 'garbage instead',
        act: async () => (nonsense = await startNonsense(redis.port)),
        lasts,
        failing: true,
      },
      { name: 'nobody', act: async () => nonsense?.stop(), lasts, failing: true },
      { name: 'back, empty', act: begin, lasts, failing: false },
    ],
    loads.map(({ result }, index) => ({
      name: `machine ${index + 1}`,
      result,
      good: (status) => status === 200,
    })),
    outcomes,
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
  const fell = sites.filter(({ child }) => child.exitCode !== null).length
  await Promise.all(sites.map((site) => site.stop()))
  await redis.stop()
  if (failed > 0 || fell > 0) process.exitCode = 1
  console.log(
    process.exitCode ? `FAILED: ${failed} requests, ${fell} processes` : 'ok: no request failed',
  )
}

void main()
