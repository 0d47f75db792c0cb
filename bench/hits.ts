/**
 * Cached answers against a bare `node:http` server that writes the same bytes and headers: home (Brotli), a 304, a
 * payload, an article, a 404, a redirect; with the access log and without. The two servers take turns, run by run.
 * `--seconds 8 --runs 5 --connections 32 --only home,redirect --starts 1`: the same build is faster or slower by a sixth from one start to the next, so
 * with several starts the runs of all are taken together.
 */
import { parseArgs } from 'node:util'
import { buildId } from '../scripts/build-id.mjs'
import { hasWrk, load, type Run } from './load'
import { atLeast, median, report, spread, type Figure, type Row } from './report'
import { get, root, sleep, startBare, startSite, warmed, type Server } from './servers'

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

/** Asked for, of the bare server's requests per second, with the log and without; its p99, so many times at most; for redirects alone, another share. */
const targets = { info: 0.75, warn: 0.9, slower: 1.5, redirect: 0.7 }

function figuresOf(
  name: string,
  level: 'info' | 'warn',
  own: readonly Run[],
  limit: readonly Run[],
): Figure[] {
  if (name === '404') return []
  const ratio = (key: keyof Run): number =>
    median(own.map((run) => run[key])) / median(limit.map((run) => run[key]))
  const [rate, slower] = [ratio('perSecond'), ratio('p99')]
  const what = `cached ${name} against bare node:http, log ${level === 'info' ? 'on' : 'off'}`
  return [
    atLeast(
      what,
      name === 'redirect' ? targets.redirect : targets[level],
      rate,
      `${rate.toFixed(2)} (per CPU second ${ratio('perCpu').toFixed(2)})`,
    ),
    ...(name === 'home'
      ? [
          {
            what: `${what}: p99`,
            asked: `≤ ${targets.slower} times`,
            figure: `${slower.toFixed(2)} times`,
            met: slower <= targets.slower,
          },
        ]
      : []),
  ]
}

/** Headers of the last answer as it went out, but for what Node adds by itself. */
const kept = (raw: readonly string[]): string[] =>
  raw.flatMap((name, index) =>
    index % 2 === 0 && !['date', 'connection', 'keep-alive'].includes(name.toLowerCase())
      ? [name, raw[index + 1] ?? '']
      : [],
  )

/** Asks until the smallest form is there, then writes the case down as the bare server shall answer it. */
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
    answer: { status, headers: kept(rawHeaders), body: body.toString('base64') },
  }
}

/** All cases against one process of the site, started for it; adds their runs to what is measured. */
async function measureStart(
  level: 'info' | 'warn',
  measured: ReadonlyArray<{ one: Case; own: Run[]; limit: Run[] }>,
): Promise<void> {
  const site = await startSite({ LOG_LEVEL: level })
  await sleep(1500)
  await warmed(site)
  for (const { one, own, limit } of measured) {
    const { headers, answer } = await prime(site, one)
    const bare = await startBare(
      'bare-answers.mjs',
      { [one.path]: answer, '/ready': { status: 200, headers: [], body: '' } },
      '/ready',
    )
    const against = { path: one.path, headers, connections }
    for (const server of [site, bare])
      await load({ ...against, port: server.port, pid: server.pid, seconds: Math.min(3, seconds) })
    for (let run = 0; run < runs; run += 1) {
      limit.push(await load({ ...against, port: bare.port, pid: bare.pid, seconds }))
      own.push(await load({ ...against, port: site.port, pid: site.pid, seconds }))
      console.error(
        one.name,
        level,
        Math.round(own.at(-1)?.perSecond ?? 0),
        Math.round(limit.at(-1)?.perSecond ?? 0),
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
    const measured = cases.map((one) => ({ one, own: [] as Run[], limit: [] as Run[] }))
    for (let start = 0; start < starts; start += 1) await measureStart(level, measured)
    for (const { one, own, limit } of measured) {
      const of = (list: readonly Run[], key: keyof Run): number[] => list.map((run) => run[key])
      const ratio = (key: keyof Run): string =>
        (median(of(own, key)) / median(of(limit, key))).toFixed(2)
      rows.push({
        answer: one.name,
        log: level === 'info' ? 'on' : 'off',
        bytes: own[0]?.bytes ?? 0,
        'req/s': spread(of(own, 'perSecond')),
        'bare req/s': spread(of(limit, 'perSecond')),
        ratio: ratio('perSecond'),
        'per CPU s': Math.round(median(of(own, 'perCpu'))),
        'ratio per CPU s': ratio('perCpu'),
        'p99 ms': median(of(own, 'p99')).toFixed(2),
        'bare p99 ms': median(of(limit, 'p99')).toFixed(2),
        errors: of([...own, ...limit], 'errors').reduce((sum, value) => sum + value, 0),
      })
      figures.push(...figuresOf(one.name, level, own, limit))
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
