/**
 * Measures the latency and CPU time of searches over HTTP, and their effect on cached pages. The
 * site holds its content and generated articles in English and Chinese. Searches run one after the
 * other, first alone, then with concurrent requests for a cached page. `--articles 10000` is the
 * number in each of the two languages. On a shared machine compare the CPU time: it varies less
 * than the latency.
 */
import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { buildId } from '../scripts/build-id.mjs'
import { nodeOptions } from '../scripts/node-options.cjs'
import { contentFile } from '../server/content/data-files'
import { createDataFolder, keptFolder } from './article-set'
import { insertArticles } from './search-articles'

const { values } = parseArgs({
  options: {
    articles: { type: 'string', default: '10000' },
    searches: { type: 'string', default: '600' },
  },
})
const root = resolve(__dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'bench-search-'))
const build = join(root, 'dist', buildId(root))

/** Common and rare words, prefixes, typos, several words, and words within Chinese text. */
const queries: ReadonlyArray<{ lang: string; words: (index: number) => string }> = [
  { lang: 'en', words: () => 'profile' },
  { lang: 'en', words: () => 'pr' },
  { lang: 'en', words: (index) => `${1 + ((index * 7919) % 10000)}` },
  { lang: 'en', words: () => 'proxy checks one address' },
  { lang: 'en', words: () => 'colleage' },
  { lang: 'en', words: () => 'how does the schedule follow two roles on every computer' },
  { lang: 'en', words: () => 'pricing' },
  {
    lang: 'en',
    words: (index) =>
      ['storage', 'windows', 'activity log', 'time zone', 'start page'][index % 5] ?? '',
  },
  { lang: 'zh', words: () => '代理' },
  { lang: 'zh', words: () => '保存自己的存储' },
  { lang: 'zh', words: () => '志' },
  {
    lang: 'zh',
    words: (index) => ['文件夹检查', '第二个窗口', '按相同顺序', '操作日志'][index % 4] ?? '',
  },
  { lang: 'th', words: () => 'proxy' },
]

/**
 * Starts the site. With `warm` it waits until the entry pages are rendered, so that this is not
 * measured.
 */
function startSite(data: string, warm: boolean): Promise<{ child: ChildProcess; port: number }> {
  const child = spawn(process.execPath, [...nodeOptions, join(build, 'server', 'main.js')], {
    cwd: root,
    env: {
      PATH: process.env['PATH'] ?? '',
      PORT: '0',
      HOST: '127.0.0.1',
      DATA_DIR: data,
      RATE_SEARCH: '0',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return new Promise((done, fail) => {
    child.once('exit', (code) => fail(new Error(`the site ended with ${code}`)))
    let listening = 0
    createInterface({ input: child.stdout ?? process.stdin }).on('line', (line) => {
      const { msg, port } = JSON.parse(line) as { msg: string; port?: number }
      if (msg === 'ready' && port) listening = port
      if (msg === (warm ? 'pages warmed' : 'ready')) done({ child, port: listening })
    })
  })
}

/**
 * Returns a data folder with the site's content and the generated articles. It is kept, because
 * inserting 200,000 takes a quarter of an hour.
 */
async function articleData(count: number): Promise<string> {
  const { folder: data } = await keptFolder(`search-${count}`, async (created) => {
    await stop((await startSite(created, false)).child)
    insertArticles(created, count, ['en', 'zh'])
  })
  return data
}

function stop(child: ChildProcess): Promise<void> {
  child.removeAllListeners('exit')
  const ended = new Promise<void>((done) => child.once('exit', () => done()))
  child.kill('SIGTERM')
  return ended
}

const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK']).toString())
/** CPU time of a process with all its threads (ms). */
function cpuTimeMs({ pid }: ChildProcess): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerSecond
}

const agent = new Agent({ keepAlive: true })
/** Time of one request from its start to the last byte. */
function timed(port: number, path: string): Promise<{ ms: number; status: number }> {
  const started = performance.now()
  return new Promise((done, fail) => {
    request(
      { host: '127.0.0.1', port, path, agent, headers: { host: `localhost:${port}` } },
      (answer) => {
        answer
          .resume()
          .on('end', () =>
            done({ ms: performance.now() - started, status: answer.statusCode ?? 0 }),
          )
      },
    )
      .on('error', fail)
      .end()
  })
}

const shares = (times: readonly number[]): string => {
  const sorted = [...times].sort((a, b) => a - b)
  return [0.5, 0.95, 0.99]
    .map(
      (share) =>
        `p${share * 100} ${(sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(1)} ms`,
    )
    .join(', ')
}

/** Sends `count` searches. `from` must increase between calls, because results are cached. */
async function runSearches(
  port: number,
  count: number,
  from: number,
): Promise<{ times: number[]; refused: number }> {
  const times: number[] = []
  let refused = 0
  for (let index = from; index < from + count; index += 1) {
    const query = queries[index % queries.length]
    // A different `limit` makes each search a new one, so that no cached result is measured.
    const { ms, status } = await timed(
      port,
      `/api/site/search?${new URLSearchParams({ q: query?.words(index) ?? '', lang: query?.lang ?? 'en', limit: String(10 + (Math.floor(index / queries.length) % 90)) })}`,
    )
    if (status === 200) times.push(ms)
    else refused += 1
  }
  return { times, refused }
}

async function requestPagesUntil(port: number, done: () => boolean): Promise<number[]> {
  const times: number[] = []
  while (!done()) times.push((await timed(port, '/pricing')).ms)
  return times
}

async function main(): Promise<void> {
  if (!existsSync(build)) spawnSync('npm', ['run', '-s', 'build'], { cwd: root, stdio: 'inherit' })
  const articles = Number(values.articles)
  const searches = Number(values.searches)
  const data = createDataFolder(await articleData(articles), join(folder, 'data'))
  const megabytes = (statSync(contentFile(data)).size / 1e6).toFixed(0)
  const { child, port } = await startSite(data, true)
  const machine = `${cpus()[0]?.model ?? 'unknown processor'}, load ${loadavg()[0]?.toFixed(1)}`
  const size = `${articles.toLocaleString('en')} articles in each of two languages`
  console.log(`search, ${size} (${megabytes} MB), Node ${process.version}, ${machine}`)
  await timed(port, '/pricing')
  await runSearches(port, queries.length * 2, 0)
  const alone = await requestPagesUntil(
    port,
    (
      (end) => () =>
        Date.now() > end
    )(Date.now() + 3000),
  )
  console.log(`cached page alone:          ${shares(alone)}`)
  const before = cpuTimeMs(child)
  const idle = await runSearches(port, searches, queries.length * 2)
  const used = (cpuTimeMs(child) - before) / searches
  console.log(
    `search over HTTP:           ${shares(idle.times)}; refused ${idle.refused}; CPU time of the site ${used.toFixed(1)} ms a search`,
  )
  for (const [index, { lang, words }] of queries.entries())
    console.log(
      `  ${lang} ${words(index)}: ${shares(idle.times.filter((_, number) => number % queries.length === index))}`,
    )
  let busy = true
  const pagesDuringSearch = requestPagesUntil(port, () => !busy)
  const loaded = await runSearches(port, searches, queries.length * 2 + searches)
  busy = false
  console.log(`search with page load:     ${shares(loaded.times)}; refused ${loaded.refused}`)
  console.log(`cached page with searches:  ${shares(await pagesDuringSearch)}`)
  agent.destroy()
  await stop(child)
  rmSync(folder, { recursive: true, force: true })
}

void main()
