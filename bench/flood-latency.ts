/**
 * `npm run bench -- flood-latency [--rounds 3] [--seconds 3]`: the latency of a cached page without
 * and during floods of requests that cost the server work, each from one address and from 200.
 * wrk keeps 32 connections busy with the cached home page; the flood is sent by another process.
 * Both run on one core, and the site may use all. The sender makes wrk slower, whatever it sends.
 * To tell that from the effect of the flood, each round also measures with a sender that requests
 * the cached page as often.
 */
import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { operator } from '../testing/site'
import { load, loadCore } from './load'
import { median, report, spread, type Row } from './report'
import { allCores, get, startSite, untilWarmed, type Server } from './servers'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '3' },
    only: { type: 'string' },
  },
})
const seconds = Number(values.seconds)
const connections = 32
const word = (): string => randomBytes(4).toString('hex')
const anyOf = (list: readonly string[]): string =>
  list[randomBytes(2).readUInt16LE() % list.length] ?? '/'

/** For comparison: requests that cost the server hardly anything, but the sender as much. */
const cachedPage = 'cached page'
/** Requests of each flood. `pages`: addresses of pages, which are purged before each run. */
const floods: Readonly<Record<string, (pages: readonly string[]) => string>> = {
  [cachedPage]: () => '/',
  'slow searches': () => `/api/site/search?q=${word()}%20${word()}%20${word()}`,
  'fast searches': () => `/api/site/search?q=proxy&limit=${1 + (randomBytes(1).readUInt8() % 20)}`,
  'pages to render': (pages) => anyOf(pages),
  'missing pages': () => `/${word()}/${word()}`,
  sitemaps: () => `/${anyOf(['es-ES', 'pt-PT', 'tr-TR', 'fr-FR', 'en-US'])}-sitemap.xml`,
  feeds: () => `/${anyOf(['es', 'pt', 'tr', 'fr', 'th'])}/blog/feed.xml`,
  'sharing pictures': (pages) => `/_og/${word()}${word()}${anyOf(pages)}.png`,
}
/** Where a flood comes from, and its requests a second. */
const sources = {
  'one address': { addresses: 1, perSecond: 500 },
  '200 addresses': { addresses: 200, perSecond: 200 },
} as const
type Source = keyof typeof sources

/** Runs in the process that `fork` starts: sends requests until it is ended. */
function sendFlood(port: number, name: string, source: Source, pages: readonly string[]): void {
  const { addresses, perSecond } = sources[source]
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  const subnet = 2 * Object.keys(floods).indexOf(name) + (addresses > 1 ? 1 : 0)
  let sent = 0
  const startedAt = performance.now()
  setInterval(() => {
    const due = ((performance.now() - startedAt) / 1000) * perSecond
    for (; sent < due; sent += 1) {
      const headers = {
        host: `localhost:${port}`,
        'accept-encoding': 'gzip, br',
        // Each flood has addresses that no other has.
        'x-forwarded-for': `198.51.${subnet}.${sent % addresses}`,
      }
      const path = floods[name]?.(pages) ?? '/'
      request({ host: '127.0.0.1', port, path, agent, headers }, (response) => {
        process.send?.(response.statusCode)
        response.resume()
      })
        .on('error', () => process.send?.(0))
        .end()
    }
  }, 5)
}

type Flood = { statuses: Map<number, number>; stop: () => Promise<void> }
function startFlood(port: number, ...of: [string, Source, readonly string[]]): Flood {
  const child = fork(__filename, [], {
    execPath: 'taskset',
    execArgv: ['-c', String(loadCore), process.execPath, ...process.execArgv],
    env: { ...process.env, FLOOD: JSON.stringify([port, ...of]) },
  })
  const statuses = new Map<number, number>()
  child.on('message', (status: number) => statuses.set(status, (statuses.get(status) ?? 0) + 1))
  const exited = new Promise<void>((done) => child.once('exit', () => done()))
  return {
    statuses,
    async stop() {
      child.kill()
      await exited
    },
  }
}

async function pagesOf(site: Server): Promise<string[]> {
  const bodies = await Promise.all(
    ['es-ES', 'pt-PT', 'tr-TR', 'fr-FR'].map((tag) => get(site.port, `/${tag}-sitemap.xml`)),
  )
  return bodies.flatMap(({ body }) =>
    [...body.toString().matchAll(/<loc>([^<]+)<\/loc>/g)].map(
      ([, url = '']) => new URL(url).pathname,
    ),
  )
}

/** p99 (ms) of the cached home page, which visitors request before the flood begins. */
async function measure(site: Server): Promise<number> {
  const home = {
    port: site.port,
    path: '/',
    headers: { 'Accept-Encoding': 'br' },
    connections,
    pid: site.pid,
  }
  await load({ ...home, seconds: 1 })
  const { p99, errors } = await load({ ...home, seconds })
  if (errors > 0) throw new Error(`${errors} requests of the cached page failed`)
  return p99
}

async function measureDuring(
  site: Server,
  ...of: [string, Source, readonly string[]]
): Promise<{ p99: number; statuses: Flood['statuses'] }> {
  const flood = startFlood(site.port, ...of)
  await sleep(400)
  const p99 = await measure(site)
  await flood.stop()
  await sleep(300)
  return { p99, statuses: flood.statuses }
}

async function measureFlood(site: Server, name: string, source: Source): Promise<Row> {
  const pages = await pagesOf(site)
  const [before, cheap, during]: [number[], number[], number[]] = [[], [], []]
  const statuses = new Map<number, number>()
  for (let round = 0; round < Number(values.rounds); round += 1) {
    await fetch(`http://127.0.0.1:${site.port}/_ops/cache/purge`, {
      method: 'POST',
      headers: { ...operator, 'content-type': 'application/json' },
      body: JSON.stringify({ paths: pages }),
    })
    before.push(await measure(site))
    cheap.push((await measureDuring(site, cachedPage, source, pages)).p99)
    const { p99, statuses: answers } = await measureDuring(site, name, source, pages)
    during.push(p99)
    for (const [status, count] of answers) statuses.set(status, (statuses.get(status) ?? 0) + count)
  }
  const ratiosTo = (others: readonly number[]): string =>
    spread(
      during.map((p99, round) => p99 / (others[round] ?? NaN)),
      2,
    )
  console.log(`${name}, ${source}: p99 ${median(before)} ms, then ${median(during)} ms`)
  return {
    flood: name,
    from: source,
    'p99 before, ms': median(before).toFixed(2),
    'p99 during, ms': median(during).toFixed(2),
    ratio: ratiosTo(before),
    'p99 with cached pages, ms': median(cheap).toFixed(2),
    'ratio to that': ratiosTo(cheap),
    answers: [...statuses].map(([status, count]) => `${count} × ${status}`).join(', '),
  }
}

async function main(): Promise<void> {
  const site = await startSite(
    { LOG_LEVEL: 'warn', TRUST_PROXY: '1', RATE_MISS: '1200' },
    [],
    allCores,
  )
  const names = Object.keys(floods).filter(
    (name) =>
      name !== cachedPage && (values.only === undefined || values.only.split(',').includes(name)),
  )
  const rows: Row[] = []
  try {
    await untilWarmed(site)
    for (const name of names) {
      for (const source of Object.keys(sources) as Source[])
        rows.push(await measureFlood(site, name, source))
    }
  } finally {
    await site.stop()
  }
  report('flood-latency', rows, [
    `${connections} connections ask for the cached home page`,
    `${values.rounds} rounds; in each, ${seconds} s without the flood, with cached pages instead, and with it`,
    '500 requests a second from one address, or 200 a second from 200; the limits are the defaults',
  ])
}

if (process.env['FLOOD'] === undefined) void main()
else sendFlood(...(JSON.parse(process.env['FLOOD']) as Parameters<typeof sendFlood>))
