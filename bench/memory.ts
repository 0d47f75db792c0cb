/**
 * `npm run soak -- memory --minutes 15`: everything that visitors ask for, mixed, on 64 connections: pages from the cache and made anew, 304s, 404s, redirects, payloads, searches,
 * event batches, votes. Prints what came back, memory every half minute with its slope over the second half, and what is left open after SIGTERM. Exits with 1 when a connection
 * failed, anything answered 500 or more, or something was left open. The slope is for whoever reads it: memory of a young process grows until its caches are full.
 */
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { build } from '../scripts/prepare.mjs'
import { sealFor } from '../test/helpers/call-api'
import { root } from '../test/helpers/root'
import { fetchFrom, seedContent, temporaryFolder } from '../test/helpers/site'
import { steadyLoad, type LoadRequest } from '../test/helpers/steady-load'
import { freePort } from '../test/helpers/upstream'
import { childrenOf, residentMiB } from './load'
import { answered, lostOf, percentile, sleep, soakPages, vote, within } from './soak-load'

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '15' }, pause: { type: 'string', default: '0' } } })
const minutes = Number(values.minutes)
const connections = 64
const lookEvery = Math.min(30_000, (minutes * 60_000) / 6)
/** The page cache is emptied this often (ms): what follows are misses. */
const purgeEvery = 5000
const batches = 400
const token = 'soak'
const operator = { authorization: `Bearer ${token}` }

const words = ['profile', 'proxy', 'pr', 'schedule', 'nothing-of-the-kind', 'team', 'storage', 'colleage']
const languages = ['en', 'zh', 'th', 'es', 'ru', 'jp']

/** Least squares: how much `y` changes with one `x`. */
function slopeOf(points: ReadonlyArray<readonly [x: number, y: number]>): number {
  const meanOf = (index: 0 | 1): number => points.reduce((total, point) => total + point[index], 0) / points.length
  const [meanX, meanY] = [meanOf(0), meanOf(1)]
  return points.reduce((total, [x, y]) => total + (x - meanX) * (y - meanY), 0) / points.reduce((total, [x]) => total + (x - meanX) ** 2, 0)
}

/** What follows on the pages is made anew. */
async function purge(port: number): Promise<void> {
  await fetch(`http://127.0.0.1:${port}/_ops/cache/purge`, { method: 'POST', headers: { ...operator, 'content-type': 'application/json' }, body: '{"all":true}' }).then((answer) => answer.arrayBuffer(), () => undefined)
}

async function prepare(port: number): Promise<(index: number) => LoadRequest> {
  const { headers: { etag = '' } } = await fetchFrom(port, '/pricing')
  const { id } = JSON.parse((await fetchFrom(port, '/builds/latest.json')).body) as { id: string }
  const seal = await sealFor(port)
  const bodies = await Promise.all(Array.from({ length: batches }, async () => {
    const ids = [randomUUID(), randomUUID()]
    return new URLSearchParams(await seal(JSON.stringify({ list: ids.map((event) => ({ id: event, ts: Date.now(), kind: 'view', op: 0, url: '/' })), comm: { device_id: ids[0] } }))).toString()
  }))
  const page = (index: number): string => soakPages[index % soakPages.length] ?? '/'
  /** In a hundred: 40 pages from the cache, 15 of them by new visitors, and the rest in small shares. */
  return (index) => {
    const turn = Math.floor(index / 20)
    switch (index % 20) {
      case 0: return { path: '/pricing', headers: { 'if-none-match': etag } }
      case 1: return { path: `/no-such-page-${turn % 5000}` }
      case 2: return { path: ['/Pricing', '/pricing/', '/index.html', '/vi/pricing', '//faq'][turn % 5] ?? '/' }
      case 3: return { path: `${page(turn).replace(/\/$/, '')}/_payload.json?${id}` }
      case 4: return { path: `/api/site/search?q=${words[turn % words.length]}&lang=${languages[turn % languages.length]}` }
      case 5: return { path: '/api/sys/config/event', method: 'POST', body: bodies[turn % bodies.length] ?? '', headers: { 'content-type': 'application/x-www-form-urlencoded' } }
      case 6: return vote
      case 7: return { path: `/blog?page=${1 + (turn % 4)}` }
      case 8: return { path: `${page(turn)}?utm_source=${turn}` }
      case 9: case 10: case 11: return { path: page(turn), fresh: true }
      default: return { path: page(index) }
    }
  }
}

async function main(): Promise<void> {
  const folder = build(root)
  const dataDir = seedContent(temporaryFolder('soak-memory'))
  const port = await freePort()
  const child = spawn(process.execPath, [join(folder, 'server', 'main.js')], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'], env: { PATH: process.env['PATH'], PORT: String(port), HOST: '127.0.0.1', NODE_ENV: 'production', DATA_DIR: dataDir, OPS_TOKEN: token, RATE_OTHER: '1000000', RATE_MESSAGES: '1000000', RATE_EVENTS: '1000000' } })
  // The log as in production, a line a request; only its end is looked at.
  let tail = ''
  child.stdout.on('data', (chunk: Buffer) => (tail = (tail + chunk.toString('latin1')).slice(-65_536)))
  const pid = child.pid ?? 0
  try {
    await within(600_000, async () => (await fetchFrom(port, '/readyz').catch(() => null))?.status === 200)
    const load = steadyLoad(port, connections, await prepare(port), Number(values.pause))
    const purging = setInterval(() => void purge(port), purgeEvery)
    const series: Array<[minute: number, megabytes: number]> = []
    const began = performance.now()
    while (performance.now() - began < minutes * 60_000) {
      await sleep(lookEvery)
      const at = (performance.now() - began) / 60_000
      series.push([at, residentMiB(pid)])
      // Times of millions of answers are not to be this process's own leak.
      const times = load.result.times.splice(0)
      console.log(`${at.toFixed(1)} min: ${residentMiB(pid).toFixed(0)} MiB${childrenOf(pid).map((one) => ` + ${residentMiB(one).toFixed(0)}`).join('')}, ${answered(load.result)} answers, p99 ${percentile(times, 0.99).toFixed(0)} ms, lost ${JSON.stringify(load.result.lost)}`)
    }
    clearInterval(purging)
    const result = await load.stop()
    const failed = Object.entries(result.answers).reduce((total, [status, count]) => total + (Number(status) >= 500 ? count : 0), 0)
    const half = series.slice(Math.floor(series.length / 2))
    console.log(`${minutes} min at ${connections} connections: ${answered(result)} answers ${JSON.stringify(result.answers)}, socket errors ${JSON.stringify(result.lost)}, answers of 500 and more: ${failed}`)
    console.log(`memory (MiB): ${series.map(([, megabytes]) => megabytes.toFixed(0)).join(' ')}; slope over the second half ${half.length > 1 ? slopeOf(half).toFixed(2) : 'not known'} MiB a minute`)
    const ended = new Promise<number | null>((done) => child.once('exit', done))
    child.kill('SIGTERM')
    const code = await ended
    const open = /"open":(\[[^\]]*\])/.exec(tail)?.[1] ?? 'not said'
    console.log(`after SIGTERM: exit code ${code}, left open ${open}`)
    if (lostOf(result) > 0 || failed > 0 || code !== 0 || open !== '[]') process.exitCode = 1
    console.log(process.exitCode ? 'FAILED' : 'ok')
  } finally {
    child.kill('SIGKILL')
    rmSync(dataDir, { recursive: true, force: true })
  }
}

void main()
