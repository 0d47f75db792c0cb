/**
 * Compares cached responses with a bare `node:http` server that writes the same bytes and headers:
 * home (Brotli), a 304, a payload, an article, a 404 and a redirect, with and without the access
 * log. The two servers alternate run by run. The speed of one build varies by a sixth between
 * starts, so the runs of several starts (`--starts`) are pooled.
 * `--seconds 8 --runs 5 --connections 32 --only home,redirect --starts 1`
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { buildId } from '../scripts/build-id.mjs'
import { temporaryFolder } from '../testing/release-with-tests'
import { hasWrk, load, type Run } from './load'
import { atLeast, median, report, spread, type Figure, type Row } from './report'
import { get, root, startBare, startSite, type Server } from './servers'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '8' },
    runs: { type: 'string', default: '5' },
    connections: { type: 'string', default: '32' },
    starts: { type: 'string', default: '1' },
    only: { type: 'string' },
  },
})
const [seconds, runs, connections, starts] = [
  Number(values.seconds),
  Number(values.runs),
  Number(values.connections),
  Number(values.starts),
]

/** All starts use this data folder, so only the first one compiles the content. */
const dataFolder = temporaryFolder('hits')

type Case = { name: string; path: string; headers: Record<string, string> }
const brotli = { 'Accept-Encoding': 'gzip, deflate, br' }
const cases: readonly Case[] = [
  { name: 'home', path: '/', headers: brotli },
  { name: 'home 304', path: '/', headers: { ...brotli, 'If-None-Match': 'ETAG' } },
  { name: 'payload', path: `/pricing/_payload.json?${buildId(root)}`, headers: brotli },
  { name: 'article', path: '/blog/choosing-a-proxy-type', headers: brotli },
  { name: '404', path: '/nothing-is-here', headers: brotli },
  { name: 'redirect', path: '/Pricing', headers: brotli },
].filter(({ name }) => values.only === undefined || values.only.split(',').includes(name))

/**
 * Lowest acceptable ratios to the requests per second of the bare server, by what the access log
 * holds (`info`: every request, `warn`: none), and the highest acceptable ratio to its p99.
 */
const targets = { home: { info: 0.85, warn: 0.95 }, other: { info: 0.75, warn: 0.9 }, p99: 1.5 }

function figuresOf(
  name: string,
  level: 'info' | 'warn',
  siteRuns: readonly Run[],
  bareRuns: readonly Run[],
): Figure[] {
  const ratio = (key: keyof Run): number =>
    median(siteRuns.map((run) => run[key])) / median(bareRuns.map((run) => run[key]))
  const [rate, p99] = [ratio('perSecond'), ratio('p99')]
  const what = `cached ${name} against bare node:http, log ${level === 'info' ? 'on' : 'off'}`
  return [
    atLeast(
      what,
      targets[name === 'home' ? 'home' : 'other'][level],
      rate,
      `${rate.toFixed(2)} (per CPU second ${ratio('perCpu').toFixed(2)})`,
    ),
    ...(name === 'home'
      ? [
          {
            what: `${what}: p99`,
            asked: `≤ ${targets.p99} times`,
            figure: `${p99.toFixed(2)} times`,
            met: p99 <= targets.p99,
          },
        ]
      : []),
  ]
}

/** Raw headers without those that Node adds itself, so that the bare server can send the same. */
const withoutNodeHeaders = (raw: readonly string[]): string[] =>
  raw.flatMap((name, index) =>
    index % 2 === 0 && !['date', 'connection', 'keep-alive'].includes(name.toLowerCase())
      ? [name, raw[index + 1] ?? '']
      : [],
  )

/**
 * Requests the page until its smallest compressed form is cached, then records the response for the
 * bare server.
 */
async function prime(
  site: Server,
  { path, headers }: Case,
): Promise<{
  headers: Record<string, string>
  answer: { status: number; headers: string[]; body: string }
}> {
  for (let round = 0; round < 40; round += 1) await get(site.port, path, brotli)
  await sleep(700)
  const { headers: plain } = await get(site.port, path, brotli)
  const sent = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      value.replace('ETAG', String(plain.etag)),
    ]),
  )
  const { status, rawHeaders, body } = await get(site.port, path, sent)
  return {
    headers: sent,
    answer: { status, headers: withoutNodeHeaders(rawHeaders), body: body.toString('base64') },
  }
}

/** Starts the site once, measures all cases and adds their runs to `measured`. */
async function measureStart(
  level: 'info' | 'warn',
  measured: ReadonlyArray<{ one: Case; siteRuns: Run[]; bareRuns: Run[] }>,
): Promise<void> {
  // The pages that are measured are requested before, so no others need to be warmed.
  const site = await startSite({ LOG_LEVEL: level, DATA_DIR: dataFolder, PAGE_WARMING: 'off' })
  await sleep(1500)
  for (const { one, siteRuns, bareRuns } of measured) {
    const { headers, answer } = await prime(site, one)
    const bare = await startBare(
      'bare-answers.mjs',
      { [one.path]: answer, '/ready': { status: 200, headers: [], body: '' } },
      '/ready',
    )
    const target = { path: one.path, headers, connections }
    for (const server of [site, bare])
      await load({ ...target, port: server.port, pid: server.pid, seconds: Math.min(3, seconds) })
    for (let run = 0; run < runs; run += 1) {
      bareRuns.push(await load({ ...target, port: bare.port, pid: bare.pid, seconds }))
      siteRuns.push(await load({ ...target, port: site.port, pid: site.pid, seconds }))
      console.error(
        one.name,
        level,
        Math.round(siteRuns.at(-1)?.perSecond ?? 0),
        Math.round(bareRuns.at(-1)?.perSecond ?? 0),
      )
    }
    await bare.stop()
  }
  await site.stop()
}

async function main(): Promise<void> {
  if (!hasWrk()) throw new Error('wrk and taskset are needed: apt-get install -y wrk util-linux')
  const rows: Row[] = []
  const figures: Figure[] = []
  for (const level of ['info', 'warn'] as const) {
    const measured = cases.map((one) => ({ one, siteRuns: [] as Run[], bareRuns: [] as Run[] }))
    for (let start = 0; start < starts; start += 1) await measureStart(level, measured)
    for (const { one, siteRuns, bareRuns } of measured) {
      const of = (list: readonly Run[], key: keyof Run): number[] => list.map((run) => run[key])
      const ratio = (key: keyof Run): string =>
        (median(of(siteRuns, key)) / median(of(bareRuns, key))).toFixed(2)
      rows.push({
        answer: one.name,
        log: level === 'info' ? 'on' : 'off',
        bytes: siteRuns[0]?.bytes ?? 0,
        'req/s': spread(of(siteRuns, 'perSecond')),
        'bare req/s': spread(of(bareRuns, 'perSecond')),
        ratio: ratio('perSecond'),
        'per CPU s': Math.round(median(of(siteRuns, 'perCpu'))),
        'ratio per CPU s': ratio('perCpu'),
        'p99 ms': median(of(siteRuns, 'p99')).toFixed(2),
        'bare p99 ms': median(of(bareRuns, 'p99')).toFixed(2),
        errors: of([...siteRuns, ...bareRuns], 'errors').reduce((sum, value) => sum + value, 0),
      })
      figures.push(...figuresOf(one.name, level, siteRuns, bareRuns))
    }
  }
  report(
    'hits',
    rows,
    [
      `${starts} starts, ${runs} runs of ${seconds} s each, ${connections} connections, one process on one core; median (smallest–largest)`,
    ],
    figures,
  )
}

void main()
