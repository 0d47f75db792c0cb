/**
 * How long compiling takes: all of 10,000 articles from nothing; then a change of one, by the process that runs beside a site, and by a process from its
 * start to its end, which looks at every file. All cores. `--articles 10000 --runs 3`
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { generatedArticle } from '../scripts/generated-article'
import { compileOnce, watchingCompiler, wordsOf, writeContent } from './article-set'
import { atMost, median, report, spread } from './report'
import { sleep } from './servers'

const { values } = parseArgs({
  options: {
    articles: { type: 'string', default: '10000' },
    runs: { type: 'string', default: '3' },
  },
})
const [articles, runs] = [Number(values.articles), Number(values.runs)]
/** Asked for: everything, one changed article (s). */
const targets = { full: 40, changed: 0.3 }

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-compile-'))
  const [content, data] = [join(folder, 'content'), join(folder, 'data')]
  writeContent(content, articles, ['en'])
  const full: number[] = []
  const peaks: number[] = []
  const changed: number[] = []
  const nothing: number[] = []
  const watched: number[] = []
  const fileOf = (number: number): string => join(content, 'blog', `generated-${number}`, 'en.md')
  const changedText = (number: number): string =>
    `${generatedArticle(number, 'en')}\nOne more sentence, at ${Date.now()}.\n`
  for (let run = 0; run < runs; run += 1) {
    rmSync(data, { recursive: true, force: true })
    const all = await compileOnce(content, data)
    full.push(all.seconds)
    peaks.push(all.peak)
    for (let edit = 0; edit < 5; edit += 1) {
      const number = 1 + (((run * 5 + edit) * 997) % articles)
      writeFileSync(fileOf(number), changedText(number))
      const one = await compileOnce(content, data)
      if (one.compiled !== 1)
        throw new Error(`${one.compiled} articles were compiled where one had changed`)
      changed.push(one.seconds)
      nothing.push((await compileOnce(content, data)).seconds)
    }
    const beside = watchingCompiler(content, data)
    // The first edit waits for the look over all files with which the process begins.
    await sleep(5000)
    await beside.edit(fileOf(1), changedText(1))
    for (let edit = 1; edit <= 10; edit += 1) {
      // Lists are counted anew after each change; that is over before the next.
      await sleep(500)
      const number = 1 + (((run * 10 + edit) * 991) % articles)
      watched.push(await beside.edit(fileOf(number), changedText(number)))
    }
    await beside.stop()
  }
  rmSync(folder, { recursive: true, force: true })
  const words = Array.from({ length: 200 }, (_, index) => wordsOf(index + 1))
  report(
    'compile',
    [
      {
        compile: 'everything',
        s: spread(full, 1),
        'ms an article': ((median(full) * 1000) / articles).toFixed(2),
        'peak MiB': spread(peaks),
      },
      { compile: 'one changed article, by the process beside a site', s: spread(watched, 3) },
      { compile: 'one changed article, by a process from start to end', s: spread(changed, 2) },
      { compile: 'no change, by a process from start to end', s: spread(nothing, 2) },
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
        median(watched),
        spread(watched, 2),
      ),
    ],
  )
}

void main()
