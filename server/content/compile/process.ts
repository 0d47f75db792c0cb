/**
 * The content process: the only one of a machine that reads `content/` and `locales/` and writes the content database.
 * A child of whichever server holds the lock; it ends with its parent. `--once` compiles, prints its report and ends;
 * with `--check` it exits with 1 when anything was left out or reported; with `--missing` it does so only where nothing is compiled for this version yet.
 */
import { mkdirSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { checkContent } from './check-content'
import { createCompiler, type Report } from './compile'
import type { ContentMessage } from '../content-message'
import { contentFile, contentLock, takeLock } from '../data-files'
import { openForReading, openForWriting } from '../database'
import { highlight } from './highlight'
import { scanTree } from './scan'
import { watchFolders } from './watch'
import { createWriter } from './write-articles'

const { values } = parseArgs({
  options: {
    content: { type: 'string' },
    locales: { type: 'string' },
    public: { type: 'string' },
    data: { type: 'string' },
    compiler: { type: 'string' },
    once: { type: 'boolean', default: false },
    missing: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
  },
})

function required(name: 'content' | 'locales' | 'public' | 'data' | 'compiler'): string {
  const value = values[name]
  if (!value) throw new Error(`--${name} is missing`)
  return value
}

const send = (generation: number): void =>
  void process.send?.({
    type: 'compiled',
    generation,
    node: process.version,
  } satisfies ContentMessage)
const say = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`)

/** What an operator reads: a line a broken file, and one for the whole when anything was done. */
function print(report: Report, shown: Set<string>): void {
  const now = new Set(report.problems.map(({ file, line, reason }) => `${file}:${line}: ${reason}`))
  for (const problem of now)
    if (!shown.has(problem))
      say({ level: 'warn', msg: values.check ? problem : `left out: ${problem}` })
  for (const problem of shown)
    if (!now.has(problem)) say({ level: 'info', msg: `no longer left out: ${problem}` })
  shown.clear()
  for (const problem of now) shown.add(problem)
  const { compiled, removed, unchanged, generation, milliseconds } = report
  if (report.changed)
    say({
      level: 'info',
      msg: 'content compiled',
      compiled,
      removed,
      unchanged,
      generation,
      milliseconds: Math.round(milliseconds),
    })
}

function isCompiled(file: string): boolean {
  const db = openForReading(file)
  db?.close()
  return db !== null
}

function run(): void {
  const data = required('data')
  mkdirSync(data, { recursive: true })
  // Nobody's, or that of a server which is compiling at this moment.
  const lock = values.missing ? takeLock(contentLock(data)) : null
  if (values.missing && (!lock || isCompiled(contentFile(data)))) return void lock?.close()
  const db = openForWriting(contentFile(data))
  const sources = {
    content: required('content'),
    locales: required('locales'),
    public: required('public'),
    compiler: required('compiler'),
  }
  const compile = createCompiler(db, sources)
  const shown = new Set<string>()
  // Watched before it is looked at: with 100,000 articles the look takes seconds, and what is saved meanwhile would be seen by neither. Its news wait
  // until this turn of the process is over.
  let heard: (folders: readonly string[]) => readonly string[] = () => []
  const roots = [sources.content, sources.locales]
  const watcher =
    values.once || values.missing
      ? null
      : watchFolders({
          roots,
          folders: roots.flatMap((root) => scanTree(root, () => false).folders),
          onChange: (folders) => heard(folders),
        })
  const compiled = compile()
  const first = values.check
    ? { ...compiled, problems: [...compiled.problems, ...checkContent(db, sources.content)] }
    : compiled
  print(first, shown)
  if (values.once || values.missing) {
    const { compiled, unchanged, removed, milliseconds, problems } = first
    say({
      level: 'info',
      msg: 'compile done',
      compiled,
      unchanged,
      removed,
      milliseconds: Math.round(milliseconds),
      problems: problems.length,
    })
    db.close()
    lock?.close()
    if (values.check && problems.length > 0) process.exitCode = 1
    return
  }
  send(first.generation)
  // The first snippet costs a third of a second more than all later ones: pay that now, not when an author waits.
  setImmediate(() => highlight('const ready = true', 'js'))

  const writer = createWriter(db)
  let timer: NodeJS.Timeout | undefined
  const again = (under: readonly string[]): string[] => {
    const report = compile(under)
    print(report, shown)
    if (report.changed) send(report.generation)
    schedule()
    return report.folders
  }
  // Publication dates come by themselves; a timer cannot be longer than 2^31 ms, so look at least once a day.
  const schedule = (): void => {
    clearTimeout(timer)
    const at = writer.nextPublication()
    if (at !== null)
      timer = setTimeout(() => again([]), Math.min(Math.max(at - Date.now(), 0) + 5, 86_400_000))
  }
  schedule()
  heard = (folders) => again(foldersUnder(sources.content, folders))

  const end = (): void => {
    watcher?.close()
    clearTimeout(timer)
    db.close()
    process.exit(0)
  }
  // The parent's end closes the channel, even when it was killed.
  process.on('disconnect', end)
  process.on('SIGTERM', end)
  // A terminal sends Ctrl-C to the whole group: the parent decides when its child ends.
  process.on('SIGINT', () => undefined)
}

/** Changed folders as paths below `content/`: an article's folder by itself, anything above it as the whole. */
function foldersUnder(content: string, folders: readonly string[]): string[] {
  const below = folders
    .filter((folder) => folder === content || folder.startsWith(`${content}/`))
    .map((folder) => folder.slice(content.length + 1))
  if (below.some((folder) => folder.split('/').length < 2)) return ['']
  return below.map((folder) => folder.split('/').slice(0, 2).join('/'))
}

run()
