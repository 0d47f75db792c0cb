/**
 * Sets of generated articles, as files and as the database that the content process compiles from
 * them. The benches of startup, memory, compiling and editing use them.
 */
import { spawn } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { generateArticle, writeGeneratedArticles } from '../scripts/generate-article'
import { buildId, compilerId, routesId } from '../scripts/build-id.mjs'
import { contentFile } from '../server/content/data-files'
import type { LocaleCode } from '../shared/i18n/locales'
import { peakMiB } from './load'
import { root } from './servers'

/** `content` is used as `CONTENT_DIR`. `data` holds only the compiled database. */
type ArticleSet = {
  content: string
  data: string
  /** Wall time of the full compile. */
  seconds: number
  /** Peak memory of the content process (MiB). */
  peak: number
  /** True when an earlier run created the set. */
  isReused: boolean
}
type Compiled = { seconds: number; peak: number; compiled: number; unchanged: number }

/**
 * Returns a folder that is kept for later runs below the folder for temporary files, once per
 * compiler version. `create` fills it, unless an earlier run has done so completely.
 */
export async function keptFolder(
  name: string,
  create: (folder: string) => Promise<void>,
): Promise<{ folder: string; isReused: boolean }> {
  const folder = join(tmpdir(), `site-bench-${name}-${compilerId(root)}`)
  const completeMark = join(folder, 'complete')
  if (existsSync(completeMark)) return { folder, isReused: true }
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  console.error(`creating ${folder}`)
  await create(folder)
  writeFileSync(completeMark, '')
  return { folder, isReused: false }
}

/** Number of words of an article without its front matter, to report the size of the content. */
export const countWords = (number: number): number =>
  (generateArticle(number, 'en').split(/^---$/m)[2] ?? '').split(/\s+/).filter(Boolean).length

/** Writes generated articles and `site.yaml` into `content`. */
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
      '--routes',
      routesId(root),
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )

/** Runs the content process once over `content`, on all cores, and measures it. */
export function compileOnce(content: string, data: string): Promise<Compiled> {
  mkdirSync(data, { recursive: true })
  const startedAt = performance.now()
  const child = startCompiler(content, data, '--once')
  let peak = 0
  let report = { compiled: 0, unchanged: 0 }
  const memoryTimer = setInterval(() => (peak = Math.max(peak, peakMiB(child.pid ?? 0))), 100)
  createInterface({ input: child.stdout }).on('line', (line) => {
    const entry = JSON.parse(line) as { msg: string; compiled: number; unchanged: number }
    if (entry.msg === 'compile done') report = entry
  })
  return new Promise((done, fail) => {
    child.on('close', (code) => {
      clearInterval(memoryTimer)
      if (code !== 0) fail(new Error(`the content process ended with ${code}`))
      else
        done({
          seconds: (performance.now() - startedAt) / 1000,
          peak,
          compiled: report.compiled,
          unchanged: report.unchanged,
        })
    })
  })
}

/**
 * Starts the content process in watch mode, as the site runs it. `edit` writes a file and resolves
 * to the seconds until the process logs that it has compiled the file.
 */
export function startContentWatcher(
  content: string,
  data: string,
): { edit: (file: string, text: string) => Promise<number>; stop: () => Promise<void> } {
  const child = startCompiler(content, data)
  let onCompiled: () => void = () => undefined
  createInterface({ input: child.stdout }).on('line', (line) => {
    if ((JSON.parse(line) as { msg: string }).msg === 'content compiled') onCompiled()
  })
  return {
    edit: (file, text) =>
      new Promise((done) => {
        const startedAt = performance.now()
        onCompiled = () => done((performance.now() - startedAt) / 1000)
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
 * Returns a compiled set of articles. Creating 100,000 takes minutes, so a set is kept for
 * later runs. A bench that edits an article must wait until the edit is compiled, so that the next
 * run finds the compiled articles up to date.
 */
export async function articleSet(
  count: number,
  locales: readonly LocaleCode[],
): Promise<ArticleSet> {
  const pathsIn = (folder: string) => ({
    content: join(folder, 'content'),
    data: join(folder, 'data'),
    record: join(folder, 'set.json'),
  })
  const { folder, isReused } = await keptFolder(
    `articles-${count}-${locales.join('-')}`,
    async (created) => {
      const { content, data, record } = pathsIn(created)
      writeContent(content, count, locales)
      const { seconds, peak } = await compileOnce(content, data)
      writeFileSync(record, JSON.stringify({ seconds, peak }))
    },
  )
  const { content, data, record } = pathsIn(folder)
  // Cast: written above.
  const measured = JSON.parse(readFileSync(record, 'utf8')) as { seconds: number; peak: number }
  return { content, data, ...measured, isReused }
}

/** Creates a data folder with only a copy of a compiled database, as on a first deployment. */
export function createDataFolder(compiled: string, folder: string): string {
  mkdirSync(folder, { recursive: true })
  copyFileSync(contentFile(compiled), contentFile(folder))
  return folder
}
