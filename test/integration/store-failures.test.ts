/** A database server that is away, hangs or dies (decisions 10): what becomes of pages, calls, and of what was acknowledged. */
import { expect, it } from '@jest/globals'
import pg from 'pg'
import { callApi } from '../../testing/call-api'
import { describeWith } from '../../testing/describe-with'
import { startPostgres } from '../../testing/postgres'
import { eventually, startTestSite } from '../../testing/site'

const vote = { json: { page: '/docs/profiles', locale: 'en', helpful: true } }
const unlimited = { RATE_MESSAGES: '100000', RATE_OTHER: '100000' }

it('a database server that is away: calls answer 503, pages go on', async () => {
  const site = await startTestSite({ DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none' })
  try {
    const answer = await callApi(site.port, '/site/helpful', vote)
    expect([answer.status, answer.text.includes('127.0.0.1')]).toEqual([503, false])
    expect((await site.get('/pricing')).status).toBe(200)
  } finally {
    await site.stop()
  }
}, 60_000)

describeWith(['postgres'], 'a database server that fails while the site runs', (programs) => {
  it('paused, then killed: writing answers 503, pages go on, and all is well when it is back; nothing acknowledged is lost', async () => {
    const server = await startPostgres(programs.postgres)
    const url = await server.makeDatabase()
    const site = await startTestSite({ DATABASE_URL: url, ...unlimited })
    let acknowledged = 0
    const cast = async (): Promise<number> => {
      const { status } = await callApi(site.port, '/site/helpful', vote)
      if (status === 200) acknowledged += 1
      return status
    }
    const well = (): Promise<void> => eventually(async () => expect(await cast()).toBe(200), 20_000)
    try {
      await well()
      for (const [fail, mend] of [
        [() => server.signal('SIGSTOP'), () => server.signal('SIGCONT')],
        [server.kill, server.again],
      ] as const) {
        // Some are in the middle of a statement when it fails.
        const under = Array.from({ length: 20 }, cast)
        await under[0]
        await fail()
        for (const status of await Promise.all(under)) expect([200, 503]).toContain(status)
        const votes = await Promise.all(Array.from({ length: 5 }, cast))
        expect(votes).toEqual([503, 503, 503, 503, 503])
        expect((await site.get('/pricing')).status).toBe(200)
        await mend()
        await well()
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
