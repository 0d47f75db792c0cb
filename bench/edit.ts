/**
 * From the write of a file to the changed page over HTTP, one article edited among 100,000, while the site runs. The page is asked every 5 ms.
 * `--articles 100000 --edits 10`
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { generatedArticle } from '../scripts/generated-article'
import { articleSet } from './article-set'
import { atMost, median, report, spread } from './report'
import { allCores, get, sleep, startSite, warmed, type Server } from './servers'

const { values } = parseArgs({
  options: {
    articles: { type: 'string', default: '100000' },
    edits: { type: 'string', default: '10' },
  },
})
const [articles, edits] = [Number(values.articles), Number(values.edits)]
/** Asked for (s), and when a trial is given up. */
const target = 1
const patience = 60_000

/** Seconds until the page of an article bears a text that its file has just got. */
async function liveAfter(
  { port }: Server,
  file: string,
  number: number,
  mark: string,
): Promise<number> {
  const path = `/blog/generated-${number}`
  // Stored before it changes, as a page is that somebody reads.
  await get(port, path)
  writeFileSync(file, `${generatedArticle(number, 'en')}\n${mark}\n`)
  const since = performance.now()
  while (performance.now() - since < patience) {
    if ((await get(port, path)).body.includes(mark)) return (performance.now() - since) / 1000
    await sleep(5)
  }
  throw new Error(`${path} did not change`)
}

async function main(): Promise<void> {
  const set = await articleSet(articles, ['en'])
  const folder = mkdtempSync(join(tmpdir(), 'bench-edit-'))
  // In the set's own data folder, so that it stays compiled; what else a site keeps goes elsewhere or away.
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
    await warmed(site)
    // The first one waits for the look over all files with which the content process begins; it is none of the edits.
    const first = await liveAfter(site, fileOf(1), 1, `Seen at ${Date.now()}.`)
    const times: number[] = []
    for (let edit = 0; edit < edits; edit += 1) {
      await sleep(3000)
      const number = 2 + ((edit * 9973) % (articles - 1))
      times.push(await liveAfter(site, fileOf(number), number, `Edited at ${Date.now()}.`))
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
        set.kept
          ? 'articles compiled by an earlier run'
          : `compiled in ${set.seconds.toFixed(0)} s before, ${set.peak.toFixed(0)} MiB at the highest`,
      ],
      [
        atMost(
          `one article edited among ${articles.toLocaleString('en')}: live`,
          target,
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
