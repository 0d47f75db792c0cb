/** Starts the built site on a free port with its own data folder. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { request, type IncomingHttpHeaders } from 'node:http'
import { basename, join } from 'node:path'
import { createInterface } from 'node:readline'
import { nodeOptions } from '../scripts/node-options.cjs'
import { contentLock, takeLock } from '../server/content/data-files'
import type { LocaleCode } from '../shared/i18n/locales'
import type { SearchResult } from '../shared/search-result'
import { testLocations } from './location-database'
import { releaseWithTests, temporaryFolder } from './release-with-tests'
import { buildFolder, programSettings, root } from './root'

export type Answer = { status: number; headers: IncomingHttpHeaders; body: string; bytes: Buffer }
export type LogLine = { level: string; msg: string } & Record<string, unknown>
/** `address`: which address of this machine to connect to. */
export type RequestOptions = {
  address?: string
  host?: string
  /** GET by default, and POST with a body. */
  method?: string | undefined
  headers?: Record<string, string>
  body?: string | Buffer | undefined
}
export type TestSite = {
  port: number
  /** All log lines so far. */
  logs: LogLine[]
  get: (path: string, options?: RequestOptions) => Promise<Answer>
  child: ChildProcess
  dataDir: string
  stop: () => Promise<void>
}

/** The log lines of each site that this process has started. */
export const startedLogs: LogLine[][] = []

const maxRecordedRequests = 5
/** The last requests of the current test, for its failure message. */
const recordedRequests: Array<{ line: string; id: unknown }> = []
function recordRequest(line: string, { 'x-request-id': id }: IncomingHttpHeaders): void {
  recordedRequests.push({ line, id })
  if (recordedRequests.length > maxRecordedRequests) recordedRequests.shift()
}

/**
 * The last requests of a failed test with what the sites logged about each, and the warnings of the
 * sites. The setup file of jest calls it, which must not load this module for tests without a site.
 */
function describeRequests(): string {
  const logs = startedLogs.flat()
  const print = (lines: LogLine[]): string[] => lines.map((line) => `    ${JSON.stringify(line)}`)
  return [
    ...recordedRequests.flatMap(({ line, id }) => [
      `  ${line}`,
      ...print(logs.filter((entry) => id !== undefined && entry['id'] === id)),
    ]),
    ...print(logs.filter(({ level }) => ['warn', 'error', 'fatal'].includes(level)).slice(-5)),
  ].join('\n')
}
Object.assign(globalThis, { describeRequests })

/** OPS_TOKEN of sites under test, and the header that carries it. */
export const opsToken = 'the-token-of-test-operators'
export const operator = { authorization: `Bearer ${opsToken}` } as const

export const hostNames = { en: 'localhost', zh: 'zh.localhost', ru: 'ru.localhost' } as const

/** A request to a port of this machine; the target is sent byte for byte, the host as a header. */
export function fetchFrom(
  port: number,
  path: string,
  {
    address = '127.0.0.1',
    host = 'localhost',
    body,
    method = body === undefined ? 'GET' : 'POST',
    headers = {},
  }: RequestOptions = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host: address,
        port,
        path,
        method,
        headers: {
          host: `${host}:${port}`,
          ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
          ...headers,
        },
        agent: false,
      },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () => {
          recordRequest(`${method} ${host}:${port}${path} ${response.statusCode}`, response.headers)
          const bytes = Buffer.concat(chunks)
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: bytes.toString('utf8'),
            bytes,
          })
        })
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}

const contentFiles = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => /^content-\d+\.db$/.test(name))
    .map((name) => join(folder, name))
const hasContent = (dataDir: string): boolean =>
  existsSync(dataDir) && contentFiles(dataDir).length > 0

/** The databases of the starter content that `npm test` compiled once. */
function seedFiles(): string[] {
  const seed = process.env['CONTENT_SEED']
  return seed ? contentFiles(seed) : []
}

/**
 * Copies the compiled starter content into an empty data folder, so that a site compiles only what
 * differs. Without that copy a site compiles everything, which takes seconds.
 */
export function seedContent(dataDir: string): string {
  for (const file of seedFiles()) {
    const target = join(dataDir, basename(file))
    if (!existsSync(target)) copyFileSync(file, target)
  }
  return dataDir
}

/** The same for a compiler that runs in the test, which writes `database`. */
export function seedContentFile(database: string): void {
  const [file] = seedFiles()
  if (file) copyFileSync(file, database)
}

/**
 * Links the copy of the build's files that `npm test` made. Without it each start copies more than
 * 300 files.
 */
function seedAssets(dataDir: string, build: string): void {
  const seed = process.env['CONTENT_SEED'] ?? ''
  const kept = join('assets', basename(build))
  if (seed === '' || !existsSync(join(seed, kept)) || existsSync(join(dataDir, 'assets'))) return
  mkdirSync(join(dataDir, 'assets'), { recursive: true, mode: 0o700 })
  symlinkSync(join(seed, kept), join(dataDir, kept))
}

/** Ids of the build under test; content that was compiled under others is compiled again. */
export function readContentIds(): { compiler: string; routes: string } {
  const facts = readFileSync(join(buildFolder(), 'build.json'), 'utf8')
  const { compiler, routes } = JSON.parse(facts) as { compiler: string; routes: string }
  return { compiler, routes }
}

/**
 * Compiles content that a test has made, before the site starts. It is based on the starter
 * content: only texts and articles that differ from it are compiled. Returns the program's log.
 */
export function compileContent(
  content: string,
  dataDir: string,
  mode: '--once' | '--missing' = '--once',
): string {
  const options = {
    content,
    locales: join(root, 'locales'),
    public: join(root, 'public'),
    data: seedContent(dataDir),
    ...readContentIds(),
  }
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value])
  const program = join(buildFolder(), 'server', 'content.js')
  return execFileSync(process.execPath, [program, mode, ...args], {
    env: { ...programSettings(), ...compileCache() },
    encoding: 'utf8',
  })
}

/**
 * Folders that are not 0700 and files that are not 0600, with their modes. A file that a running
 * site deletes meanwhile is left out.
 */
export function pathsOpenToOthers(folder: string): string[] {
  return ['', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })].flatMap((name) => {
    const stats = statSync(join(folder, name), { throwIfNoEntry: false })
    if (!stats) return []
    const mode = stats.mode & 0o777
    return mode === (stats.isDirectory() ? 0o700 : 0o600)
      ? []
      : [`${name || '.'} ${mode.toString(8)}`]
  })
}

/** A line that is not JSON, such as one of `console.log`, is the message of its entry. */
function parseLogLine(line: string): LogLine {
  try {
    return JSON.parse(line) as LogLine
  } catch {
    return { level: 'info', msg: line }
  }
}

/**
 * Sites share the code that V8 compiled, unless they report what they execute: it would be less
 * exact.
 */
function compileCache(): Record<string, string> {
  const { COVERAGE_FOLDER: coverage, COMPILE_CACHE: cache } = process.env
  return cache && !coverage ? { NODE_COMPILE_CACHE: cache } : {}
}

/**
 * Fills a data folder before a site starts. Returns a function to call after the site has ended.
 * Without `CONTENT_DIR`, the folder gets the content that `npm test` has compiled. The site then
 * starts no content process, which would have nothing to compile but take a third of the processor
 * time of a start.
 */
export function prepareDataFolder(
  dataDir: string,
  content: string | undefined,
  build = buildFolder(),
): () => void {
  seedAssets(dataDir, build)
  // A site is ready as soon as some content is compiled, so a seed must not hold other content.
  if (!content) seedContent(dataDir)
  else if (!hasContent(dataDir) && build === buildFolder()) compileContent(content, dataDir)
  // A server starts the content process when it gets this lock. The test holds it while the site
  // runs.
  const lock = content || seedFiles().length === 0 ? null : takeLock(contentLock(dataDir))
  return () => void lock?.close()
}

/** `build` is the folder of another build than the one under test. */
export async function startTestSite(
  env: Record<string, string> = {},
  build = buildFolder(),
): Promise<TestSite> {
  const dataDir = env['DATA_DIR'] ?? temporaryFolder('data')
  const releaseDataFolder = prepareDataFolder(dataDir, env['CONTENT_DIR'], build)
  const child = spawn(process.execPath, [...nodeOptions, join(build, 'server', 'main.js')], {
    cwd: root,
    env: {
      ...programSettings(),
      ...compileCache(),
      PORT: '0',
      HOST: '127.0.0.1',
      DATA_DIR: dataDir,
      GEOIP_DB: testLocations(),
      // Tests request more pages and searches than one visitor does.
      RATE_MISS: '0',
      RATE_SEARCH: '0',
      // Rendering the landing pages of 14 languages takes more than most tests do.
      PAGE_WARMING: 'off',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  releaseWithTests(child)
  child.once('exit', releaseDataFolder)
  const logs: LogLine[] = []
  startedLogs.push(logs)
  const errors: string[] = []
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk.toString()))
  const port = await new Promise<number>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const entry = parseLogLine(line)
      logs.push(entry)
      if (entry.msg === 'ready') resolve(Number(entry['port']))
    })
    child.once('exit', (code) =>
      reject(
        new Error(
          `the site ended with ${code}: ${errors.join('')}${logs.map((entry) => entry.msg).join('; ')}`,
        ),
      ),
    )
  })
  return {
    port,
    logs,
    child,
    dataDir,
    get: (path, options) => fetchFrom(port, path, options),
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGTERM')
        await ended
      }
      if (!env['DATA_DIR']) rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** Repeats a check until it passes; throws its last error after `timeoutMs`. */
export async function eventually<T>(check: () => Promise<T> | T, timeoutMs = 30_000): Promise<T> {
  const end = Date.now() + timeoutMs
  for (;;) {
    try {
      return await check()
    } catch (error) {
      if (Date.now() > end) throw error
      await new Promise((resolve) => setTimeout(resolve, 25))
    }
  }
}

/**
 * Searches and returns the answer. The site ends a search after 2 s and answers 503; on a very busy
 * machine that can happen to any search. Such a search is sent again, for at most a minute.
 */
export const requestSearch = (site: TestSite, query: string): Promise<Answer> =>
  eventually(async () => {
    const answer = await site.get(`/api/site/search?${query}`)
    if (answer.status === 503) throw new Error(`the search ${query} was ended`)
    return answer
  }, 60_000)

/** Searches with `requestSearch` and returns the result. Throws when the status is not 200. */
export async function searchSite(
  site: TestSite,
  query: string,
  locale: LocaleCode,
  more: Readonly<Record<string, string>> = {},
): Promise<SearchResult> {
  const parameters = new URLSearchParams({ q: query, lang: locale, ...more })
  const { status, body } = await requestSearch(site, String(parameters))
  if (status !== 200) throw new Error(`the search for ${query} answered ${status}: ${body}`)
  return (JSON.parse(body) as { data: SearchResult }).data
}
