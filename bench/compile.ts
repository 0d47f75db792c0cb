/**
 * How long compiling takes: all of 10,000 articles from nothing, then again after one has changed, and after none has; the process from its start to its
 * end, on all cores. `--articles 10000 --runs 3`
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { generatedArticle } from '../scripts/generated-article'
import { compileOnce, wordsOf, writeContent } from './article-set'
import { atMost, median, report, spread } from './report'

const { values } = parseArgs({ options: { articles: { type: 'string', default: '10000' }, runs: { type: 'string', default: '3' } } })
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
  for (let run = 0; run < runs; run += 1) {
    rmSync(data, { recursive: true, force: true })
    const all = await compileOnce(content, data)
    full.push(all.seconds)
    peaks.push(all.peak)
    for (let edit = 0; edit < 5; edit += 1) {
      const number = 1 + ((run * 5 + edit) * 997) % articles
      writeFileSync(join(content, 'blog', `generated-${number}`, 'en.md'), `${generatedArticle(number, 'en')}\nOne more sentence, of run ${run}.\n`)
      const one = await compileOnce(content, data)
      if (one.compiled !== 1) throw new Error(`${one.compiled} articles were compiled where one had changed`)
      changed.push(one.seconds)
      nothing.push((await compileOnce(content, data)).seconds)
    }
  }
  rmSync(folder, { recursive: true, force: true })
  const words = Array.from({ length: 200 }, (_, index) => wordsOf(index + 1))
  report('compile', [
    { compile: 'everything', 's': spread(full, 1), 'ms an article': ((median(full) * 1000) / articles).toFixed(2), 'peak MiB': spread(peaks) },
    { compile: 'one article has changed', 's': spread(changed, 2) },
    { compile: 'nothing has', 's': spread(nothing, 2) },
  ], [`${articles.toLocaleString('en')} articles of ${Math.round(median(words))} words (median) in one language, and the interface's texts; ${runs} runs, median (smallest–largest)`], [
    atMost(`full compile of ${articles.toLocaleString('en')} articles`, targets.full, 's', median(full), spread(full, 1)),
    atMost('one changed article, from the start of the process to its end', targets.changed, 's', median(changed), spread(changed, 2)),
  ])
}

void main()
