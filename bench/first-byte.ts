/**
 * Measures the time to the first byte of cache misses on an idle site. Each round purges the cache
 * and then requests each page once, one after the other. `--rounds 20`
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { href } from '../shared/routes/href'
import { operator } from '../testing/site'
import { cpuSeconds } from './load'
import { atMost, median, report, type Row } from './report'
import { get, startSite, untilWarmed, type Server } from './servers'

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '20' } } })
const rounds = Number(values.rounds)
/** Longest acceptable median over all pages. */
const targetMs = 10

const pages = (['en', 'th'] as const).flatMap((locale) => [
  href(locale, 'home', {}),
  href(locale, 'pricing', {}),
  href(locale, 'blog', {}),
  href(locale, 'blog-article', { id: 'choosing-a-proxy-type' }),
  href(locale, 'doc', { id: 'automation' }),
  href(locale, 'faq', {}),
  href(locale, 'solutions', {}),
])

async function purgeAll({ port }: Server): Promise<void> {
  const { ok } = await fetch(`http://127.0.0.1:${port}/_ops/cache/purge`, {
    method: 'POST',
    headers: { ...operator, 'content-type': 'application/json' },
    body: '{"all":true}',
  })
  if (!ok) throw new Error('the cache could not be purged')
}

async function main(): Promise<void> {
  const site = await startSite({ LOG_LEVEL: 'warn' })
  await untilWarmed(site)
  const times = new Map(pages.map((page): [string, number[]] => [page, []]))
  let before = 0
  for (let round = 0; round <= rounds; round += 1) {
    if (round === 1) before = cpuSeconds(site.pid)
    await purgeAll(site)
    for (const [page, list] of times) {
      const { headers, firstByteMs: firstByte } = await get(site.port, page, {
        'accept-encoding': 'br',
      })
      if (!String(headers['cache-status']).includes('fwd=miss'))
        throw new Error(`${page} was not a miss: ${String(headers['cache-status'])}`)
      // The first round also reads files and prepares statements, so it is not counted.
      if (round > 0) list.push(firstByte)
      // The site compresses the stored page in the background; that must not slow down the next
      // one.
      await sleep(50)
    }
  }
  const used = ((cpuSeconds(site.pid) - before) * 1000) / (rounds * pages.length)
  await site.stop()
  const shares = (list: readonly number[]): Row => {
    const sorted = [...list].sort((a, b) => a - b)
    return {
      'median ms': median(sorted).toFixed(1),
      'p95 ms': (sorted[Math.floor(sorted.length * 0.95)] ?? 0).toFixed(1),
      'largest ms': (sorted.at(-1) ?? 0).toFixed(1),
    }
  }
  const all = [...times.values()].flat()
  report(
    'first-byte',
    [
      ...[...times].map(([page, list]) => ({ page, ...shares(list) })),
      { page: 'all', ...shares(all) },
    ],
    [
      `${rounds} misses of each page, one request at a time, each on a new connection`,
      `CPU time of the server ${used.toFixed(1)} ms a miss: rendering, and compressing afterwards`,
    ],
    [atMost('first byte of a missed page, no load, median', targetMs, 'ms', median(all))],
  )
}

void main()
