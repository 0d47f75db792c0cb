/** Pages, calls and acknowledged writes while the database server is unreachable, hangs or dies. */
import { expect, it } from '@jest/globals'
import pg from 'pg'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '../../../server/db/database'
import { migrationNames } from '../../../server/db/migrations'
import { callApi } from '../../../testing/call-api'
import { openTestDatabase } from '../../../testing/console-data'
import { describeWith } from '../../../testing/describe-with'
import { startPostgres } from '../../../testing/postgres'
import { eventually, startTestSite } from '../../../testing/site'

const vote = { json: { page: '/docs/profiles', locale: 'en', helpful: true } }
const noLimits = { RATE_VISITOR: '100000', RATE_OTHER: '100000' }

it('an unreachable database server: calls answer 503, pages are served', async () => {
  const site = await startTestSite({ DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none' })
  try {
    const answer = await callApi(site.port, '/site/helpful', vote)
    expect([answer.status, answer.text.includes('127.0.0.1')]).toEqual([503, false])
    expect((await site.get('/pricing')).status).toBe(200)
  } finally {
    await site.stop()
  }
}, 60_000)

describeWith(['postgres'], 'tables that take long to migrate', (programs) => {
  it('refuse queries meanwhile, and then answer; the time limit of queries does not apply', async () => {
    const server = await startPostgres(programs.postgres)
    const url = await server.makeDatabase()
    const first = openTestDatabase(url)
    await first.run(() => Promise.resolve())
    await first.close()
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    const second = openDatabase({
      ...{ url, script: '', log: { error: () => undefined } },
      migrationWaitMs: 100,
    })
    const query = (): Promise<unknown> =>
      second.run((db) => db.selectFrom('helpful_votes').select('id').execute())
    try {
      await client.query("delete from migrations where name = '0013-device-events-in-order'")
      await client.query('begin; lock table events in access exclusive mode')
      for (const until = Date.now() + 4500; Date.now() < until;) {
        await expect(query()).rejects.toMatchObject({ error: 'storeUnavailable' })
        await sleep(500)
      }
      await client.query('commit')
      await eventually(query)
      const { rows } = await client.query('select name from migrations')
      expect(rows.length).toBe(migrationNames.length)
    } finally {
      await client.end()
      await second.close()
      await server.stop()
    }
  }, 60_000)
})

describeWith(['postgres'], 'a database server that fails while the site runs', (programs) => {
  it('paused, then killed: writes answer 503, pages are served, and no acknowledged write is lost', async () => {
    const server = await startPostgres(programs.postgres)
    const url = await server.makeDatabase()
    const site = await startTestSite({ DATABASE_URL: url, ...noLimits })
    let acknowledged = 0
    const castVote = async (): Promise<number> => {
      const { status } = await callApi(site.port, '/site/helpful', vote)
      if (status === 200) acknowledged += 1
      return status
    }
    const untilVoteSucceeds = (): Promise<void> =>
      eventually(async () => expect(await castVote()).toBe(200))
    try {
      await untilVoteSucceeds()
      for (const [fail, recover] of [
        [() => server.signal('SIGSTOP'), () => server.signal('SIGCONT')],
        [server.kill, server.again],
      ] as const) {
        // Some of these votes are in the middle of a statement when the server fails.
        const concurrentVotes = Array.from({ length: 20 }, castVote)
        await concurrentVotes[0]
        await fail()
        for (const status of await Promise.all(concurrentVotes))
          expect([200, 503]).toContain(status)
        const votes = await Promise.all(Array.from({ length: 5 }, castVote))
        expect(votes).toEqual([503, 503, 503, 503, 503])
        expect((await site.get('/pricing')).status).toBe(200)
        await recover()
        await untilVoteSucceeds()
      }
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      const {
        rows: [row],
      } = await client.query<{ stored: number }>(
        'select count(*)::int as stored from helpful_votes',
      )
      await client.end()
      expect(row?.stored).toBeGreaterThanOrEqual(acknowledged)
      expect(acknowledged).toBeGreaterThanOrEqual(3)
    } finally {
      await site.stop()
      await server.stop()
    }
  }, 120_000)
})
