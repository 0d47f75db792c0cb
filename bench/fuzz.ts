/**
 * `npm run bench -- fuzz [--requests 200000] [--seed 1]`: sends raw requests, valid and damaged,
 * over many connections to three set-ups in turn: the site alone, the site behind nginx with
 * `deploy/nginx.conf`, and the site in front of a backend (`API_UPSTREAM`). Exits with 1 when a
 * process ends, an answer has status 500 or above, an answer is malformed, missing or sent to
 * another request, a connection is left open, or the backend finds a request that the site did not
 * send. A seed repeats the requests.
 */
import { rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import { parseArgs } from 'node:util'
import { needProgram } from '../testing/debian-program'
import { startNginx } from '../testing/nginx'
import { temporaryFolder } from '../testing/release-with-tests'
import { fetchFrom, operator, seedContent } from '../testing/site'
import { exchange, type FuzzAnswer } from './fuzz-exchange'
import { createSequence, validRequests, type Sequence } from './fuzz-requests'
import { startFuzzUpstream } from './fuzz-upstream'
import { residentMiB } from './load'
import { startSoakSite, type SoakSite } from './soak-site'

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '200000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    only: { type: 'string', default: 'site,nginx,upstream' },
  },
})
const seed = Number(values.seed)
const connections = 48
const maxShown = 10
/** Pages whose bodies must be the same before and after. */
const sentinels = ['/', '/pricing', '/es', '/blog', '/docs/profiles', '/_payload.json']
const noLimits = Object.fromEntries(
  ['SIGNIN', 'EVENTS', 'MESSAGES', 'VISITOR', 'SEARCH', 'MISS', 'OTHER'].map((name) => [
    `RATE_${name}`,
    '0',
  ]),
)

type SetUp = {
  name: string
  site: SoakSite
  connect: () => Socket
  hosts: readonly string[]
  /** Problems that are found at the end. */
  check: () => Promise<string[]>
  stop: () => Promise<void>
}

async function startSite(env: Record<string, string>): Promise<[SoakSite, () => Promise<void>]> {
  const dataDir = seedContent(temporaryFolder('fuzz'))
  const site = await startSoakSite(dataDir, { env: { ...noLimits, ...env } })
  return [
    site,
    async () => {
      await site.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  ]
}

const anyHost = ['localhost', 'zh.localhost', 'ru.localhost', 'LOCALHOST', '127.0.0.1', 'x.test']

async function siteAlone(): Promise<SetUp> {
  const [site, stop] = await startSite({})
  return {
    name: 'site',
    site,
    connect: () => connect(site.port, '127.0.0.1'),
    hosts: anyHost,
    check: () => Promise.resolve([]),
    stop,
  }
}

async function behindNginx(): Promise<SetUp> {
  const [site, stopSite] = await startSite({ TRUST_PROXY: '1' })
  const nginx = await startNginx(needProgram('nginx'), [site.port])
  let count = 0
  return {
    name: 'nginx',
    site,
    // One connection in ten is not encrypted: nginx redirects it.
    connect: () => {
      count += 1
      if (count % 10 === 0) return connect(nginx.plainPort, '127.0.0.1')
      return connectTls({
        port: nginx.port,
        host: '127.0.0.1',
        servername: 'localhost',
        rejectUnauthorized: false,
      })
    },
    hosts: ['localhost', 'zh.localhost', 'ru.localhost', 'LOCALHOST'],
    check: async () => {
      const { status } = await nginx.ask('/pricing').catch(() => ({ status: 0 }))
      return status === 200 ? [] : [`nginx answers ${status} at the end`]
    },
    async stop() {
      await nginx.stop()
      await stopSite()
    },
  }
}

/** The attempts to forward a request that the site counted. */
async function attemptsOf({ port }: SoakSite): Promise<number> {
  const { body } = await fetchFrom(port, '/_ops/metrics', { headers: operator })
  return [...body.matchAll(/^site_upstream_duration_seconds_count\{[^}]*\} (\d+)$/gm)].reduce(
    (sum, [, count]) => sum + Number(count),
    0,
  )
}

async function beforeUpstream(): Promise<SetUp> {
  const upstream = await startFuzzUpstream()
  const [site, stopSite] = await startSite({ API_UPSTREAM: upstream.address })
  return {
    name: 'upstream',
    site,
    connect: () => connect(site.port, '127.0.0.1'),
    hosts: anyHost,
    check: async () => {
      const attempts = await attemptsOf(site)
      console.log(`  backend: ${upstream.requests()} requests found, ${attempts} sent by the site`)
      return [
        ...upstream.violations,
        ...(upstream.requests() > attempts
          ? ['the backend found more requests than were sent']
          : []),
        ...(upstream.requests() === 0 ? ['nothing was forwarded'] : []),
      ]
    },
    async stop() {
      await stopSite()
      await upstream.stop()
    },
  }
}

/** Targets with hashes, as pages name them. */
async function findTargets(port: number): Promise<string[]> {
  const page = (await fetchFrom(port, '/pricing')).body
  const payload = (await fetchFrom(port, '/download/_payload.json')).body
  const named = [/\/assets\/main[^" ]+\.js/, /\/assets\/main[^" ]+\.css/, /\/_og\/[^"]+\.png/]
    .map((pattern) => pattern.exec(page)?.[0])
    .concat(/\/__nuxt_island\/[^"]+/.exec(payload)?.[0])
  return named.filter((target) => target !== undefined)
}

/** Answers that nginx makes itself carry no id of a request. */
const kindOf = ({ status, headers }: FuzzAnswer): string =>
  headers.get('server')?.startsWith('nginx') && !headers.has('x-request-id')
    ? `${status} of nginx`
    : String(status)
/** What nginx itself answers to malformed requests. */
const allowedOfNginx = ['501 of nginx', '503 of nginx', '505 of nginx']

const show = ({ packets }: Sequence): string =>
  JSON.stringify(Buffer.concat(packets).toString('latin1').slice(0, 1500))

/** Sends `requests` requests. Resolves to what went wrong. */
async function run(setUp: SetUp, requests: number): Promise<string[]> {
  const { site } = setUp
  const found = await findTargets(site.port)
  const corpus = { valid: validRequests(found, operator), hosts: setUp.hosts }
  const bodiesOf = (): Promise<string[]> =>
    Promise.all(sentinels.map(async (path) => (await fetchFrom(site.port, path)).body))
  // Pages that must be made first are slow on a busy machine.
  for (const { target } of corpus.valid) await fetchFrom(site.port, target)
  const before = await bodiesOf()
  const counts = new Map<string, number>()
  const problems: string[] = []
  let [next, sent, unanswered, hasEnded] = [0, 0, 0, false]
  void site.ended.then(() => (hasEnded = true))
  const startedAt = performance.now()
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (sent < requests && !hasEnded) {
        const index = (next += 1)
        const sequence = createSequence(corpus, seed, index)
        sent += sequence.requests
        const { answers, problem } = await exchange(setUp.connect, sequence, setUp.name === 'nginx')
        if (answers.length === 0) unanswered += 1
        for (const answer of answers)
          counts.set(kindOf(answer), (counts.get(kindOf(answer)) ?? 0) + 1)
        const failed = answers.find(
          (answer) => answer.status >= 500 && !allowedOfNginx.includes(kindOf(answer)),
        )
        const what = failed ? `an answer has status ${kindOf(failed)}` : problem
        if (what) problems.push(`connection ${index}: ${what}\n    ${show(sequence)}`)
      }
    }),
  )
  const seconds = (performance.now() - startedAt) / 1000
  const statuses = [...counts].sort(([a], [b]) => a.localeCompare(b))
  console.log(
    `${setUp.name}: ${sent.toLocaleString('en')} requests on ${next.toLocaleString('en')} connections in ${seconds.toFixed(0)} s; memory ${hasEnded ? 0 : residentMiB(site.pid).toFixed(0)} MiB`,
  )
  for (const [status, count] of statuses) console.log(`  ${status}: ${count}`)
  console.log(`  connections without an answer: ${unanswered}`)
  if (hasEnded) return [...problems, `the site has ended:\n${site.logTail().slice(-2000)}`]
  // What the site counts is published a little later.
  await sleep(1500)
  const after = await bodiesOf()
  return [
    ...problems,
    ...sentinels
      .filter((_, index) => before[index] !== after[index])
      .map((path) => `${path} is another page now`),
    ...site.errorLines.slice(0, maxShown).map((line) => `logged: ${line.slice(0, 500)}`),
    ...(await setUp.check()),
  ]
}

async function main(): Promise<void> {
  const setUps = Object.entries({ site: siteAlone, nginx: behindNginx, upstream: beforeUpstream })
  const chosen = setUps.filter(([name]) => values.only.split(',').includes(name))
  console.log(`seed ${seed}, ${values.requests} requests`)
  let failed = 0
  for (const [, start] of chosen) {
    const setUp = await start()
    try {
      const problems = await run(setUp, Math.ceil(Number(values.requests) / chosen.length))
      failed += problems.length
      for (const problem of problems.slice(0, maxShown)) console.log(`  PROBLEM ${problem}`)
      if (problems.length > maxShown) console.log(`  and ${problems.length - maxShown} more`)
    } finally {
      await setUp.stop()
    }
  }
  console.log(failed === 0 ? 'ok' : `FAILED: ${failed} problems with seed ${seed}`)
  if (failed > 0) process.exitCode = 1
}

void main()
