/**
 * `npm run soak -- floods [requests]`: sends 100,000 random queries, then 100,000 random paths, and
 * requests hot pages in between. Exits with 1 when fewer than 99 % of the hot requests were cache
 * hits, when a store exceeded its limit, or when a response had status 500 or above.
 */
import { randomBytes } from 'node:crypto'
import { Agent, request } from 'node:http'
import { build } from '../scripts/prepare.mjs'
import { operator } from '../testing/site'
import { residentMiB } from './load'
import { readOps, get, root, startSite, untilWarmed, type Server } from './servers'

const requests = Number(process.argv[2] ?? 100_000)
const concurrency = 32
/** A hot page is requested after every 20th random request. */
const hotInterval = 20
const minHitRatio = 0.99
const hotPages = [
  '/',
  '/pricing',
  '/blog',
  '/blog/choosing-a-proxy-type',
  '/docs/automation',
  '/es',
  '/th/pricing',
  '/faq',
]

type Store = { entries: number; bytes: number; maxBytes: number }
type CacheSizes = Store & { small: Store }
const agent = new Agent({ keepAlive: true, maxSockets: concurrency })

function requestPage(port: number, path: string): Promise<{ status: number; hit: boolean }> {
  return new Promise((done, fail) => {
    request(
      {
        host: '127.0.0.1',
        port,
        path,
        agent,
        headers: { host: `localhost:${port}`, 'accept-encoding': 'br' },
      },
      (response) => {
        response.resume().on('end', () =>
          done({
            status: response.statusCode ?? 0,
            hit: String(response.headers['cache-status']).startsWith('site; hit'),
          }),
        )
      },
    )
      .on('error', fail)
      .end()
  })
}

const describeStore = ({ entries, bytes, maxBytes }: Store): string =>
  `${entries} entries, ${(bytes / 2 ** 20).toFixed(1)} of ${(maxBytes / 2 ** 20).toFixed(0)} MiB`

/** Sends one flood. Resolves to true when all limits were met. */
async function flood(site: Server, name: string, target: () => string): Promise<boolean> {
  const before = await readOps<CacheSizes>(site, '/_ops/cache?limit=0')
  const statuses = new Map<number, number>()
  let [sent, hotRequests, hits] = [0, 0, 0]
  // The limits apply at any moment, so the largest sizes during the flood are recorded.
  let largest: CacheSizes = before
  const startedAt = performance.now()
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      for (let number = (sent += 1); number <= requests; number = sent += 1) {
        const { status } = await requestPage(site.port, target())
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
        if (number % hotInterval === 0) {
          hotRequests += 1
          if ((await requestPage(site.port, hotPages[hotRequests % hotPages.length] ?? '/')).hit)
            hits += 1
        }
        if (number % 5000 === 0) {
          const now = await readOps<CacheSizes>(site, '/_ops/cache?limit=0')
          largest = {
            ...(now.bytes > largest.bytes ? now : largest),
            small: now.small.bytes > largest.small.bytes ? now.small : largest.small,
          }
        }
      }
    }),
  )
  const seconds = (performance.now() - startedAt) / 1000
  const after = await readOps<CacheSizes>(site, '/_ops/cache?limit=0')
  const isWithinLimits =
    largest.bytes <= largest.maxBytes && largest.small.bytes <= largest.small.maxBytes
  const failed = [...statuses].some(([status]) => status >= 500)
  const hitRatio = hits / hotRequests
  console.log(
    `${requests.toLocaleString('en')} random ${name} in ${seconds.toFixed(0)} s: ${[...statuses].map(([status, count]) => `${count} × ${status}`).join(', ')}`,
  )
  console.log(
    `  hot pages: ${hits} of ${hotRequests} requests were hits (${(hitRatio * 100).toFixed(2)} %)`,
  )
  console.log(
    `  pages: ${describeStore(before)} before, ${describeStore(after)} after, at most ${describeStore(largest)}; small answers: ${describeStore(before.small)} before, ${describeStore(after.small)} after, at most ${describeStore(largest.small)}`,
  )
  console.log(`  memory of the server: ${residentMiB(site.pid).toFixed(0)} MiB`)
  return hitRatio >= minHitRatio && isWithinLimits && !failed
}

async function main(): Promise<void> {
  build(root)
  const site = await startSite({ LOG_LEVEL: 'warn', RATE_OTHER: '1000000' })
  try {
    await untilWarmed(site)
    for (const path of hotPages) await requestPage(site.port, path)
    console.log(`memory of the server before: ${residentMiB(site.pid).toFixed(0)} MiB`)
    const word = (): string => randomBytes(6).toString('hex')
    const results = [
      await flood(
        site,
        'queries',
        () =>
          `${hotPages[randomBytes(1).readUInt8() % hotPages.length] ?? '/'}?${word()}=${word()}`,
      ),
      await flood(site, 'paths', () => `/${word()}${Math.random() < 0.5 ? `/${word()}` : ''}`),
    ]
    const { body } = await get(site.port, '/_ops/metrics', operator)
    console.log(
      body
        .toString()
        .split('\n')
        .filter((line) => line.startsWith('site_cache_'))
        .join('\n'),
    )
    console.log(
      results.every(Boolean)
        ? 'ok: hot pages stayed in the cache, the stores stayed within their limits'
        : 'FAILED',
    )
    if (!results.every(Boolean)) process.exitCode = 1
  } finally {
    agent.destroy()
    await site.stop()
  }
}

void main()
