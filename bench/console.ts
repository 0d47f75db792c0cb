/**
 * `npm run bench -- console [--store postgres] [--events 10000000] [--articles 0] [--recount]`: the
 * calls of the console's views with a month of many events in the store, as the console sends them:
 * each view's first call, and those with the largest filters. Then the latency of a cached page
 * without and while an operator opens view after view. `--articles` adds generated articles in two
 * languages; `--recount` measures the counting of the events again.
 */
import { fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { explainAddress, listAddresses, proposeRedirect } from '../shared/console/addresses'
import { listMessages } from '../shared/console/messages'
import { readOverview } from '../shared/console/overview'
import { listPages, readPageDetails } from '../shared/console/pages'
import { exportPerson, findPerson, readRetention } from '../shared/console/privacy'
import { dayMs } from '../shared/constants'
import { listSearches } from '../shared/console/search'
import { readSystem } from '../shared/console/system'
import { listTranslations } from '../shared/console/translations'
import { utcDay } from '../shared/utc-day'
import { askConsole, signInToConsole } from '../testing/console'
import { steadyLoad } from '../testing/steady-load'
import { articleSet, createDataFolder } from './article-set'
import { postgresSet } from './console-postgres'
import { consoleSet, type ConsoleSet } from './console-set'
import { loadCore } from './load'
import { atMost, median, report, spread, type Row } from './report'
import { allCores, startSite, untilWarmed } from './servers'

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '10000000' },
    articles: { type: 'string', default: '0' },
    recount: { type: 'boolean', default: false },
    store: { type: 'string', default: 'sqlite' },
    only: { type: 'string' },
  },
})
const rounds = 10
/** An overview with the same filter is made at most once in 15 s. */
const roundMs = 15_500
const targetMs = 500
const dayBefore = (days: number): string => utcDay(Date.now() - days * dayMs)

type Call = {
  view: string
  what: string
  call: { method: 'GET' | 'POST'; path: string }
  input?: Readonly<Record<string, string>>
}
const callsOf = (port: number, { device }: ConsoleSet): Call[] => {
  const today = dayBefore(0)
  const url = `http://localhost:${port}/pricing`
  const address = { host: 'en', path: '/docs/quick-starts' }
  const person = (subject: string) => ({ subject })
  return [
    { view: 'Overview', what: '30 days', call: readOverview },
    ...[
      { what: '366 days', input: { from: dayBefore(365), to: today } },
      { what: '3 days, by hour', input: { from: dayBefore(2), to: today } },
      { what: 'language and country', input: { locale: 'zh', country: 'US' } },
    ].map((part) => ({ view: 'Overview', call: readOverview, ...part })),
    { view: 'Pages', what: 'first rows', call: listPages },
    { view: 'Pages', what: 'no such id', call: listPages, input: { search: 'no-such-page' } },
    { view: 'Pages', what: 'outdated', call: listPages, input: { state: 'outdated' } },
    { view: 'Pages', what: 'details', call: readPageDetails, input: { url } },
    {
      view: 'Translations',
      what: 'Chinese',
      call: listTranslations,
      input: { locale: 'zh' },
    },
    { view: 'Translations', what: 'Thai', call: listTranslations, input: { locale: 'th' } },
    { view: 'Addresses', what: 'both tables', call: listAddresses },
    { view: 'Addresses', what: 'proposal', call: proposeRedirect, input: address },
    { view: 'Addresses', what: 'laboratory', call: explainAddress, input: { url } },
    {
      view: 'Search',
      what: '30 days',
      call: listSearches,
      input: { from: dayBefore(30), to: today },
    },
    {
      view: 'Search',
      what: '365 days',
      call: listSearches,
      input: { from: dayBefore(365), to: today },
    },
    { view: 'Messages', what: 'newest', call: listMessages },
    {
      view: 'Messages',
      what: 'closed, older',
      call: listMessages,
      input: { state: 'closed', before: '5000' },
    },
    { view: 'Privacy', what: 'retention', call: readRetention },
    { view: 'Privacy', what: 'find a busy device', call: findPerson, input: person(device) },
    { view: 'Privacy', what: 'export it', call: exportPerson, input: person(device) },
    {
      view: 'Privacy',
      what: 'find an email address',
      call: findPerson,
      input: person('visitor77@example.org'),
    },
    { view: 'System', what: 'state', call: readSystem },
  ]
}

/** Sends a call as the console does. Returns its time (ms). */
async function ask(
  port: number,
  cookie: string,
  { view, what, call, input = {} }: Call,
): Promise<number> {
  const isRead = call.method === 'GET'
  const query = new URLSearchParams(input).toString()
  const startedAt = performance.now()
  const { status, body } = await askConsole(
    port,
    `/api${call.path}${isRead && query ? `?${query}` : ''}`,
    {
      headers: { cookie, origin: `http://localhost:${port}` },
      ...(isRead ? {} : { json: input }),
    },
  )
  if (status !== 200) throw new Error(`${view}, ${what}: ${status} ${body.slice(0, 200)}`)
  return performance.now() - startedAt
}

const p99 = (times: readonly number[]): number =>
  [...times].sort((a, b) => a - b)[Math.ceil(times.length * 0.99) - 1] ?? 0

/** Runs in the process that `measurePages` starts: 32 visitors who ask for a cached page. */
async function sendVisitors(port: number, milliseconds: number): Promise<void> {
  const accept = { 'accept-encoding': 'br' }
  const { stop } = steadyLoad(port, 32, () => ({ path: '/', headers: accept }), 40)
  await sleep(milliseconds)
  const { times, answers, lost } = await stop()
  process.send?.({ p99: p99(times), perSecond: times.length / (milliseconds / 1000) })
  const isClean = Object.keys(lost).length === 0 && Object.keys(answers).join() === '200'
  process.exit(isClean ? 0 : 1)
}
type PageLoad = { p99: number; perSecond: number }
const loadSeconds = 10
function measurePages(port: number): Promise<PageLoad> {
  const child = fork(__filename, [], {
    execPath: 'taskset',
    execArgv: ['-c', String(loadCore), process.execPath, ...process.execArgv],
    env: { ...process.env, VISITORS: JSON.stringify([port, loadSeconds * 1000]) },
  })
  return new Promise((done, fail) => {
    let result: PageLoad | null = null
    child.on('message', (message: PageLoad) => (result = message))
    child.on('exit', (code) =>
      code === 0 && result ? done(result) : fail(new Error('requests of the cached page failed')),
    )
  })
}

/** p99 of the cached page by turns without and with an operator who opens view after view. */
async function measureVisitors(port: number, cookie: string, calls: readonly Call[]) {
  const [before, during, ratios]: [number[], number[], number[]] = [[], [], []]
  const busyTimes = new Map<Call, number[]>()
  let perSecond = 0
  for (let round = 0; round < 3; round += 1) {
    const calm = await measurePages(port)
    let isBusy = true
    const busy = measurePages(port).finally(() => (isBusy = false))
    while (isBusy)
      for (const call of calls)
        if (isBusy)
          busyTimes.set(call, [...(busyTimes.get(call) ?? []), await ask(port, cookie, call)])
    const loaded = await busy
    before.push(calm.p99)
    during.push(loaded.p99)
    ratios.push(loaded.p99 / calm.p99)
    perSecond = calm.perSecond
  }
  return { before, during, ratios, busyTimes, perSecond }
}

async function main(): Promise<void> {
  const makeSet = values.store === 'postgres' ? postgresSet : consoleSet
  const set = await makeSet(Number(values.events), values.recount)
  await measure(set).finally(set.stop)
}

async function measure(set: ConsoleSet): Promise<void> {
  const articles = Number(values.articles)
  const folder = mkdtempSync(join(tmpdir(), 'site-bench-'))
  const content = articles > 0 ? await articleSet(articles, ['en', 'zh']) : null
  if (content) createDataFolder(content.data, folder)
  const site = await startSite(
    {
      DATA_DIR: folder,
      DATABASE_URL: set.url,
      LOG_LEVEL: 'warn',
      ...(content ? { CONTENT_DIR: content.content } : {}),
    },
    [],
    allCores,
  )
  const { port } = site
  try {
    await untilWarmed(site, 60_000)
    const cookie = await signInToConsole(port, 'Bench')
    const calls = callsOf(port, set).filter(
      ({ view }) => values.only === undefined || values.only.split(',').includes(view),
    )
    const times = new Map(calls.map((call): [Call, number[]] => [call, []]))
    for (let round = 0; round < rounds; round += 1) {
      const startedAt = performance.now()
      for (const [call, list] of times) list.push(await ask(port, cookie, call))
      if (round < rounds - 1) await sleep(Math.max(0, roundMs - (performance.now() - startedAt)))
    }
    const visitors = await measureVisitors(port, cookie, calls)
    const rows = calls.map((call): Row => {
      const list = times.get(call) ?? []
      return {
        view: call.view,
        call: call.what,
        'median, ms': median(list).toFixed(0),
        'worst of 10, ms': Math.max(...list).toFixed(0),
        'worst beside visitors, ms': Math.max(...(visitors.busyTimes.get(call) ?? [0])).toFixed(0),
      }
    })
    const slowest = Math.max(...[...times.values()].map(median))
    const count = set.events.toLocaleString('en')
    const isPostgres = set.url.startsWith('postgres:')
    report(
      isPostgres ? 'console-postgres' : 'console',
      rows,
      [
        `${isPostgres ? 'PostgreSQL' : 'SQLite'}: ${count} events of 30 days, ${(set.bytes / 1e9).toFixed(1)} GB; ${articles > 0 ? `${articles.toLocaleString('en')} generated articles in each of two languages` : 'the starter content'}`,
        set.countSeconds === null
          ? 'the counts are a copy; `--recount` measures how long the site takes for them'
          : `counted by the running site in ${set.countSeconds.toFixed(0)} s: ${Math.round(set.events / set.countSeconds).toLocaleString('en')} events a second`,
        `p99 of the cached home page at ${visitors.perSecond.toFixed(0)} requests a second: ${spread(visitors.before, 2)} ms before, ${spread(visitors.during, 2)} ms while an operator opens view after view without a pause; ratio ${spread(visitors.ratios, 2)}`,
      ],
      [
        atMost(
          `slowest view of the console with ${count} events in ${isPostgres ? 'PostgreSQL' : 'SQLite'}, median`,
          targetMs,
          'ms',
          slowest,
        ),
      ],
    )
  } finally {
    await site.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

const visitors = process.env['VISITORS']
const run =
  visitors === undefined
    ? main()
    : sendVisitors(...(JSON.parse(visitors) as Parameters<typeof sendVisitors>))
run.catch((error: unknown) => {
  console.error(error)
  process.exitCode = 1
})
