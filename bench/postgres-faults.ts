/**
 * `npm run soak -- postgres-faults [seconds a phase] [pause]`: pages and votes under load while PostgreSQL is killed, paused, replaced by a server that answers garbage, and comes
 * back. Pages must answer 200, votes 200 or (while it fails) 503, every acknowledged vote must be stored, and votes be taken again within 10 s. Exits with 1 when not.
 */
import pg from 'pg'
import { build } from '../scripts/prepare.mjs'
import { callApi } from '../testing/call-api'
import { needProgram } from '../testing/debian-program'
import { startPostgres } from '../testing/postgres'
import { startNonsense } from '../testing/redis'
import { startTestSite } from '../testing/site'
import { steadyLoad } from '../testing/steady-load'
import { runPhases, sleep, type Phase } from './faulty-phases'
import { root } from './servers'

const lasts = Number(process.argv[2] ?? 8) * 1000
const pause = Number(process.argv[3] ?? 0)
const recoverIn = 10_000
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
      RATE_MESSAGES: '1000000',
      PAGE_CACHE_TTL_MS: '500',
    },
    folder,
  )
  const pages = steadyLoad(
    site.port,
    8,
    (index) => ({ path: paths[index % paths.length] ?? '/' }),
    pause,
  )
  const votes = steadyLoad(
    site.port,
    8,
    () => ({ path: '/api/site/helpful', method: 'POST', body: JSON.stringify(vote) }),
    Math.max(pause, 5),
  )
  const recoveries: number[] = []
  /** What it takes from the server's return to the first vote that is acknowledged. */
  async function recover(act: () => Promise<void>): Promise<void> {
    await act()
    const began = performance.now()
    while (
      site.child.exitCode === null &&
      (await callApi(site.port, '/site/helpful', { json: vote }).catch(() => null))?.status !== 200
    )
      await sleep(50)
    recoveries.push(performance.now() - began)
    asked += 1
  }
  let asked = 0
  let nonsense: Awaited<ReturnType<typeof startNonsense>> | null = null
  const phase = (name: string, failing: boolean, act: () => Promise<unknown>): Phase => ({
    name,
    act,
    lasts,
    failing,
  })
  const failed = await runPhases(
    [
      phase('PostgreSQL there', false, async () => undefined),
      phase('killed', true, postgres.kill),
      // Requests that were out when it came back may still hear of the outage.
      phase('back', true, () => recover(postgres.again)),
      phase('paused', true, async () => postgres.signal('SIGSTOP')),
      phase('goes on', true, () => recover(async () => postgres.signal('SIGCONT'))),
      phase('garbage instead', true, async () => {
        await postgres.kill()
        nonsense = await startNonsense(postgres.port)
      }),
      phase('back again', true, () =>
        recover(async () => {
          await nonsense?.stop()
          await postgres.again()
        }),
      ),
      phase('calm', false, async () => undefined),
    ],
    [
      { name: 'pages', result: pages.result, good: (status) => status === 200 },
      {
        name: 'votes',
        result: votes.result,
        good: (status, { failing }) => status === 200 || (failing && status === 503),
      },
    ],
  )
  await Promise.all([pages.stop(), votes.stop()])
  const acknowledged = (votes.result.answers[200] ?? 0) + asked
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const {
    rows: [row],
  } = await client.query<{ stored: number }>('select count(*)::int as stored from helpful_votes')
  await client.end()
  const stored = row?.stored ?? 0
  const fell = site.child.exitCode !== null
  await site.stop()
  await postgres.stop()
  console.log(
    `${acknowledged} votes acknowledged, ${stored} stored (a vote whose answer was lost may be); taken again after ${recoveries.map((time) => `${(time / 1000).toFixed(1)} s`).join(', ')}`,
  )
  if (failed > 0 || fell || stored < acknowledged || Math.max(...recoveries) > recoverIn)
    process.exitCode = 1
  console.log(
    process.exitCode
      ? `FAILED: ${failed} requests${fell ? ', the process fell' : ''}`
      : 'ok: pages went on, nothing acknowledged is lost',
  )
}

void main()
