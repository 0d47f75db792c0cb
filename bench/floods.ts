/**
 * `npm run soak -- floods [requests]`: 100,000 random queries, then 100,000 random paths, while hot pages are asked for all the time. Exits with 1 when
 * fewer than 99 % of these were hits, when a store left its bounds, or when an answer was 500 or more.
 */
import { randomBytes } from 'node:crypto'
import { Agent, request } from 'node:http'
import { build } from '../scripts/prepare.mjs'
import { residentMiB } from './load'
import { askOps, get, opsToken, root, startSite, warmed, type Server } from './servers'

const requests = Number(process.argv[2] ?? 100_000)
const together = 32
/** One request in so many is for a hot page, and so many of those must be hits. */
const everyHot = 20
const leastHits = 0.99
const hot = [
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
type Listing = Store & { small: Store }
const agent = new Agent({ keepAlive: true, maxSockets: together })

function ask(port: number, path: string): Promise<{ status: number; hit: boolean }> {
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

const shown = ({ entries, bytes, maxBytes }: Store): string =>
  `${entries} entries, ${(bytes / 2 ** 20).toFixed(1)} of ${(maxBytes / 2 ** 20).toFixed(0)} MiB`

/** Sends a flood; true when everything stayed as it should. */
async function flood(site: Server, name: string, target: () => string): Promise<boolean> {
  const before = await askOps<Listing>(site, '/_ops/cache?limit=0')
  const statuses = new Map<number, number>()
  let [sent, asked, hits] = [0, 0, 0]
  // The bounds hold at any moment, not only in the end.
  let most: Listing = before
  const since = performance.now()
  await Promise.all(
    Array.from({ length: together }, async () => {
      for (let number = (sent += 1); number <= requests; number = sent += 1) {
        const { status } = await ask(site.port, target())
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
        if (number % everyHot === 0) {
          asked += 1
          if ((await ask(site.port, hot[asked % hot.length] ?? '/')).hit) hits += 1
        }
        if (number % 5000 === 0) {
          const now = await askOps<Listing>(site, '/_ops/cache?limit=0')
          most = {
            ...(now.bytes > most.bytes ? now : most),
            small: now.small.bytes > most.small.bytes ? now.small : most.small,
          }
        }
      }
    }),
  )
  const seconds = (performance.now() - since) / 1000
  const after = await askOps<Listing>(site, '/_ops/cache?limit=0')
  const inBounds = most.bytes <= most.maxBytes && most.small.bytes <= most.small.maxBytes
  const failed = [...statuses].some(([status]) => status >= 500)
  const share = hits / asked
  console.log(
    `${requests.toLocaleString('en')} random ${name} in ${seconds.toFixed(0)} s: ${[...statuses].map(([status, count]) => `${count} × ${status}`).join(', ')}`,
  )
  console.log(`  hot pages: ${hits} of ${asked} were hits (${(share * 100).toFixed(2)} %)`)
  console.log(
    `  pages: ${shown(before)} before, ${shown(after)} after, at most ${shown(most)}; small answers: ${shown(before.small)} before, ${shown(after.small)} after, at most ${shown(most.small)}`,
  )
  console.log(`  memory of the server: ${residentMiB(site.pid).toFixed(0)} MiB`)
  return share >= leastHits && inBounds && !failed
}

async function main(): Promise<void> {
  build(root)
  const site = await startSite({ LOG_LEVEL: 'warn', RATE_OTHER: '1000000' })
  try {
    await warmed(site)
    for (const path of hot) await ask(site.port, path)
    console.log(`memory of the server before: ${residentMiB(site.pid).toFixed(0)} MiB`)
    const word = (): string => randomBytes(6).toString('hex')
    const results = [
      await flood(
        site,
        'queries',
        () => `${hot[randomBytes(1).readUInt8() % hot.length] ?? '/'}?${word()}=${word()}`,
      ),
      await flood(site, 'paths', () => `/${word()}${Math.random() < 0.5 ? `/${word()}` : ''}`),
    ]
    const { body } = await get(site.port, '/_ops/metrics', { authorization: `Bearer ${opsToken}` })
    console.log(
      body
        .toString()
        .split('\n')
        .filter((line) => line.startsWith('site_cache_'))
        .join('\n'),
    )
    console.log(
      results.every(Boolean) ? 'ok: hot pages stayed, the stores kept their bounds' : 'FAILED',
    )
    if (!results.every(Boolean)) process.exitCode = 1
  } finally {
    agent.destroy()
    await site.stop()
  }
}

void main()
