/**
 * Measures the time from writing an article's file to the changed page over HTTP, on a running site
 * with 100,000 articles. The page is requested every 5 ms. `--articles 100000 --edits 10`
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { generateArticle } from '../scripts/generate-article'
import { articleSet } from './article-set'
import { atMost, median, report, spread } from './report'
import { allCores, get, startSite, untilWarmed, type Server } from './servers'

const { values } = parseArgs({
  options: {
    articles: { type: 'string', default: '100000' },
    edits: { type: 'string', default: '10' },
  },
})
const [articles, edits] = [Number(values.articles), Number(values.edits)]
const targetSeconds = 1
const timeoutMs = 60_000
const pollIntervalMs = 5

/** Adds a text to the file of an article. Resolves to the seconds until the page contains it. */
async function secondsUntilLive(
  { port }: Server,
  file: string,
  number: number,
  mark: string,
): Promise<number> {
  const path = `/blog/generated-${number}`
  // The page is in the cache before the edit, like a page that has readers.
  await get(port, path)
  writeFileSync(file, `${generateArticle(number, 'en')}\n${mark}\n`)
  const startedAt = performance.now()
  while (performance.now() - startedAt < timeoutMs) {
    if ((await get(port, path)).body.includes(mark)) return (performance.now() - startedAt) / 1000
    await sleep(pollIntervalMs)
  }
  throw new Error(`${path} did not change`)
}

async function main(): Promise<void> {
  const set = await articleSet(articles, ['en'])
  const folder = mkdtempSync(join(tmpdir(), 'bench-edit-'))
  // The site uses the set's data folder, so that the set stays compiled for later runs. Other data
  // goes to a temporary database.
  const site = await startSite(
    {
      CONTENT_DIR: set.content,
      DATA_DIR: set.data,
      DATABASE_URL: `file:${join(folder, 'site.db')}`,
      LOG_LEVEL: 'warn',
    },
    [],
    allCores,
  )
  const fileOf = (number: number): string =>
    join(set.content, 'blog', `generated-${number}`, 'en.md')
  try {
    await untilWarmed(site)
    // The content process checks all files when it starts. The first edit waits for that and is
    // reported separately.
    const first = await secondsUntilLive(site, fileOf(1), 1, `Seen at ${Date.now()}.`)
    const times: number[] = []
    for (let edit = 0; edit < edits; edit += 1) {
      await sleep(3000)
      const number = 2 + ((edit * 9973) % (articles - 1))
      times.push(await secondsUntilLive(site, fileOf(number), number, `Edited at ${Date.now()}.`))
    }
    report(
      'edit',
      [
        {
          articles: articles.toLocaleString('en'),
          'live after s': spread(times, 2),
          'first after the start': first.toFixed(2),
        },
      ],
      [
        `${edits} edits, 3 s apart, median (smallest–largest)`,
        set.isReused
          ? 'articles compiled by an earlier run'
          : `compiled in ${set.seconds.toFixed(0)} s before, peak memory ${set.peak.toFixed(0)} MiB`,
      ],
      [
        atMost(
          `one article edited among ${articles.toLocaleString('en')}: live`,
          targetSeconds,
          's',
          median(times),
          spread(times, 2),
        ),
      ],
    )
  } finally {
    await site.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

void main()
