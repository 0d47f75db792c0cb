/**
 * The content process: the only process of a machine that reads `content/` and `locales/` and
 * writes the content database. The server that holds the lock starts it; it ends with that server.
 *
 * `--once` compiles, prints a report and ends. With `--check` it then exits with 1 when a file was
 * left out or reported. `--missing` is `--once` for a version that has no compiled content yet.
 */
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { openDataFolder, restrictNewFiles } from '../../db/data-folder'
import { contentFile, contentLock, takeLock } from '../data-files'
import { openForReading, openForWriting, type Connection } from '../database'
import { readMissingFacts } from '../missing-facts'
import { openApiPath } from '../source-path'
import { checkContent } from './check-content'
import { createCompiler, type Report } from './compiler'
import { highlightBlock } from './highlight'
import { scanTree } from './scan-tree'
import type { Sources } from './source-files'
import type { ContentMessage } from './supervise-content'
import { watchFolders } from './watch-folders'
import { createArticleWriter } from './write-articles'

type Compile = ReturnType<typeof createCompiler>

const { values } = parseArgs({
  options: {
    content: { type: 'string' },
    locales: { type: 'string' },
    public: { type: 'string' },
    data: { type: 'string' },
    compiler: { type: 'string' },
    routes: { type: 'string' },
    once: { type: 'boolean', default: false },
    missing: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
  },
})

/** A timer cannot be longer than 2^31 ms, so the next publication is looked up at least daily. */
const maxTimerMs = 86_400_000
const highlightDelayMs = 10_000
/** After a publication's time, so that the compiler's clock has reached it. */
const publicationDelayMs = 5

function required(name: 'content' | 'locales' | 'public' | 'data' | 'compiler' | 'routes'): string {
  const value = values[name]
  if (!value) throw new Error(`--${name} is missing`)
  return value
}

const notifyServer = (generation: number): void =>
  void process.send?.({
    type: 'compiled',
    generation,
    node: process.version,
  } satisfies ContentMessage)
const logLine = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`)

/**
 * Logs problems that are new or solved since the last report, and one line if anything changed.
 * `logged` holds the problems of the last report.
 */
function logReport(report: Report, logged: Set<string>): void {
  const problems = new Set(
    report.problems.map(({ file, line, reason }) => `${file}:${line}: ${reason}`),
  )
  for (const problem of problems)
    if (!logged.has(problem))
      logLine({ level: 'warn', msg: values.check ? problem : `problem: ${problem}` })
  for (const problem of logged)
    if (!problems.has(problem)) logLine({ level: 'info', msg: `problem solved: ${problem}` })
  logged.clear()
  for (const problem of problems) logged.add(problem)
  const { compiled, removed, unchanged, generation } = report
  const milliseconds = Math.round(report.milliseconds)
  if (report.changed)
    logLine({
      level: 'info',
      msg: 'content compiled',
      compiled,
      removed,
      unchanged,
      generation,
      milliseconds,
    })
}

function isCompiled(file: string): boolean {
  const db = openForReading(file)
  db?.close()
  return db !== null
}

/** Compiles once and sets the exit code. */
function compileOnce(compile: Compile, db: Connection, sources: Sources): void {
  const report = compile()
  if (values.check) report.problems.push(...checkContent(db, sources.content))
  logReport(report, new Set())
  const { compiled, unchanged, removed, problems } = report
  const milliseconds = Math.round(report.milliseconds)
  logLine({
    level: 'info',
    msg: 'compile done',
    compiled,
    unchanged,
    removed,
    milliseconds,
    problems: problems.length,
  })
  if (values.check && problems.length > 0) process.exitCode = 1
}

/** Compiles, and compiles again whenever a file changes or a publication is due. */
function compileContinuously(compile: Compile, db: Connection, sources: Sources): void {
  const logged = new Set<string>()
  const { nextPublication } = createArticleWriter(db)
  let timer: NodeJS.Timeout | undefined

  const schedulePublication = (): void => {
    clearTimeout(timer)
    const at = nextPublication()
    if (at === null) return
    const delayMs = Math.max(at - Date.now(), 0) + publicationDelayMs
    timer = setTimeout(() => recompile([]), Math.min(delayMs, maxTimerMs))
  }
  const recompile = (under: readonly string[]): string[] => {
    const report = compile(under)
    logReport(report, logged)
    if (report.changed) notifyServer(report.generation)
    schedulePublication()
    return report.folders
  }

  // Watching starts before the first compile, which takes seconds with 100,000 articles: a change
  // during that time would otherwise be missed (decision 54). `onChange` is called after it.
  const roots = [sources.content, sources.locales]
  const watcher = watchFolders({
    roots,
    folders: roots.flatMap((root) => scanTree(root, () => false).folders),
    onChange: (folders) => recompile(articleFolders(sources.content, folders)),
  })
  const report = compile()
  logReport(report, logged)
  const missing = readMissingFacts(db)
  if (missing.length > 0)
    logLine({ level: 'warn', msg: `before going live, set ${missing.join('; ')}` })
  notifyServer(report.generation)
  // The first code block takes 0.3 s longer than all later ones. Highlighting one keeps that delay
  // from an author's first change. It waits, because a starting site needs the processor first.
  setTimeout(() => highlightBlock('const ready = true', 'js'), highlightDelayMs)
  schedulePublication()

  endWithParent(() => {
    watcher.close()
    clearTimeout(timer)
    db.close()
  })
}

function endWithParent(cleanUp: () => void): void {
  const end = (): void => {
    cleanUp()
    process.exit(0)
  }
  // The channel closes when the parent ends, also when it was killed.
  process.on('disconnect', end)
  process.on('SIGTERM', end)
  // A terminal sends Ctrl-C to the whole group; the parent decides when its child ends.
  process.on('SIGINT', () => undefined)
}

/**
 * Changed folders as paths below `content/`: `collection/id` for a change in an article's folder,
 * '' (everything) for a change above one. The folder of `openapi.yaml` has no articles; that file
 * is read in every run.
 */
function articleFolders(content: string, folders: readonly string[]): string[] {
  const segments = folders
    .filter((folder) => folder === content || folder.startsWith(`${content}/`))
    .map((folder) => folder.slice(content.length + 1).split('/'))
    .filter(([collection]) => collection !== dirname(openApiPath))
  return segments.some((path) => path.length < 2)
    ? ['']
    : segments.map(([collection, id]) => `${collection}/${id}`)
}

function run(): void {
  const data = required('data')
  restrictNewFiles()
  openDataFolder(data)
  // The lock is free, or held by a server that is compiling at this moment.
  const lock = values.missing ? takeLock(contentLock(data)) : null
  if (values.missing && (!lock || isCompiled(contentFile(data)))) {
    lock?.close()
    return
  }
  const db = openForWriting(contentFile(data))
  const sources: Sources = {
    content: required('content'),
    locales: required('locales'),
    public: required('public'),
    compiler: required('compiler'),
    routes: required('routes'),
    worker: join(__dirname, 'compile-worker.js'),
  }
  const compile = createCompiler(db, sources)
  if (!values.once && !values.missing) return compileContinuously(compile, db, sources)
  compileOnce(compile, db, sources)
  db.close()
  lock?.close()
}

run()
