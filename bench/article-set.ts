/** Generated articles as files, and compiled by the content process itself: what the measurements of start, memory, compiling and editing work on. */
import { spawn } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { generatedArticle, writeGeneratedArticles } from '../scripts/generated-article'
import { buildId, compilerId } from '../scripts/build-id.mjs'
import { contentFile } from '../server/content/data-files'
import type { LocaleCode } from '../shared/i18n/locales'
import { peakMiB } from './load'
import { root } from './servers'

/** `content` stands in for `content/`, `data` for `DATA_DIR`: in it the compiled database alone. */
export type ArticleSet = {
  content: string
  data: string
  /** Wall time of its full compile (s), and the memory of the process at its highest (MiB). */ seconds: number
  peak: number
  /** Whether it was made by an earlier run. */ kept: boolean
}
type Compiled = { seconds: number; peak: number; compiled: number; unchanged: number }

const record = (folder: string): string => join(folder, 'set.json')

/** Words of an article, front matter apart: a target is about articles of a certain length. */
export const wordsOf = (number: number): number =>
  (generatedArticle(number, 'en').split(/^---$/m)[2] ?? '').split(/\s+/).filter(Boolean).length

/** Only the articles and the site's configuration. */
export function writeContent(content: string, count: number, locales: readonly LocaleCode[]): void {
  mkdirSync(content, { recursive: true })
  copyFileSync(join(root, 'content', 'site.yaml'), join(content, 'site.yaml'))
  writeGeneratedArticles(content, count, locales)
}

const startCompiler = (content: string, data: string, ...flags: readonly string[]) =>
  spawn(
    process.execPath,
    [
      join(root, 'dist', buildId(root), 'server', 'content.js'),
      ...flags,
      '--content',
      content,
      '--locales',
      join(root, 'locales'),
      '--public',
      join(root, 'public'),
      '--data',
      data,
      '--compiler',
      compilerId(root),
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )

/** One run of the content process over `content`, on all cores, from its start to its end. */
export function compileOnce(content: string, data: string): Promise<Compiled> {
  mkdirSync(data, { recursive: true })
  const began = performance.now()
  const child = startCompiler(content, data, '--once')
  let peak = 0
  let report = { compiled: 0, unchanged: 0 }
  const watch = setInterval(() => (peak = Math.max(peak, peakMiB(child.pid ?? 0))), 100)
  createInterface({ input: child.stdout }).on('line', (line) => {
    const said = JSON.parse(line) as { msg: string; compiled: number; unchanged: number }
    if (said.msg === 'compile done') report = said
  })
  return new Promise((done, fail) => {
    child.on('close', (code) => {
      clearInterval(watch)
      if (code !== 0) fail(new Error(`the content process ended with ${code}`))
      else
        done({
          seconds: (performance.now() - began) / 1000,
          peak,
          compiled: report.compiled,
          unchanged: report.unchanged,
        })
    })
  })
}

/** The content process as it runs beside a site. `edit` writes a file and answers the seconds until the process says that it is compiled. */
export function watchingCompiler(
  content: string,
  data: string,
): { edit: (file: string, text: string) => Promise<number>; stop: () => Promise<void> } {
  const child = startCompiler(content, data)
  let heard: () => void = () => undefined
  createInterface({ input: child.stdout }).on('line', (line) => {
    if ((JSON.parse(line) as { msg: string }).msg === 'content compiled') heard()
  })
  return {
    edit: (file, text) =>
      new Promise((done) => {
        const began = performance.now()
        heard = () => done((performance.now() - began) / 1000)
        writeFileSync(file, text)
      }),
    stop: () =>
      new Promise((done) => {
        child.once('close', () => done())
        child.kill('SIGTERM')
      }),
  }
}

/**
 * A set of articles, made once for a version of the compiler and kept in the folder for temporary files: 100,000 take minutes. Whoever changes one of
 * its articles leaves it compiled.
 */
export async function articleSet(
  count: number,
  locales: readonly LocaleCode[],
): Promise<ArticleSet> {
  const folder = join(
    tmpdir(),
    `site-bench-articles-${count}-${locales.join('-')}-${compilerId(root)}`,
  )
  const place = { content: join(folder, 'content'), data: join(folder, 'data') }
  if (existsSync(record(folder)))
    return {
      ...place,
      ...(JSON.parse(readFileSync(record(folder), 'utf8')) as { seconds: number; peak: number }),
      kept: true,
    }
  rmSync(folder, { recursive: true, force: true })
  console.error(`making ${count.toLocaleString('en')} articles in ${locales.join(', ')}`)
  writeContent(place.content, count, locales)
  const { seconds, peak } = await compileOnce(place.content, place.data)
  writeFileSync(`${record(folder)}.tmp`, JSON.stringify({ seconds, peak }))
  renameSync(`${record(folder)}.tmp`, record(folder))
  return { ...place, seconds, peak, kept: false }
}

/** A data folder that holds a copy of a compiled database and nothing else, as after a first deployment. */
export function dataFolderWith(compiled: string, folder: string): string {
  mkdirSync(folder, { recursive: true })
  copyFileSync(contentFile(compiled), contentFile(folder))
  return folder
}
