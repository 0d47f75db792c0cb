/**
 * Measures the time from the start of the process to the first 200 of `/readyz`, with 10,000
 * compiled articles in each of two languages: with the build that compiled them, and with a new
 * build whose compiler recompiles everything in the background. Uses all cores, as in production.
 * `--articles 10000 --runs 5`
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import Database from 'better-sqlite3'
import { contentFile } from '../server/content/data-files'
import { articleSet, createDataFolder } from './article-set'
import { atMost, median, report, spread, type Row } from './report'
import { allCores, get, startSite } from './servers'

const { values } = parseArgs({
  options: {
    articles: { type: 'string', default: '10000' },
    runs: { type: 'string', default: '5' },
  },
})
const [articles, runs] = [Number(values.articles), Number(values.runs)]
const targetSeconds = 0.4

/** Gives every text the hash of another compiler version, so that the site must recompile it. */
function markAsOutdated(data: string): void {
  const db = new Database(contentFile(data))
  db.exec(
    "UPDATE files SET hash = 'earlier:' || hash WHERE path LIKE 'content/%'; DELETE FROM meta WHERE key = 'pages'",
  )
  db.close()
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-ready-'))
  const set = await articleSet(articles, ['en', 'zh'])
  const outdated = join(folder, 'outdated')
  markAsOutdated(createDataFolder(set.data, outdated))
  const rows: Row[] = []
  const medians = new Map<string, { seconds: number; shown: string }>()
  for (const [start, compiled, withoutStore] of [
    ['same build', set.data, false],
    ['same build, no store yet', set.data, true],
    ['fresh build', outdated, false],
  ] as const) {
    const data = join(folder, 'data')
    const times: number[] = []
    const articleAfter: number[] = []
    // An uncounted extra start creates the database and its keys, unless they are part of the case.
    for (let run = withoutStore ? 1 : 0; run <= runs; run += 1) {
      if (withoutStore) rmSync(data, { recursive: true, force: true })
      const site = await startSite(
        { CONTENT_DIR: set.content, DATA_DIR: createDataFolder(compiled, data), LOG_LEVEL: 'warn' },
        [],
        allCores,
      )
      const { status, firstByteMs: firstByte } = await get(site.port, `/blog/generated-${articles}`)
      if (status !== 200) throw new Error(`the last article answered ${status}`)
      await site.stop()
      if (run === 0) continue
      times.push(site.readyAfterMs / 1000)
      articleAfter.push(firstByte)
    }
    rmSync(data, { recursive: true, force: true })
    medians.set(start, { seconds: median(times), shown: spread(times, 2) })
    rows.push({
      start,
      'ready after s': spread(times, 2),
      'first article after that, ms': spread(articleAfter),
    })
  }
  rmSync(folder, { recursive: true, force: true })
  const fresh = medians.get('fresh build')
  report(
    'ready',
    rows,
    [
      `${articles.toLocaleString('en')} articles in each of two languages; ${runs} starts of each kind, median (smallest–largest)`,
    ],
    fresh
      ? [
          atMost(
            `ready after start with a fresh build, ${articles.toLocaleString('en')} articles × 2 languages`,
            targetSeconds,
            's',
            fresh.seconds,
            fresh.shown,
          ),
        ]
      : [],
  )
}

void main()
