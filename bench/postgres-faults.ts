/**
 * `npm run soak -- postgres-faults [seconds a phase] [pause]`: requests pages and sends votes while
 * PostgreSQL is killed, paused, replaced by a server that answers garbage, and restarted. Pages
 * must be answered with 200, votes with 200 or (during an outage) 503. Every acknowledged vote must
 * be stored, and votes must be accepted within 10 s after PostgreSQL is back. Exits with 1 when a
 * check fails.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { build } from '../scripts/prepare.mjs'
import { callApi } from '../testing/call-api'
import { needProgram } from '../testing/debian-program'
import { startPostgres } from '../testing/postgres'
import { startNonsense } from '../testing/redis'
import { startTestSite } from '../testing/site'
import { steadyLoad } from '../testing/steady-load'
import { runPhases, type Phase } from './faulty-phases'
import { root } from './servers'

const phaseMs = Number(process.argv[2] ?? 8) * 1000
const pauseMs = Number(process.argv[3] ?? 0)
const recoveryTimeoutMs = 10_000
const paths = [
  '/',
  '/pricing',
  '/download',
  '/es',
  '/th/pricing',
  '/faq',
  '/docs/profiles',
  '/blog',
]
const vote = { page: '/docs/profiles', locale: 'en', helpful: true }

async function main(): Promise<void> {
  const folder = build(root)
  const postgres = await startPostgres(needProgram('postgres'))
  const url = await postgres.makeDatabase()
  const site = await startTestSite(
    {
      DATABASE_URL: url,
      RATE_OTHER: '1000000',
      RATE_VISITOR: '1000000',
      PAGE_CACHE_TTL_MS: '500',
    },
    folder,
  )
  const pages = steadyLoad(
    site.port,
    8,
    (index) => ({ path: paths[index % paths.length] ?? '/' }),
    pauseMs,
  )
  const votes = steadyLoad(
    site.port,
    8,
    () => ({ path: '/api/site/helpful', method: 'POST', body: JSON.stringify(vote) }),
    Math.max(pauseMs, 5),
  )
  const recoveries: number[] = []
  /** Brings PostgreSQL back and measures the time until a vote is acknowledged. */
  async function recover(act: () => Promise<void>): Promise<void> {
    await act()
    const startedAt = performance.now()
    while (
      site.child.exitCode === null &&
      (await callApi(site.port, '/site/helpful', { json: vote }).catch(() => null))?.status !== 200
    )
      await sleep(50)
    recoveries.push(performance.now() - startedAt)
    probeVotes += 1
  }
  let probeVotes = 0
  let nonsense: Awaited<ReturnType<typeof startNonsense>> | null = null
  const phase = (name: string, failing: boolean, act: () => Promise<unknown>): Phase => ({
    name,
    act,
    durationMs: phaseMs,
    isOutage: failing,
  })
  const failed = await runPhases(
    [
      phase('PostgreSQL available', false, () => Promise.resolve()),
      phase('killed', true, postgres.kill),
      // Requests that began before the recovery may still be answered with 503.
      phase('restarted', true, () => recover(postgres.again)),
      phase('paused', true, () => Promise.resolve(postgres.signal('SIGSTOP'))),
      phase('resumed', true, () => recover(() => Promise.resolve(postgres.signal('SIGCONT')))),
      phase('replaced by garbage', true, async () => {
        await postgres.kill()
        nonsense = await startNonsense(postgres.port)
      }),
      phase('restarted again', true, () =>
        recover(async () => {
          await nonsense?.stop()
          await postgres.again()
        }),
      ),
      phase('after recovery', false, () => Promise.resolve()),
    ],
    [
      { name: 'pages', result: pages.result, isExpected: (status) => status === 200 },
      {
        name: 'votes',
        result: votes.result,
        isExpected: (status, { isOutage: failing }) =>
          status === 200 || (failing && status === 503),
      },
    ],
  )
  await Promise.all([pages.stop(), votes.stop()])
  const acknowledged = (votes.result.answers[200] ?? 0) + probeVotes
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const {
    rows: [row],
  } = await client.query<{ stored: number }>('select count(*)::int as stored from helpful_votes')
  await client.end()
  const stored = row?.stored ?? 0
  const hasExited = site.child.exitCode !== null
  await site.stop()
  await postgres.stop()
  console.log(
    `${acknowledged} votes acknowledged, ${stored} stored (votes whose response was lost may be stored too); accepted again after ${recoveries.map((time) => `${(time / 1000).toFixed(1)} s`).join(', ')}`,
  )
  if (
    failed > 0 ||
    hasExited ||
    stored < acknowledged ||
    Math.max(...recoveries) > recoveryTimeoutMs
  )
    process.exitCode = 1
  console.log(
    process.exitCode
      ? `FAILED: ${failed} requests${hasExited ? ', the process exited' : ''}`
      : 'ok: pages were served throughout, no acknowledged vote is lost',
  )
}

void main()
