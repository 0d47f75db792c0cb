/**
 * Compares cached and rendered pages of this site with those of other frameworks, with the same
 * content and on the same machine. `BENCH_PEERS=<folder>` names the folder of that benchmark: its
 * `run.mjs` starts the frameworks, this site and the load. All options (`--only next,nuxt --quick`)
 * are passed to it.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { compileOnce } from './article-set'
import { atLeast, report, type Figure, type Row } from './report'
import { root } from './servers'

/** Frameworks that render with React. Upper limits such as `react-bare` are not frameworks. */
const reactFrameworks = ['next', 'react-router']
/** Lowest acceptable ratios to the requests per second of the fastest framework. */
const targets = { cached: 2.5, rendered: 3, astro: 1.6 }

const load = z.object({
  rps: z.number(),
  rpsMin: z.number(),
  rpsMax: z.number(),
  perCpuSecond: z.number(),
  p99: z.number(),
  errors: z.number(),
  encoding: z.string(),
  otherCpu: z.number(),
})
type Load = z.infer<typeof load>
const results = z.object({
  results: z.array(
    z.object({
      name: z.string(),
      kind: z.string(),
      version: z.string().optional(),
      load: z.record(z.string(), z.object({ identity: load.optional(), browser: load.optional() })),
      problems: z.array(z.string()),
    }),
  ),
})
type Result = z.infer<typeof results>['results'][number]

/** Describes two servers of this site: one with the page cache, one that renders every page. */
function writeTargets(folder: string): string[] {
  const common = { cwd: root, start: `${process.execPath} scripts/start.mjs` }
  const settings = {
    BENCH_PAGES: '1',
    // All requests come from one address.
    RATE_MISS: '0',
    LOG_LEVEL: 'warn',
    DATA_DIR: join(folder, 'data'),
  }
  const files = [
    {
      ...common,
      name: 'own',
      env: settings,
      urls: { cachedHome: '/bench/home', article: '/bench/article' },
    },
    {
      ...common,
      name: 'own-uncached',
      env: { ...settings, PAGE_CACHE_MAX_MB: '0' },
      urls: { dynamicHome: '/bench/home' },
    },
  ]
  return files.map((target) => {
    const file = join(folder, `${target.name}.json`)
    writeFileSync(file, JSON.stringify(target))
    return file
  })
}

type Encoding = 'identity' | 'browser'
const loadOf = ({ load: all }: Result, key: string, encoding: Encoding): Load | undefined =>
  all[key]?.[encoding]

/**
 * Ratio of our requests per second to the fastest of `peers`. `shown` also gives the ratio per CPU
 * second. Null when one of them was not measured, or when requests to us failed.
 */
function compare(
  all: readonly Result[],
  ourName: string,
  peers: readonly string[],
  key: string,
  encoding: Encoding,
): { ratio: number; shown: string } | null {
  const ourResult = all.find(({ name }) => name === ourName)
  const ourLoad = ourResult && loadOf(ourResult, key, encoding)
  const candidates = all
    .filter(({ name }) => peers.includes(name))
    .flatMap((peer) => {
      const found = loadOf(peer, key, encoding)
      return found ? [{ name: peer.name, ...found }] : []
    })
  const best = candidates.sort((a, b) => b.rps - a.rps)[0]
  if (!ourLoad || ourLoad.errors > 0 || !best) return null
  const ratio = ourLoad.rps / best.rps
  return {
    ratio,
    shown: `${ratio.toFixed(2)} (${best.name}; per CPU second ${(ourLoad.perCpuSecond / best.perCpuSecond).toFixed(2)})`,
  }
}

async function main(): Promise<void> {
  const folder = process.env['BENCH_PEERS'] ? resolve(process.env['BENCH_PEERS']) : ''
  if (!existsSync(join(folder, 'run.mjs')))
    throw new Error('BENCH_PEERS must name the folder of the peers’ benchmark (it holds run.mjs)')
  const outputFolder = mkdtempSync(join(tmpdir(), 'bench-peers-'))
  // Compile the content beforehand, as for every start but the first.
  await compileOnce(join(root, 'content'), join(outputFolder, 'data'))
  const { status } = spawnSync(
    process.execPath,
    [
      join(folder, 'run.mjs'),
      ...writeTargets(outputFolder).flatMap((file) => ['--target', file]),
      '--out',
      outputFolder,
      ...process.argv.slice(2),
    ],
    { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] },
  )
  if (status !== 0) throw new Error(`the peers' benchmark ended with ${status}`)
  const { results: all } = results.parse(
    JSON.parse(readFileSync(join(outputFolder, 'latest.json'), 'utf8')),
  )
  rmSync(outputFolder, { recursive: true, force: true })

  const peers = all.filter(({ kind }) => kind === 'peer').map(({ name }) => name)
  const rows: Row[] = ['cachedHome', 'article', 'dynamicHome'].flatMap((key) =>
    (['browser', 'identity'] as const).flatMap((encoding) =>
      all.flatMap((one) => {
        const found = loadOf(one, key, encoding)
        return found
          ? [
              {
                page: key,
                target: one.version ?? one.name,
                accepts: encoding,
                encoding: found.encoding,
                'req/s': `${Math.round(found.rps)} (${Math.round(found.rpsMin)}–${Math.round(found.rpsMax)})`,
                'per CPU s': found.perCpuSecond,
                'p99 ms': found.p99,
                errors: found.errors,
                'others %': found.otherCpu,
              },
            ]
          : []
      }),
    ),
  )
  const figure = (what: string, least: number, found: ReturnType<typeof compare>): Figure[] =>
    found ? [atLeast(what, least, found.ratio, found.shown)] : []
  report(
    'peers',
    rows,
    all.flatMap(({ name, problems }) => problems.map((problem) => `${name}: ${problem}`)),
    [
      ...figure(
        'cached page against the fastest framework, Brotli',
        targets.cached,
        compare(all, 'own', peers, 'cachedHome', 'browser'),
      ),
      ...figure(
        'cached page against the fastest framework, not compressed',
        targets.cached,
        compare(all, 'own', peers, 'cachedHome', 'identity'),
      ),
      ...figure(
        'cached article against the fastest framework, Brotli',
        targets.cached,
        compare(all, 'own', peers, 'article', 'browser'),
      ),
      ...figure(
        'rendered page against the fastest React framework, not compressed',
        targets.rendered,
        compare(all, 'own-uncached', reactFrameworks, 'dynamicHome', 'identity'),
      ),
      ...figure(
        'rendered page against Astro, not compressed',
        targets.astro,
        compare(all, 'own-uncached', ['astro'], 'dynamicHome', 'identity'),
      ),
    ],
  )
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
})
