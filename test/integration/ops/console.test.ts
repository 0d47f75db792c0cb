/** Access to the owner's console (spec 8.10): sign-in, sessions, changes, and its page. */
import { extname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { readBuild } from '../../../server/build-info'
import { openDatabase, type Database } from '../../../server/db/database'
import { createOperatorSessions } from '../../../server/ops/console/operator-sessions'
import { contentSecurityPolicy } from '../../../server/pages/render/content-security-policy'
import type { SessionRow } from '../../../shared/console/sessions'
import {
  askConsole,
  consoleData,
  signInToConsole,
  type ConsoleRequest,
} from '../../../testing/console'
import { describeOnStores, type TestStore } from '../../../testing/stores'
import { buildFolder } from '../../../testing/root'
import {
  eventually,
  operator,
  opsToken,
  startTestSite,
  type Answer,
  type LogLine,
  type TestSite,
} from '../../../testing/site'

const build = readBuild(buildFolder())
let nextAddress = 1
/** Each sign-in from another address, because attempts are limited by address. */
const elsewhere = (): Record<string, string> => ({
  'x-forwarded-for': `198.51.100.${(nextAddress += 1)}`,
})

describeOnStores('the console', (start) => {
  let store: TestStore | undefined
  let site: TestSite
  let database: Database
  beforeAll(async () => {
    store = await start()
    const url = await store.url()
    const script = join(buildFolder(), 'server', 'sqlite-worker.js')
    database = openDatabase({ url, script, log: { error: () => undefined } })
    site = await startTestSite({
      DATABASE_URL: url,
      OPS_TOKEN: opsToken,
      RATE_SIGNIN: '3',
      TRUST_PROXY: '1',
    })
  }, 120_000)
  afterAll(async () => {
    await site?.stop()
    await database?.close()
    await store?.stop()
  })
  const ask = (path: string, question: ConsoleRequest = {}): Promise<Answer> =>
    askConsole(site.port, path, question)
  const origin = (): string => `http://localhost:${site.port}`
  const signIn = (form: Record<string, string>, headers = elsewhere()): Promise<Answer> =>
    ask('/console', { headers: { origin: origin(), ...headers }, form })
  const changes = (): LogLine[] => site.logs.filter(({ msg }) => msg === 'changed by an operator')
  const sessionsOf = async (cookie: string): Promise<SessionRow[]> =>
    consoleData<{ sessions: SessionRow[] }>(await ask('/api/sessions', { headers: { cookie } }))
      .sessions

  it.each(['/console', '/console/', '/console/pages?filter=x'])(
    'shows a sign-in form at %s, and loads no script',
    async (path) => {
      const { status, headers, body } = await ask(path)
      expect([status, headers['cache-control'], headers['x-robots-tag']]).toEqual([
        200,
        'no-store',
        'noindex',
      ])
      expect(body).toMatch(/<form method="post">[\s\S]*name="operator"[\s\S]*name="token"/)
      for (const file of build.assets.console.js) expect(body).not.toContain(file)
    },
  )

  it('signs in with the token and a name, for 8 hours, and shows the view that was asked for', async () => {
    const { status, headers } = await ask('/console/pages?filter=x', {
      headers: { origin: origin(), ...elsewhere() },
      form: { operator: 'Ada', token: opsToken },
    })
    expect([status, headers.location]).toEqual([303, '/_ops/console/pages?filter=x'])
    expect(headers['set-cookie']).toEqual([
      expect.stringMatching(
        /^ops_session=[\w-]{43}; Max-Age=28800; Path=\/_ops; HttpOnly; SameSite=Strict$/,
      ),
    ])
    const cookie = String(headers['set-cookie']).split(';')[0] ?? ''
    const page = await ask('/console/pages?filter=x', { headers: { cookie } })
    expect(page.headers['content-security-policy']).toBe(
      contentSecurityPolicy({ style: [], img: [], connect: [], frame: [] }, undefined, false),
    )
    expect([page.headers['cache-control'], page.headers['x-robots-tag']]).toEqual([
      'no-store',
      'noindex',
    ])
    for (const file of [...build.assets.console.js, ...build.assets.console.css])
      expect(page.body).toContain(file)
    await eventually(() =>
      expect(site.logs.filter(({ msg }) => msg === 'an operator signed in')).toContainEqual(
        expect.objectContaining({ operator: 'Ada' }),
      ),
    )
    expect(JSON.stringify(site.logs)).not.toMatch(
      new RegExp(`${opsToken}|${cookie.slice('ops_session='.length)}`),
    )
  })

  it.each([
    ['another token', { operator: 'Ada', token: 'no-token-of-operators-at-all' }, 401],
    ['no token', { operator: 'Ada' }, 401],
    ['no name', { token: opsToken }, 400],
    ['an email address as name', { operator: 'ada@example.org', token: opsToken }, 400],
    ['a name with markup', { operator: '<b>Ada</b>', token: opsToken }, 400],
  ] as Array<[string, Record<string, string>, number]>)(
    'refuses a sign-in with %s, with the form',
    async (_name, form, expected) => {
      const { status, headers, body } = await signIn(form)
      expect([status, headers['set-cookie']]).toEqual([expected, undefined])
      expect(body).toContain('role="alert"')
      expect(body).not.toContain(opsToken)
    },
  )

  it.each([
    ['another site', { origin: 'https://evil.example' }],
    ['a page without origin', { origin: 'null' }],
    ['another language host', { origin: 'http://zh.localhost' }],
    ['a program without origin', {}],
  ] as Array<[string, Record<string, string>]>)(
    'refuses a sign-in from %s',
    async (_name, headers) => {
      const answer = await ask('/console', {
        headers: { ...elsewhere(), ...headers },
        form: { operator: 'Ada', token: opsToken },
      })
      expect([answer.status, answer.headers['set-cookie']]).toEqual([403, undefined])
    },
  )

  it('limits attempts by address, and then refuses the right token too', async () => {
    const address = elsewhere()
    for (const status of [401, 401, 401, 429])
      expect((await signIn({ operator: 'Ada', token: 'wrong' }, address)).status).toBe(status)
    const { status, headers, body } = await signIn({ operator: 'Ada', token: opsToken }, address)
    expect([status, headers['set-cookie']]).toEqual([429, undefined])
    expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    expect(body).toContain('<form method="post">')
    expect((await signIn({ operator: 'Ada', token: opsToken })).status).toBe(303)
  })

  it('opens its calls with a session or the bearer token, and with nothing else', async () => {
    const cookie = await signInToConsole(site.port)
    const statuses = await Promise.all(
      [
        { cookie },
        operator,
        {},
        { cookie: 'ops_session=' },
        { cookie: `ops_session=${'A'.repeat(43)}` },
        { authorization: `Basic ${Buffer.from(`x:${opsToken}`).toString('base64')}` },
      ].map(async (headers) => (await ask('/api/sessions', { headers: { ...headers } })).status),
    )
    expect(statuses).toEqual([200, 200, 401, 401, 401, 401])
    const files = await ask('/insights?format=csv&table=days', { headers: { cookie } })
    expect(files.status).toBe(200)
    // The session is for the console; the calls of programs keep to the token.
    expect((await ask('/cache', { headers: { cookie } })).status).toBe(401)
  })

  it('takes changes with a session only from its own origin and as JSON, and logs the name', async () => {
    const cookie = await signInToConsole(site.port, 'Grace')
    const other = await signInToConsole(site.port, 'Grace')
    const [id = ''] = (await sessionsOf(other))
      .filter(({ isCurrent }) => isCurrent)
      .map((row) => row.id)
    const revoke = (headers: Record<string, string>, more: ConsoleRequest = {}): Promise<Answer> =>
      ask('/api/sessions/revoke', { headers: { cookie, ...headers }, json: { id }, ...more })
    expect((await revoke({})).status).toBe(403)
    expect((await revoke({ origin: 'https://evil.example' })).status).toBe(403)
    expect((await revoke({ origin: 'null' })).status).toBe(403)
    expect((await revoke({ origin: origin() }, { json: undefined, form: { id } })).status).toBe(415)
    expect((await revoke({ origin: origin() }, { json: { id: 'x' } })).status).toBe(400)
    expect(await sessionsOf(other)).not.toEqual([])

    expect(consoleData(await revoke({ origin: origin() }))).toEqual({ revoked: true })
    expect((await ask('/api/sessions', { headers: { cookie: other } })).status).toBe(401)
    expect((await ask('/console', { headers: { cookie: other } })).body).toContain('<form')
    await eventually(() =>
      expect(changes()).toContainEqual(
        expect.objectContaining({
          operator: 'Grace',
          call: '/sessions/revoke',
          session: id.slice(0, 12),
        }),
      ),
    )
    // A program sends no origin.
    const byToken = await ask('/api/sessions/revoke', { headers: operator, json: { id } })
    expect(consoleData(byToken)).toEqual({ revoked: false })
  })

  it('signs out: the cookie is deleted, and a copy of it is refused', async () => {
    const cookie = await signInToConsole(site.port)
    const { status, headers } = await ask('/api/sign-out', {
      headers: { cookie, origin: origin() },
      json: {},
    })
    expect([status, headers['set-cookie']]).toEqual([
      200,
      ['ops_session=; Max-Age=0; Path=/_ops; HttpOnly; SameSite=Strict'],
    ])
    expect((await ask('/api/sessions', { headers: { cookie } })).status).toBe(401)
    expect((await ask('/console', { headers: { cookie } })).body).toContain('<form')
  })

  it('ends a session after 8 hours, and all sessions with another OPS_TOKEN', async () => {
    const cookie = await signInToConsole(site.port)
    const secret = cookie.slice('ops_session='.length)
    const [current] = (await sessionsOf(cookie)).filter(({ isCurrent }) => isCurrent)
    expect(Number(current?.expiresAt) - Number(current?.createdAt)).toBe(8 * 60 * 60 * 1000)
    // The table alone opens no session: its ids are not the secrets.
    expect(current?.id).not.toContain(secret)
    const own = createOperatorSessions(database, opsToken)
    expect(await own.find(secret)).toEqual({ name: 'Ada', sessionId: current?.id })
    expect(await own.find(current?.id)).toBeNull()
    const other = createOperatorSessions(database, 'another-token-of-the-operators')
    expect(await other.find(secret)).toBeNull()
    await database.run((db) =>
      db
        .updateTable('operator_sessions')
        .set({ expires_at: Date.now() - 1 })
        .where('id', '=', current?.id ?? '')
        .execute(),
    )
    expect((await ask('/api/sessions', { headers: { cookie } })).status).toBe(401)
  })

  it.each([
    ['/api/nothing', {}, 404],
    ['/api/sessions', { method: 'POST' }, 405],
    ['/api/sign-out', {}, 405],
    ['/console', { method: 'PUT' }, 405],
  ] as Array<[string, ConsoleRequest, number]>)(
    'answers %s %j with %d',
    async (path, question, status) => {
      expect((await ask(path, { ...question, headers: operator })).status).toBe(status)
    },
  )
})

describe('without OPS_TOKEN', () => {
  let site: TestSite
  beforeAll(async () => {
    site = await startTestSite()
  }, 60_000)
  afterAll(() => site.stop())

  it.each(['/console', '/console/pages', '/api/sessions', '/insights'])(
    '%s does not exist',
    async (path) => {
      expect((await askConsole(site.port, path)).status).toBe(404)
      const form = { operator: 'Ada', token: '' }
      const headers = { origin: `http://localhost:${site.port}` }
      expect((await askConsole(site.port, path, { headers, form })).status).toBe(404)
    },
  )

  it.each(['/', '/pricing', '/blog', '/nothing-is-here', '/zh-nothing', '/app'])(
    'no file of the console is named by %s',
    async (path) => {
      const { body, headers } = await site.get(path)
      expect(body + JSON.stringify(headers)).not.toMatch(/console[.-][\w.-]*\.(?:js|css)/)
    },
  )

  it('no script and no style of visitors names the console', async () => {
    const { body } = await site.get('/')
    const files = [...body.matchAll(/\/assets\/[\w.-]+\.(?:js|css)/g)].map(([found]) => found)
    expect(new Set(files.map((file) => extname(file)))).toEqual(new Set(['.js', '.css']))
    for (const file of files) {
      const answer = await site.get(file)
      expect(answer.status).toBe(200)
      expect(answer.body).not.toMatch(/_ops\/console|console-data|console-sign-in|['"/]console[.-]/)
    }
  })
})
