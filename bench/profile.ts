/**
 * Profiles where the time of a response goes: self time by file and by function (V8's profiler)
 * while one core is saturated. Covers the cached home page, its 304, a redirect, and, without a
 * page cache, rendering home, an article and `/bench/home`. `--seconds 6 --top 12`
 */
import { parseArgs } from 'node:util'
import { freePort } from '../testing/free-port'
import { load } from './load'
import { inspectorAt, startProfile } from './profile-process'
import { report, type Row } from './report'
import { get, startSite, untilWarmed, type Server } from './servers'

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '6' }, top: { type: 'string', default: '12' } },
})
const [seconds, top] = [Number(values.seconds), Number(values.top)]
const connections = 32
const brotli = { 'Accept-Encoding': 'gzip, deflate, br' }

type Case = { name: string; path: string; headers: Record<string, string> }
/** One site with the default settings, and one that renders every page. */
const sites: ReadonlyArray<{
  env: Record<string, string>
  cached: boolean
  cases: readonly Case[]
}> = [
  {
    env: {},
    cached: true,
    cases: [
      { name: 'hit, Brotli', path: '/', headers: brotli },
      { name: '304', path: '/', headers: { ...brotli, 'If-None-Match': '*' } },
      { name: 'redirect', path: '/Pricing', headers: brotli },
    ],
  },
  {
    env: { PAGE_CACHE_MAX_MB: '0', BENCH_PAGES: '1' },
    cached: false,
    cases: [
      { name: 'home rendered', path: '/', headers: {} },
      { name: 'article rendered', path: '/blog/choosing-a-proxy-type', headers: {} },
      { name: '/bench/home rendered', path: '/bench/home', headers: {} },
    ],
  },
]

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`
/** Groups the files of Node: HTTP, sockets, all others. */
const placeOf = (place: string): string =>
  place.startsWith('node:')
    ? /^node:_http|^node:internal\/http/.test(place)
      ? 'node: HTTP'
      : /stream|net$|timers/.test(place)
        ? 'node: streams, sockets, timers'
        : 'node: other'
    : place === ''
      ? 'V8 and native code'
      : place

async function profile(
  site: Server,
  inspector: string,
  { path, headers }: Case,
): Promise<{ places: Row; functions: string }> {
  for (let round = 0; round < 60; round += 1) await get(site.port, path, brotli)
  const target = { port: site.port, pid: site.pid, path, headers, connections }
  await load({ ...target, seconds: 3 })
  const stop = await startProfile(inspector)
  const run = await load({ ...target, seconds })
  const times = await stop()
  const places = new Map<string, number>()
  for (const { name, place, share } of times) {
    const where = name === '(garbage collector)' || name === '(program)' ? name : placeOf(place)
    places.set(where, (places.get(where) ?? 0) + share)
  }
  return {
    places: {
      'µs an answer': Math.round(1e6 / run.perCpu),
      ...Object.fromEntries(
        [...places].sort((a, b) => b[1] - a[1]).map(([place, share]) => [place, percent(share)]),
      ),
    },
    functions: times
      .slice(0, top)
      .map(({ name, place, share }) => `${name} (${place || 'native'}) ${percent(share)}`)
      .join('; '),
  }
}

async function main(): Promise<void> {
  const rows: Row[] = []
  const notes: string[] = []
  for (const { env, cached, cases } of sites) {
    const inspector = await freePort()
    const site = await startSite({ LOG_LEVEL: 'info', ...env }, [
      `--inspect=127.0.0.1:${inspector}`,
    ])
    try {
      if (cached) await untilWarmed(site)
      const address = await inspectorAt(inspector)
      for (const one of cases) {
        const { places, functions } = await profile(site, address, one)
        rows.push({ answer: one.name, ...places })
        notes.push(`${one.name}: ${functions}`)
      }
    } finally {
      await site.stop()
    }
  }
  report('profile', rows, [
    `self time over ${seconds} s at ${connections} connections; µs: CPU time of the process per response, including the profiler`,
    ...notes,
  ])
}

void main()
