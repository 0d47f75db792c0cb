/**
 * Compares the resident memory of a server with 100 articles and with 100,000 after the same work:
 * warm the entry pages, then request the same articles, lists, searches and sitemaps. The content
 * process is measured separately. `--few 100 --many 100000 --runs 3`
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { childrenOf } from '../testing/processes'
import { articleSet, createDataFolder } from './article-set'
import { residentMiB } from './load'
import { atMost, median, report, spread } from './report'
import { allCores, get, startSite, untilWarmed } from './servers'

const { values } = parseArgs({
  options: {
    few: { type: 'string', default: '100' },
    many: { type: 'string', default: '100000' },
    runs: { type: 'string', default: '3' },
  },
})
const [few, many, runs] = [Number(values.few), Number(values.many), Number(values.runs)]
/** With many articles the server may use at most this much more memory. */
const targetMiB = 20

/** The requests that every server answers before its memory is read. */
const workload = (count: number): string[] => [
  ...Array.from({ length: 100 }, (_, index) => `/blog/generated-${1 + ((index * 997) % count)}`),
  ...Array.from({ length: 5 }, (_, index) => (index === 0 ? '/blog' : `/blog?page=${index + 1}`)),
  ...['profile', 'proxy checks', 'colleage', 'activity log', 'two roles'].flatMap((words) =>
    [1, 2, 3, 4].map(
      (limit) => `/api/site/search?q=${encodeURIComponent(words)}&lang=en&limit=${10 + limit}`,
    ),
  ),
  '/sitemap.xml',
  '/en-US-sitemap.xml',
  '/feed.xml',
]

/** The child process of a server that compiles content. */
const contentProcess = (pid: number): number | undefined =>
  childrenOf(pid).find((child) =>
    readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('content.js'),
  )

async function measure(
  count: number,
): Promise<{ server: number; content: number; answers: Record<number, number> }> {
  const set = await articleSet(count, ['en'])
  const folder = mkdtempSync(join(tmpdir(), 'bench-memory-'))
  const site = await startSite(
    {
      CONTENT_DIR: set.content,
      DATA_DIR: createDataFolder(set.data, join(folder, 'data')),
      LOG_LEVEL: 'warn',
      RATE_OTHER: '1000000',
    },
    [],
    allCores,
  )
  await untilWarmed(site)
  const answers: Record<number, number> = {}
  for (const path of workload(count)) {
    const { status } = await get(site.port, path)
    answers[status] = (answers[status] ?? 0) + 1
  }
  await sleep(10_000)
  const content = contentProcess(site.pid)
  const found = {
    server: residentMiB(site.pid),
    content: content ? residentMiB(content) : 0,
    answers,
  }
  await site.stop()
  rmSync(folder, { recursive: true, force: true })
  return found
}

async function main(): Promise<void> {
  const results = new Map<number, Array<Awaited<ReturnType<typeof measure>>>>([
    [few, []],
    [many, []],
  ])
  for (let run = 0; run < runs; run += 1)
    for (const [count, list] of results) list.push(await measure(count))
  const servers = (count: number): number[] =>
    (results.get(count) ?? []).map(({ server }) => server)
  const more = median(servers(many)) - median(servers(few))
  report(
    'article-memory',
    [...results].map(([count, list]) => ({
      articles: count.toLocaleString('en'),
      'server MiB': spread(servers(count)),
      'content process MiB': spread(list.map(({ content }) => content)),
      answers: JSON.stringify(list[0]?.answers ?? {}),
    })),
    [
      `${runs} starts of each size, alternating; resident memory (VmRSS) 10 s after the work, median (smallest–largest)`,
    ],
    [
      atMost(
        `additional memory of a server: ${many.toLocaleString('en')} articles instead of ${few.toLocaleString('en')}`,
        targetMiB,
        'MiB',
        more,
      ),
    ],
  )
}

void main()
