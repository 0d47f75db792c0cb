/**
 * Compares pages that the whole pipeline renders on each request (`PAGE_CACHE_MAX_MB=0`,
 * `BENCH_PAGES=1`) with React alone for the same page, both without compression.
 * `--seconds 8 --runs 5 --connections 32`
 */
import { parseArgs } from 'node:util'
import { hasWrk, load, type Run } from './load'
import { atLeast, median, report, spread, type Figure, type Row } from './report'
import { get, startBare, startSite } from './servers'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '8' },
    runs: { type: 'string', default: '5' },
    connections: { type: 'string', default: '32' },
  },
})
const [seconds, runs, connections] = [
  Number(values.seconds),
  Number(values.runs),
  Number(values.connections),
]

/** Pages, and the lowest acceptable ratio to the requests per second of React alone. */
const pages = [
  { path: '/bench/home', minRatio: 0.75 },
  { path: '/bench/article', minRatio: 0.6 },
]
const valuesOf = (list: readonly Run[], key: keyof Run): number[] => list.map((run) => run[key])

async function main(): Promise<void> {
  if (!hasWrk()) throw new Error('wrk and taskset are needed: apt-get install -y wrk util-linux')
  const rows: Row[] = []
  const figures: Figure[] = []
  const site = await startSite({ LOG_LEVEL: 'warn', PAGE_CACHE_MAX_MB: '0', BENCH_PAGES: '1' })
  const bare = await startBare('bare-react.tsx', {}, '/ready')
  for (const { path, minRatio } of pages) {
    const siteRuns: Run[] = []
    const bareRuns: Run[] = []
    for (const server of [site, bare])
      await load({
        path,
        connections,
        port: server.port,
        pid: server.pid,
        seconds: Math.min(3, seconds),
      })
    for (let run = 0; run < runs; run += 1) {
      bareRuns.push(await load({ path, connections, port: bare.port, pid: bare.pid, seconds }))
      siteRuns.push(await load({ path, connections, port: site.port, pid: site.pid, seconds }))
    }
    const quotient = (key: keyof Run): number =>
      median(valuesOf(siteRuns, key)) / median(valuesOf(bareRuns, key))
    const ratio = (key: keyof Run): string => quotient(key).toFixed(2)
    figures.push(
      atLeast(
        `rendered ${path} against React alone, not compressed`,
        minRatio,
        quotient('perSecond'),
        `${ratio('perSecond')} (per CPU second ${ratio('perCpu')})`,
      ),
    )
    rows.push({
      page: path,
      elements:
        (await get(bare.port, path)).body
          .toString()
          .replace(/^[\s\S]*<body/, '')
          .match(/<[a-z]/g)?.length ?? 0,
      'req/s': spread(valuesOf(siteRuns, 'perSecond')),
      'React alone req/s': spread(valuesOf(bareRuns, 'perSecond')),
      ratio: ratio('perSecond'),
      'per CPU s': Math.round(median(valuesOf(siteRuns, 'perCpu'))),
      'ratio per CPU s': ratio('perCpu'),
      'p99 ms': median(valuesOf(siteRuns, 'p99')).toFixed(1),
      errors: valuesOf([...siteRuns, ...bareRuns], 'errors').reduce((sum, value) => sum + value, 0),
    })
  }
  await Promise.all([site.stop(), bare.stop()])
  report(
    'renders',
    rows,
    [
      `${runs} runs of ${seconds} s, ${connections} connections, one process on one core; median (smallest–largest)`,
    ],
    figures,
  )
}

void main()
