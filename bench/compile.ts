/**
 * Measures compile times on all cores: 10,000 articles without an existing database, then one
 * changed article, both by the watching content process of a site and by a process that starts,
 * checks every file and exits. `--articles 10000 --runs 3`
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { generateArticle } from '../scripts/generate-article'
import { compileOnce, startContentWatcher, countWords, writeContent } from './article-set'
import { atMost, median, report, spread } from './report'

const { values } = parseArgs({
  options: {
    articles: { type: 'string', default: '10000' },
    runs: { type: 'string', default: '3' },
  },
})
const [articles, runs] = [Number(values.articles), Number(values.runs)]
/** Longest acceptable time (s) for a full compile and for one changed article. */
const targets = { full: 15, changed: 0.2 }

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-compile-'))
  const [content, data] = [join(folder, 'content'), join(folder, 'data')]
  writeContent(content, articles, ['en'])
  const full: number[] = []
  const peaks: number[] = []
  const changed: number[] = []
  const unchanged: number[] = []
  const whileWatching: number[] = []
  const fileOf = (number: number): string => join(content, 'blog', `generated-${number}`, 'en.md')
  const changedText = (number: number): string =>
    `${generateArticle(number, 'en')}\nOne more sentence, at ${Date.now()}.\n`
  for (let run = 0; run < runs; run += 1) {
    rmSync(data, { recursive: true, force: true })
    const complete = await compileOnce(content, data)
    full.push(complete.seconds)
    peaks.push(complete.peak)
    for (let edit = 0; edit < 5; edit += 1) {
      const number = 1 + (((run * 5 + edit) * 997) % articles)
      writeFileSync(fileOf(number), changedText(number))
      const one = await compileOnce(content, data)
      if (one.compiled !== 1)
        throw new Error(`${one.compiled} articles were compiled where one had changed`)
      changed.push(one.seconds)
      unchanged.push((await compileOnce(content, data)).seconds)
    }
    const watcher = startContentWatcher(content, data)
    // The process checks all files when it starts; the first edit waits for that and is not
    // measured.
    await sleep(5000)
    await watcher.edit(fileOf(1), changedText(1))
    for (let edit = 1; edit <= 10; edit += 1) {
      // Lists are recounted after each change; that must finish before the next edit.
      await sleep(500)
      const number = 1 + (((run * 10 + edit) * 991) % articles)
      whileWatching.push(await watcher.edit(fileOf(number), changedText(number)))
    }
    await watcher.stop()
  }
  rmSync(folder, { recursive: true, force: true })
  const words = Array.from({ length: 200 }, (_, index) => countWords(index + 1))
  report(
    'compile',
    [
      {
        compile: 'everything',
        s: spread(full, 1),
        'ms an article': ((median(full) * 1000) / articles).toFixed(2),
        'peak MiB': spread(peaks),
      },
      {
        compile: 'one changed article, by the watching process of a site',
        s: spread(whileWatching, 3),
      },
      { compile: 'one changed article, by a process from start to end', s: spread(changed, 2) },
      { compile: 'no change, by a process from start to end', s: spread(unchanged, 2) },
    ],
    [
      `${articles.toLocaleString('en')} articles of ${Math.round(median(words))} words (median) in one language, and the interface's texts; ${runs} runs, median (smallest–largest)`,
    ],
    [
      atMost(
        `full compile of ${articles.toLocaleString('en')} articles`,
        targets.full,
        's',
        median(full),
        spread(full, 1),
      ),
      atMost(
        'one changed article, from the write of its file to compiled',
        targets.changed,
        's',
        median(whileWatching),
        spread(whileWatching, 2),
      ),
    ],
  )
}

void main()
