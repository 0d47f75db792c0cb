/**
 * `npm run soak -- three-machines [seconds a phase]`: three sites, as on three machines, with one
 * Redis and one PostgreSQL, behind nginx with `deploy/nginx.conf`. One of them is replaced, another
 * is killed and started again, while visitors read pages, send events and sign in.
 *
 * Pages never fail. A purge reaches every site. Each acknowledged event is stored once, and each
 * acknowledged sign-in can be redeemed. Only calls that a killed site was answering may fail, as
 * nginx does not repeat them. Exits with 1 otherwise.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { build } from '../scripts/prepare.mjs'
import { nonceOf, signInForm } from '../testing/call-api'
import { needProgram } from '../testing/debian-program'
import { startIdentityProvider, type IdentityProvider } from '../testing/identity-provider'
import { startNginx, type NginxAnswer, type TestNginx } from '../testing/nginx'
import { startPostgres } from '../testing/postgres'
import { startRedis } from '../testing/redis'
import { eventually, operator, opsToken, startTestSite, type TestSite } from '../testing/site'
import { sealBatches } from './event-batches'
import { root } from './servers'

const phaseMs = Number(process.argv[2] ?? 15) * 1000
const pages = ['/', '/pricing', '/download', '/faq', '/docs/profiles', '/th/faq', '/es/pricing']
/** Pages that only the check of purges requests, one for each site. */
const purgedPages = ['/privacy', '/terms', '/contact']
const visitors = { pages: 6, events: 3, signIns: 1 }

type Work = 'pages' | 'events' | 'signIns'
/**
 * What the answers of a phase were. `refused`: a site that was starting or ending answered 503 and
 * stored nothing, so the client has to repeat the call (nginx repeats only reads). `failures`: all
 * other answers that were not as expected, by status or error code.
 */
type Counts = Record<Work, number> & {
  hits: number
  refused: number
  failures: Record<string, number>
}
const newCounts = (): Counts => ({
  pages: 0,
  events: 0,
  signIns: 0,
  hits: 0,
  refused: 0,
  failures: {},
})

type Setting = { sites: TestSite[]; nginx: TestNginx; provider: IdentityProvider }
const acknowledgedEvents = new Set<string>()
let counts = newCounts()

/** Counts an answer that was not what a visitor wanted. `reason`: its status or an error code. */
function countFailure(work: Work, reason: string): void {
  if (work !== 'pages' && reason === '503') {
    counts.refused += 1
    return
  }
  const name = `${work} ${reason}`
  counts.failures[name] = (counts.failures[name] ?? 0) + 1
}

/** Any site that runs, for what visitors do before: asking for keys and nonces. */
const anySite = ({ sites }: Setting): TestSite => {
  const site = sites.find(({ child }) => child.exitCode === null && child.signalCode === null)
  if (!site) throw new Error('no site runs')
  return site
}

let requests = 0
async function readPage({ nginx }: Setting): Promise<void> {
  requests += 1
  // nginx caches each of these addresses separately, the site all of them as one page.
  const answer = await nginx.ask(`${pages[requests % pages.length] ?? '/'}?n=${requests}`)
  counts.pages += 1
  if (answer.status !== 200) countFailure('pages', String(answer.status))
  if (/hit|shared/.test(String(answer.headers['cache-status']))) counts.hits += 1
}

async function sendEvents(setting: Setting): Promise<void> {
  const [batch] = await sealBatches(anySite(setting).port, 1)
  if (!batch) return
  const answer = await setting.nginx.ask('/api/sys/config/event', { form: batch.body })
  if (answer.status !== 200) return countFailure('events', String(answer.status))
  counts.events += 1
  for (const id of batch.ids) acknowledgedEvents.add(id)
}

const dataOf = ({ body }: NginxAnswer): Record<string, unknown> =>
  (JSON.parse(body) as { data: Record<string, unknown> }).data

async function signIn(setting: Setting): Promise<void> {
  const { nginx, provider } = setting
  const site = anySite(setting)
  const form = await signInForm(site.port, await provider.token(await nonceOf(site.port)))
  const answer = await nginx.ask('/api/sys/user/passport/authorized-login', {
    form: new URLSearchParams(form).toString(),
  })
  if (answer.status !== 200) return countFailure('signIns', String(answer.status))
  const token = dataOf(answer)['cpl']
  const redeemed = await nginx.ask('/api/sys/user/passport/redeem', { json: { token } })
  if (redeemed.status === 200) counts.signIns += 1
  else countFailure('signIns', String(redeemed.status))
}

/** Starts visitors that work until the returned function is called. */
function startVisitors(setting: Setting): () => Promise<void> {
  let isStopped = false
  const repeat = async (work: Work, once: (setting: Setting) => Promise<void>): Promise<void> => {
    while (!isStopped)
      await once(setting).catch((error: unknown) =>
        countFailure(work, (error as NodeJS.ErrnoException).code ?? String(error)),
      )
  }
  const start = (work: Work, once: (setting: Setting) => Promise<void>): Promise<void>[] =>
    Array.from({ length: visitors[work] }, () => repeat(work, once))
  const running = [
    ...start('pages', readPage),
    ...start('events', sendEvents),
    ...start('signIns', signIn),
  ]
  return async () => {
    isStopped = true
    await Promise.all(running)
  }
}

const cacheStatus = async (site: TestSite, path: string): Promise<string> =>
  String((await site.get(path)).headers['cache-status'])

/** Purges a page at the first site; returns after how many ms the slowest site has made it anew. */
async function purgeEverywhere({ sites }: Setting): Promise<number> {
  const pageOf = (index: number): string => purgedPages[index] ?? '/'
  await eventually(async () => {
    const all = await Promise.all(sites.map((site, index) => cacheStatus(site, pageOf(index))))
    if (!all.every((status) => status.includes('hit'))) throw new Error(`no hits: ${all.join()}`)
  })
  const began = performance.now()
  const [first] = sites
  await fetch(`http://127.0.0.1:${first?.port}/_ops/cache/purge`, {
    method: 'POST',
    headers: { ...operator, 'content-type': 'application/json' },
    body: JSON.stringify({ paths: purgedPages }),
  })
  await Promise.all(
    sites.map((site, index) =>
      eventually(async () => {
        const status = await cacheStatus(site, pageOf(index))
        if (!status.includes('fwd=miss')) throw new Error(`not purged: ${status}`)
      }),
    ),
  )
  return performance.now() - began
}

/** Runs a phase and prints its line; returns the number of its failures. */
async function runPhase(
  setting: Setting,
  name: string,
  act: () => Promise<unknown>,
): Promise<number> {
  counts = newCounts()
  const began = performance.now()
  await act()
  const purgeMs = await purgeEverywhere(setting)
  await sleep(Math.max(0, phaseMs - (performance.now() - began)))
  const { pages: read, events, signIns, hits, refused, failures } = counts
  console.log(
    `${name}: ${read} pages, ${((hits / Math.max(read, 1)) * 100).toFixed(1)} % hits; ` +
      `${events} event batches; ${signIns} sign-ins; ${refused} refused; a purge everywhere after ` +
      `${purgeMs.toFixed(0)} ms; failures ${JSON.stringify(failures)}`,
  )
  return Object.values(failures).reduce((sum, count) => sum + count, 0)
}

/** Ends a site with a signal and starts another on its port. */
async function replaceSite(
  { sites }: Setting,
  index: number,
  signal: NodeJS.Signals,
  start: (port: number) => Promise<TestSite>,
): Promise<void> {
  const old = sites[index]
  if (!old) throw new Error(`there is no site ${index}`)
  const ended = new Promise((resolve) => old.child.once('exit', resolve))
  old.child.kill(signal)
  await ended
  sites[index] = await start(old.port)
}

async function countStored(database: string): Promise<{ lost: number; twice: number }> {
  const client = new pg.Client({ connectionString: database })
  await client.connect()
  const { rows } = await client.query<{ id: string }>('SELECT id FROM events')
  await client.end()
  const stored = new Set(rows.map(({ id }) => id))
  return {
    lost: [...acknowledgedEvents].filter((id) => !stored.has(id)).length,
    twice: rows.length - stored.size,
  }
}

async function main(): Promise<void> {
  const folder = build(root)
  const [provider, redis, postgres] = await Promise.all([
    startIdentityProvider(),
    startRedis(needProgram('redis')),
    startPostgres(needProgram('postgres')),
  ])
  const database = await postgres.makeDatabase()
  const settings = {
    ...provider.settings,
    REDIS_URL: redis.url,
    DATABASE_URL: database,
    OPS_TOKEN: opsToken,
    RATE_SIGNIN: '0',
    RATE_EVENTS: '0',
    RATE_OTHER: '0',
    TRUST_PROXY: '1',
    SITE_URL_EN: 'https://localhost',
    SITE_URL_ZH: 'https://zh.localhost',
    SITE_URL_RU: 'https://ru.localhost',
  }
  const start = (port: number): Promise<TestSite> =>
    startTestSite({ ...settings, PORT: String(port) }, folder)
  const sites = await Promise.all([start(0), start(0), start(0)])
  const nginx = await startNginx(
    needProgram('nginx'),
    sites.map(({ port }) => port),
  )
  const setting: Setting = { sites, nginx, provider }
  await eventually(() => nginx.ask('/healthz'))
  const stopVisitors = startVisitors(setting)
  const replace = (index: number, signal: NodeJS.Signals) => (): Promise<void> =>
    replaceSite(setting, index, signal, start)
  const pause = (): Promise<void> => Promise.resolve()
  const failed = [
    await runPhase(setting, 'three sites', pause),
    await runPhase(setting, 'one replaced', replace(1, 'SIGTERM')),
    await runPhase(setting, 'three sites again', pause),
  ].reduce((sum, count) => sum + count, 0)
  await runPhase(setting, 'one killed, then replaced', replace(2, 'SIGKILL'))
  const failedByKill = Object.keys(counts.failures).filter((name) => name.startsWith('pages'))
  await stopVisitors()
  const { lost, twice } = await countStored(database)
  console.log(`${acknowledgedEvents.size} events acknowledged, ${lost} lost, ${twice} twice`)
  await nginx.stop()
  await Promise.all(sites.map((site) => site.stop()))
  await Promise.all([provider.stop(), redis.stop(), postgres.stop()])
  const isGood = failed === 0 && failedByKill.length === 0 && lost === 0 && twice === 0
  console.log(isGood ? 'ok: everything held' : 'FAILED')
  process.exitCode = isGood ? 0 : 1
}

void main()
