/**
 * Compares built checkouts of this project, for example two commits or two versions of Node. Every
 * round starts each checkout in turn and measures cached pages (access log on and off) and pages
 * rendered on each request. The order is reversed in every second round, so that a machine that
 * gets slower or faster affects all checkouts alike.
 * `--folder old=/srv/a --folder new=/srv/b --node old=/usr/bin/node --starts 3 --seconds 2
 * --connections 32 --only hits,renders`
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { hasWrk, load, serverCore, type Run } from './load'
import { median, report, spread, type Row } from './report'
import { get, startSite, untilWarmed, type Installation, type Server } from './servers'

const { values } = parseArgs({
  options: {
    folder: { type: 'string', multiple: true, default: [] },
    node: { type: 'string', multiple: true, default: [] },
    starts: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '2' },
    connections: { type: 'string', default: '32' },
    only: { type: 'string', default: 'hits,renders' },
  },
})
const [starts, seconds, connections] = [
  Number(values.starts),
  Number(values.seconds),
  Number(values.connections),
]
const warmTimeoutMs = 15_000

type Checkout = Installation & { label: string }
/** One request that is measured. `ETAG` in a header is replaced by the ETag of the page. */
type Line = { name: string; path: string; headers: Readonly<Record<string, string>> }
/** Lines that share one started process. */
type Setup = {
  group: 'hits' | 'renders'
  env: Readonly<Record<string, string>>
  lines: readonly Line[]
}
type Sample = { line: string; label: string; round: number; run: Run }

const brotli = { 'Accept-Encoding': 'gzip, deflate, br' }
const cached = (level: 'info' | 'warn'): Setup => {
  const log = level === 'info' ? 'log on' : 'log off'
  return {
    group: 'hits',
    env: { LOG_LEVEL: level },
    lines: [
      { name: `cached home, ${log}`, path: '/', headers: brotli },
      {
        name: `cached home 304, ${log}`,
        path: '/',
        headers: { ...brotli, 'If-None-Match': 'ETAG' },
      },
      { name: `cached article, ${log}`, path: '/blog/choosing-a-proxy-type', headers: brotli },
    ],
  }
}
const setups = (
  [
    cached('info'),
    cached('warn'),
    {
      group: 'renders',
      env: { LOG_LEVEL: 'warn', PAGE_CACHE_MAX_MB: '0', BENCH_PAGES: '1' },
      lines: ['/bench/home', '/bench/article', '/'].map((path) => ({
        name: `rendered ${path}`,
        path,
        headers: {},
      })),
    },
  ] satisfies Setup[]
).filter(({ group }) => values.only.split(',').includes(group))

/** Parses `label=path`. The default label is the last part of the path. */
function parseLabel(argument: string): { label: string; path: string } {
  const [, label, path] = /^([^=/]+)=(.+)$/.exec(argument) ?? []
  if (label && path) return { label, path: resolve(path) }
  return { label: basename(resolve(argument)), path: resolve(argument) }
}

const entryOf = (folder: string, id: string): string =>
  join(folder, 'dist', id, 'server', 'main.js')

/**
 * The build of a checkout's current sources, named by its own `build-id.mjs`; null if it is
 * missing.
 */
async function buildOfSources(folder: string): Promise<string | null> {
  try {
    // The cast: the module belongs to another checkout, so TypeScript does not know its type. The
    // name of the build is checked below.
    const script = (await import(pathToFileURL(join(folder, 'scripts', 'build-id.mjs')).href)) as {
      buildId: (root: string) => string
    }
    const entry = entryOf(folder, script.buildId(folder))
    return existsSync(entry) ? entry : null
  } catch {
    return null
  }
}

function newestBuild(folder: string): string {
  const dist = join(folder, 'dist')
  const entries = (existsSync(dist) ? readdirSync(dist) : [])
    .map((id) => entryOf(folder, id))
    .filter(existsSync)
  const [newest] = entries.sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)
  if (newest === undefined) throw new Error(`${folder} has no build: run "npm run build" there`)
  return newest
}

async function checkoutsFrom(
  folders: readonly string[],
  nodes: readonly string[],
): Promise<Checkout[]> {
  const named = folders.map(parseLabel)
  const labels = named.map(({ label }) => label)
  if (named.length < 2)
    throw new Error('at least two folders are needed: --folder name=path --folder name=path')
  if (new Set(labels).size < labels.length)
    throw new Error(`folders need different names: ${labels.join(', ')}`)
  const binaries = new Map(nodes.map(parseLabel).map(({ label, path }) => [label, path]))
  for (const label of binaries.keys()) {
    if (!labels.includes(label))
      throw new Error(`--node ${label}: no folder has this name (${labels.join(', ')})`)
  }
  return Promise.all(
    named.map(async ({ label, path: folder }) => {
      const installed = join(folder, 'node_modules', '.bin', 'node')
      const node = binaries.get(label) ?? (existsSync(installed) ? installed : process.execPath)
      const entry = (await buildOfSources(folder)) ?? newestBuild(folder)
      return { label, folder, entry, node: realpathSync(node) }
    }),
  )
}

/**
 * Requests a page until its smallest compressed form is cached. Returns the headers with its ETag.
 */
async function prime(site: Server, { path, headers }: Line): Promise<Record<string, string>> {
  for (let request = 0; request < 40; request += 1) await get(site.port, path, brotli)
  await sleep(700)
  const { headers: answered } = await get(site.port, path, brotli)
  const filled = Object.entries(headers).map(([name, value]) => [
    name,
    value.replace('ETAG', String(answered.etag)),
  ])
  return Object.fromEntries(filled) as Record<string, string>
}

/** Starts a checkout once and measures all lines of a setup. */
async function measureStart(
  checkout: Checkout,
  { group, env, lines }: Setup,
  round: number,
): Promise<Sample[]> {
  const site = await startSite(env, [], String(serverCore), checkout)
  const samples: Sample[] = []
  try {
    // Startup work continues briefly after readiness, and warming begins after 1 s.
    await sleep(1500)
    if (group === 'hits') await untilWarmed(site, warmTimeoutMs)
    for (const line of lines) {
      const headers = group === 'hits' ? await prime(site, line) : { ...line.headers }
      const target = { port: site.port, pid: site.pid, path: line.path, headers, connections }
      await load({ ...target, seconds: 1 })
      const run = await load({ ...target, seconds })
      samples.push({ line: line.name, label: checkout.label, round, run })
      const rates = `${Math.round(run.perSecond)} req/s, ${Math.round(run.perCpu)} per CPU s`
      console.error(
        `round ${round + 1}, ${checkout.label}, ${line.name}: ${rates}, p99 ${run.p99.toFixed(2)} ms`,
      )
    }
  } finally {
    await site.stop()
  }
  return samples
}

/**
 * One row per line and checkout. Ratios are computed per round, because both sides of a round ran
 * under the same conditions.
 */
function rowsOf(samples: readonly Sample[], labels: readonly string[]): Row[] {
  const names = setups.flatMap(({ lines }) => lines.map(({ name }) => name))
  return names.flatMap((line) =>
    labels.flatMap((label) => {
      const ofLabel = samples.filter((sample) => sample.line === line && sample.label === label)
      const of = (key: keyof Run): number[] => ofLabel.map(({ run }) => run[key])
      const ratio = (key: keyof Run): string => {
        const pairs = ofLabel.flatMap(({ round, run }) => {
          const base = samples.find(
            (one) => one.line === line && one.label === labels[0] && one.round === round,
          )
          return base ? [run[key] / base.run[key]] : []
        })
        return pairs.length > 0 ? spread(pairs, 3) : 'none'
      }
      if (ofLabel.length === 0) return []
      return [
        {
          line,
          folder: label,
          'req/s': Math.round(median(of('perSecond'))),
          'per CPU s': Math.round(median(of('perCpu'))),
          [`req/s to ${labels[0]}`]: ratio('perSecond'),
          [`per CPU s to ${labels[0]}`]: ratio('perCpu'),
          'p99 ms': median(of('p99')).toFixed(2),
          bytes: median(of('bytes')),
          errors: of('errors').reduce((sum, value) => sum + value, 0),
        },
      ]
    }),
  )
}

async function main(): Promise<void> {
  if (!hasWrk()) throw new Error('wrk and taskset are needed: apt-get install -y wrk util-linux')
  const checkouts = await checkoutsFrom(values.folder, values.node)
  const samples: Sample[] = []
  const notes = [
    `${starts} starts, runs of ${seconds} s, ${connections} connections, one process on one core; medians of starts`,
    'ratios: median (smallest–largest) of the rounds; bytes: an answer with its headers',
    ...checkouts.map(({ label, folder, entry, node }) => {
      const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()
      return `${label}: ${folder}, build ${basename(resolve(entry, '..', '..'))}, Node ${version} (${node})`
    }),
  ]
  for (let round = 0; round < starts; round += 1) {
    const order = round % 2 === 0 ? checkouts : checkouts.toReversed()
    for (const setup of setups) {
      for (const checkout of order) samples.push(...(await measureStart(checkout, setup, round)))
    }
  }
  report(
    'versus',
    rowsOf(
      samples,
      checkouts.map(({ label }) => label),
    ),
    notes,
  )
}

void main()
