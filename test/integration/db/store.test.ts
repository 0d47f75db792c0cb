import Database from 'better-sqlite3'
import { spawnSync } from 'node:child_process'
import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals'
import { sql, TableNode, UpdateQueryNode, type KyselyPlugin } from 'kysely'
import { dayMs } from '../../../shared/constants'
import { openDatabase, type Database as Store } from '../../../server/db/database'
import { storeIncrements } from '../../../server/db/event-counts'
import { createEventStore } from '../../../server/db/event-store'
import { createLease } from '../../../server/db/leases'
import { storeMessage, storeVote } from '../../../server/db/message-store'
import { topKeys } from '../../../server/db/overview-rows'
import { prune, tablesToPrune } from '../../../server/db/prune'
import { addSearchCounts, topSearches, topSearchMisses } from '../../../server/db/search-counts'
import { addEnvelopeKey, listEnvelopeKeys, getOrCreateSecret } from '../../../server/db/secrets'
import {
  consumeNonce,
  findOrCreateAccount,
  issueToken,
  redeemToken,
} from '../../../server/db/sign-in-store'
import {
  countReferral,
  recordFingerprint,
  recordSource,
  recordVitals,
} from '../../../server/db/visitor-store'
import { callApi, sealFor } from '../../../testing/call-api'
import { buildFolder, programSettings } from '../../../testing/root'
import { temporaryFolder } from '../../../testing/release-with-tests'
import { eventually, startTestSite, type TestSite } from '../../../testing/site'
import { describeOnStores, type TestStore } from '../../../testing/stores'

const sourceOf = (source: string) => ({
  device_id: 'd',
  referer: '',
  page_url: '',
  source,
  callback: '',
  utm_source: '',
  utm_medium: '',
  utm_term: '',
  utm_content: '',
  utm_campaign: '',
  bd_vid: '',
})
const script = (): string => join(buildFolder(), 'server', 'sqlite-worker.js')
const vote = { json: { page: '/docs/profiles', locale: 'en', helpful: true } }
/** Makes updates of accounts fail. */
const failingAccountUpdates: KyselyPlugin = {
  transformQuery({ node }) {
    const table = UpdateQueryNode.is(node) && node.table && TableNode.is(node.table) && node.table
    if (table && table.table.identifier.name === 'accounts') throw new Error('the disk is full')
    return node
  },
  transformResult: ({ result }) => Promise.resolve(result),
}
const noLimits = { RATE_VISITOR: '100000', RATE_EVENTS: '100000' }

describeOnStores('the database', (start) => {
  let store: TestStore | undefined
  let one: Store
  let two: Store
  beforeAll(async () => {
    store = await start()
    const options = { url: await store.url(), script: script(), log: { error: () => undefined } }
    one = openDatabase(options)
    two = openDatabase(options)
  }, 120_000)
  afterAll(async () => {
    await Promise.all([one?.close(), two?.close()])
    await store?.stop()
  })

  it('is created once when two processes open it at the same time, and one secret wins', async () => {
    const secrets = await Promise.all([
      getOrCreateSecret(one, 'a'),
      getOrCreateSecret(two, 'a'),
      getOrCreateSecret(one, 'a'),
      getOrCreateSecret(two, 'a'),
    ])
    expect(new Set(secrets).size).toBe(1)
    const added = await Promise.all([
      addEnvelopeKey(one, 'first', 'key of one'),
      addEnvelopeKey(two, 'first', 'key of two'),
    ])
    expect(added.filter(Boolean).length).toBe(1)
    expect((await listEnvelopeKeys(one)).map(({ value }) => value)).toEqual(
      (await listEnvelopeKeys(two)).map(({ value }) => value),
    )
  })

  it('has no column for web vitals that identifies the visitor', async () => {
    const tables = await one.run((db) => db.introspection.getTables())
    expect(
      tables
        .find(({ name }) => name === 'vitals')
        ?.columns.map(({ name }) => name)
        .sort(),
    ).toEqual(['at', 'cls', 'fcp', 'id', 'inp', 'lcp', 'locale', 'route', 'ttfb'])
  })

  it('stores an event once, however often it is sent, and its context again when that was deleted', async () => {
    const events = Array.from({ length: 20 }, () => ({
      id: randomUUID(),
      ts: 1,
      kind: 'view',
      op: 0,
      locale: 'en',
      device_id: 'd',
      url: '/',
      data: '{}',
    }))
    const stores = [createEventStore(one), createEventStore(two)]
    await Promise.all(
      Array.from({ length: 30 }, async (_, index) => stores[index % 2]?.(events, '{"os":"linux"}')),
    )
    const count = (table: 'events' | 'event_contexts'): Promise<number> =>
      one.run(async (db) =>
        Number(
          (
            await db
              .selectFrom(table)
              .select(({ fn }) => fn.countAll().as('n'))
              .executeTakeFirstOrThrow()
          ).n,
        ),
      )
    expect([await count('events'), await count('event_contexts')]).toEqual([20, 1])
    await one.run((db) => db.deleteFrom('event_contexts').execute())
    jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 61_000)
    await stores[0]?.(events, '{"os":"linux"}')
    jest.restoreAllMocks()
    expect([await count('events'), await count('event_contexts')]).toEqual([20, 1])
  })

  it('rolls a transaction back', async () => {
    await expect(
      one.run((db) =>
        db.transaction().execute(async (transaction) => {
          await transaction
            .insertInto('search_misses')
            .values({ day: '2000-01-01', locale: 'en', query: 'gone', count: 1 })
            .execute()
          throw new Error('stop')
        }),
      ),
    ).rejects.toThrow('stop')
    expect(await topSearchMisses(two, { from: '1999-01-01', to: '9999-12-31' }, null, 10)).toEqual(
      [],
    )
  })

  it('counts searches of several processes, with and without results', async () => {
    const day = new Date().toISOString().slice(0, 10)
    const search = (locale: string, query: string, results: number, count = 1) => ({
      ...{ day, locale, query, results, count },
    })
    await Promise.all([
      addSearchCounts(one, [search('th', 'proxy pool', 0), search('en', 'proxy pool', 0)]),
      addSearchCounts(two, [search('th', 'proxy pool', 0), search('en', 'proxy', 7, 3)]),
    ])
    await addSearchCounts(one, [search('en', 'proxy', 8)])
    const period = { from: '2000-01-01', to: '9999-12-31' }
    const misses = await topSearchMisses(one, period, null, 10)
    expect(misses.map(({ locale, query, count }) => [locale, query, count])).toEqual([
      ['th', 'proxy pool', 2],
      ['en', 'proxy pool', 1],
    ])
    expect(await topSearches(two, period, 'en', 10)).toEqual({
      searches: [
        { locale: 'en', query: 'proxy', count: 4, results: 8 },
        { locale: 'en', query: 'proxy pool', count: 1, results: 0 },
      ],
      misses: [{ locale: 'en', query: 'proxy pool', count: 1 }],
    })
  })

  it('keeps 2,000 searches of a day, and goes on counting those', async () => {
    const day = '2020-01-01'
    const searches = Array.from({ length: 2100 }, (_, index) => ({
      ...{ day, locale: 'en', query: `words ${index}`, results: 1, count: 1 },
    }))
    await addSearchCounts(one, searches)
    await addSearchCounts(one, searches.slice(0, 1))
    const { searches: kept } = await topSearches(one, { from: day, to: day }, null, 5000)
    expect([kept.length, kept[0]?.query, kept[0]?.count]).toEqual([2000, 'words 0', 2])
    await one.run((db) => db.deleteFrom('search_terms').where('day', '=', day).execute())
  })

  it('counts new keys of a full day together, and goes on counting the others', async () => {
    const start = 0
    const keys = (names: readonly string[]) =>
      names.map((key) => ({ kind: 'page' as const, start, key, locale: 'en', count: 1 }))
    const lease = createLease(one, { name: 'event-counts', holder: 'test', ttlMs: 60_000 })
    await lease.take()
    const add = (names: readonly string[]): Promise<boolean> => {
      const rest = { hours: [], days: [], errors: [], visitors: [] }
      return storeIncrements(one, lease, 'test', { at: 0, id: '' }, { ...rest, keys: keys(names) })
    }
    await add(Array.from({ length: 4999 }, (_, index) => `/${index}`))
    await add(['/last'])
    await add(['/0', '/new', '/newer'])
    const day = { since: start, until: start + dayMs, locale: null, country: null }
    const counted = await topKeys(one, 'page', day, 10_000)
    expect([counted.length, counted.slice(0, 2)]).toEqual([
      5001,
      [
        { key: '(others)', count: 2 },
        { key: '/0', count: 2 },
      ],
    ])
    await one.run((db) => db.deleteFrom('event_keys').execute())
    await one.run((db) => db.deleteFrom('count_cursors').execute())
    await lease.release()
  })

  it('shows reports what was written before them', async () => {
    for (let count = 1; count <= 5; count += 1) {
      await one.run((db) =>
        db
          .insertInto('helpful_votes')
          .values({ at: 0, page: '/', locale: 'en', helpful: 1 })
          .execute(),
      )
      const votes = await one.report((db) => db.selectFrom('helpful_votes').select('id').execute())
      expect(votes.length).toBe(count)
    }
    await one.run((db) => db.deleteFrom('helpful_votes').execute())
  })

  it('prunes rows that are past their retention, and no others', async () => {
    const now = Date.now()
    const identity = { provider: 'google', email: '', name: '', picture: '' }
    const attribution = { language: 'en', invite_code: '', source: '', referer: '' }
    const [used] = await Promise.all(
      ['used', 'unused'].map((subject) =>
        findOrCreateAccount(one, { ...identity, subject }, attribution),
      ),
    )
    const token = await issueToken(one, used ?? '')
    expect(await redeemToken(one, token)).toMatchObject({ subject: 'used' })
    const line = { locale: 'en', page: '/' }
    await Promise.all([
      recordFingerprint(one, { device_id: 'd', log_type: 'canvas', data: '1', base: '1' }),
      recordVitals(one, { route: 'home', locale: 'en', lcp: 1 }),
      recordSource(one, sourceOf('mail')),
      countReferral(one, 'd', 'a'),
      storeMessage(one, { ...line, name: 'Ada', email: 'ada@example.com', message: 'Hi' }),
      storeVote(one, { ...line, helpful: true }),
      consumeNonce(one, 'n', now + 1000),
    ])

    const due: ReadonlyArray<readonly [days: number, rows: Record<string, number>]> = [
      [0, {}],
      [1, { tokens: 1, used_nonces: 1 }],
      [29, {}],
      [31, { fingerprints: 1, accounts: 1 }],
      [90.5, { events: 20, vitals: 1, sources: 1 }],
      [92, { event_contexts: 1 }],
      [361, { referrals: 1 }],
      [367, { helpful_votes: 1, search_terms: 1, search_misses: 2 }],
      [729, {}],
      [731, { messages: 1 }],
      [10_000, {}],
    ]
    for (const [days, rows] of due) {
      const later = now + days * dayMs
      expect([days, (await tablesToPrune(one, later)).sort()]).toEqual([
        days,
        Object.keys(rows).sort(),
      ])
      const deleted = Object.entries(await prune(one, later)).filter(([, count]) => count > 0)
      expect([days, Object.fromEntries(deleted)]).toEqual([days, rows])
    }
    expect((await listEnvelopeKeys(one)).length).toBe(1)
  })

  it('prunes rows of one day in batches', async () => {
    const rows = 6000
    const numbers = sql`with recursive numbers (i) as
      (select 1 union all select i + 1 from numbers where i < ${sql.lit(rows)})`
    await one.run(async (db) => {
      await sql`insert into visitor_days (start, device_id, steps) ${numbers}
        select 0, 'device ' || i, 0 from numbers`.execute(db)
      await sql`insert into event_keys (kind, start, key, locale, count) ${numbers}
        select 'page', 0, '/page/' || i, 'en', 1 from numbers`.execute(db)
    })
    const batches: number[] = []
    const counted = async (): Promise<number> => {
      const counts = await one.run((db) =>
        Promise.all(
          (['visitor_days', 'event_keys'] as const).map((table) =>
            db
              .selectFrom(table)
              .select(({ fn }) => fn.countAll<number | string>().as('rows'))
              .executeTakeFirstOrThrow(),
          ),
        ),
      )
      return counts.reduce((sum, count) => sum + Number(count.rows), 0)
    }
    const store: Store = {
      ...one,
      run: async (work) => {
        const before = await counted()
        const result = await one.run(work)
        batches.push(before - (await counted()))
        return result
      },
    }
    expect(await prune(store)).toMatchObject({ visitor_days: rows, event_keys: rows })
    expect(batches.filter((count) => count > 0)).toEqual([5000, 1000, 5000, 1000])
  })

  it('leaves a token valid when the database fails before the token is redeemed', async () => {
    const account = await findOrCreateAccount(
      one,
      { provider: 'google', subject: 'again', email: '', name: '', picture: '' },
      { language: 'en', invite_code: '', source: '', referer: '' },
    )
    const token = await issueToken(one, account)
    const failing: Store = {
      ...one,
      run: (work) => one.run((db) => work(db.withPlugin(failingAccountUpdates))),
    }
    await expect(redeemToken(failing, token)).rejects.toThrow('the disk is full')
    expect(await redeemToken(one, token)).toMatchObject({ id: account })
    expect(await redeemToken(one, token)).toBeNull()
  })
})

/** The tables whose rows version 11 moved into their primary keys, and one row of each. */
const countedRows = {
  event_hours: { metric: 'views', start: 1, locale: 'en', country: 'US', device: '', count: 3 },
  event_days: { metric: 'views', start: 0, locale: 'en', country: 'US', device: '', count: 4 },
  event_keys: { kind: 'page', start: 0, key: '/pricing', locale: 'en', count: 5 },
  visitor_days: { start: 0, device_id: 'd', steps: 3 },
  address_counts: {
    ...{ day: '2026-01-01', host: 'en', path: '/old', status: 404, referrer: '', count: 6 },
  },
  search_terms: { day: '2026-01-01', locale: 'en', query: 'proxy', count: 7, results: 2 },
  search_misses: { day: '2026-01-01', locale: 'en', query: 'nothing', count: 8 },
} as const

describe('the SQLite file', () => {
  it('keeps counts and indexes when an older version of it is opened', async () => {
    const file = join(temporaryFolder('older'), 'site.db')
    const options = { url: `file:${file}`, script: script(), log: { error: () => undefined } }
    const open = async (): Promise<void> => {
      const store = openDatabase(options)
      await store.run((db) => db.selectFrom('secrets').selectAll().execute())
      await store.close()
    }
    await open()
    const older = new Database(file)
    const describeTables = () =>
      older
        .prepare(
          'SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY type, name',
        )
        .all()
    const tables = describeTables()
    older.exec('DROP TABLE search_totals')
    for (const [table, row] of Object.entries(countedRows)) {
      const [definition, ...indexes] = older
        .prepare<[string], string>(
          "SELECT sql FROM sqlite_master WHERE tbl_name = ? AND sql IS NOT NULL AND type <> 'trigger' ORDER BY type DESC",
        )
        .pluck()
        .all(table)
      expect(definition).toMatch(/ without rowid$/)
      older.exec(`DROP TABLE ${table}`)
      older.exec(String(definition).replace(/ without rowid$/, ''))
      for (const index of indexes) older.exec(index)
      const columns = Object.keys(row)
      older
        .prepare(
          `INSERT INTO ${table} (${columns.join()}) VALUES (${columns.map((name) => `@${name}`).join()})`,
        )
        .run(row)
    }
    older
      .prepare(
        "DELETE FROM migrations WHERE name IN ('0011-counts-within-primary-keys', '0016-search-totals')",
      )
      .run()
    expect(describeTables()).not.toEqual(tables)

    await open()
    for (const [table, row] of Object.entries(countedRows))
      expect([table, older.prepare(`SELECT * FROM ${table}`).all()]).toEqual([table, [row]])
    expect(describeTables()).toEqual(tables)
    older.close()
  })

  it('is not written by a report', async () => {
    const url = `file:${join(temporaryFolder('reports'), 'site.db')}`
    const store = openDatabase({ url, script: script(), log: { error: () => undefined } })
    try {
      const row = { day: '2026-01-01', locale: 'en', query: 'proxy', count: 1 }
      await expect(
        store.report((db) => db.insertInto('search_misses').values(row).execute()),
      ).rejects.toThrow()
      expect(
        await store.report((db) => db.selectFrom('search_misses').selectAll().execute()),
      ).toEqual([])
    } finally {
      await store.close()
    }
  })

  describe('of a running site', () => {
    let site: TestSite
    beforeAll(async () => {
      site = await startTestSite(noLimits)
    }, 60_000)
    afterAll(() => site.stop())

    it('is readable only by its owner', () => {
      for (const name of ['site.db', 'site.db-wal'])
        expect((statSync(join(site.dataDir, name)).mode & 0o777).toString(8)).toBe('600')
    })

    it('while another process locks it, writes answer 503 and store nothing, and pages are served', async () => {
      const other = new Database(join(site.dataDir, 'site.db'))
      const votes = (): unknown => other.prepare('SELECT count(*) AS n FROM helpful_votes').get()
      try {
        other.exec('BEGIN IMMEDIATE')
        const [answer, page] = await Promise.all([
          callApi(site.port, '/site/helpful', vote),
          site.get('/pricing'),
        ])
        expect([answer.status, answer.headers['retry-after'], answer.data]).toEqual([
          503,
          '5',
          null,
        ])
        expect(answer.text).not.toMatch(/sqlite|busy|locked/i)
        expect(page.status).toBe(200)
        other.exec('ROLLBACK')
        expect(votes()).toEqual({ n: 0 })
        expect((await callApi(site.port, '/site/helpful', vote)).status).toBe(200)
        expect(votes()).toEqual({ n: 1 })
      } finally {
        other.close()
      }
    }, 60_000)
  })

  it('holds every event that was acknowledged before the process was killed', async () => {
    const dataDir = temporaryFolder('killed')
    const site = await startTestSite({ ...noLimits, DATA_DIR: dataDir })
    const seal = await sealFor(site.port)
    const acknowledged: string[] = []
    const ended = new Promise((resolve) => site.child.once('exit', resolve))
    await Promise.all(
      Array.from({ length: 200 }, async () => {
        const id = randomUUID()
        const form = await seal(
          JSON.stringify({ list: [{ id, ts: 1, kind: 'view', op: 0 }], comm: {} }),
        )
        const answer = await callApi(site.port, '/sys/config/event', { form }).catch(() => null)
        if (answer?.status === 200 && acknowledged.push(id) === 80) site.child.kill('SIGKILL')
      }),
    )
    await ended
    const db = new Database(join(dataDir, 'site.db'))
    const stored = new Set(
      (db.prepare('SELECT id FROM events').all() as Array<{ id: string }>).map(({ id }) => id),
    )
    expect(acknowledged.length).toBeGreaterThanOrEqual(80)
    expect(acknowledged.filter((id) => !stored.has(id))).toEqual([])
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok')
    db.close()
  }, 60_000)
})

describe('envelope keys', () => {
  const commandWith = (settings: Readonly<Record<string, string>>, ...args: string[]) =>
    spawnSync(process.execPath, [join(buildFolder(), 'server', 'store.js'), ...args], {
      env: { ...programSettings(), ...settings },
      encoding: 'utf8',
    })
  const command = (dataDir: string, ...args: string[]) =>
    commandWith({ DATA_DIR: dataDir }, ...args)

  it('can be rotated while the site runs: the old key stays valid until it is removed', async () => {
    const site = await startTestSite(noLimits)
    const kid = async (): Promise<unknown> =>
      ((await callApi(site.port, '/sys/config/public-key')).data as { kid: string }).kid
    const batch = JSON.stringify({
      list: [{ id: randomUUID(), ts: 1, kind: 'view', op: 0 }],
      comm: {},
    })
    try {
      const first = await kid()
      const sealOld = await sealFor(site.port)
      expect(command(site.dataDir, 'keys', 'remove', 'first').stderr).toMatch(
        /the last key cannot be removed/,
      )
      expect(command(site.dataDir, 'keys', 'add', 'second').stdout).toMatch(
        /^second will be used for new messages within seconds;/,
      )
      await eventually(async () => expect(await kid()).not.toBe(first))
      expect(
        (await callApi(site.port, '/sys/config/event', { form: await sealOld(batch) })).status,
      ).toBe(200)
      expect(command(site.dataDir, 'keys', 'add', 'third').status).toBe(0)
      expect(command(site.dataDir, 'keys', 'add', 'fourth').stderr).toMatch(
        /remove the oldest first/,
      )
      expect(
        command(site.dataDir, 'keys', 'list')
          .stdout.trim()
          .split('\n')
          .map((line) => line.split('\t')[0]),
      ).toEqual(['third', 'second', 'first'])
      expect(command(site.dataDir, 'keys', 'remove', 'first').status).toBe(0)
      await eventually(
        async () =>
          expect(
            (await callApi(site.port, '/sys/config/event', { form: await sealOld(batch) })).status,
          ).toBe(400),
        20_000,
      )
    } finally {
      await site.stop()
    }
  }, 120_000)

  it('of AUTH_PRIVATE_KEY are used for new messages and count as one of three', () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const settings = {
      DATA_DIR: temporaryFolder('keys'),
      AUTH_PRIVATE_KEY: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    }
    expect(commandWith(settings, 'keys', 'add', 'second').stdout).toMatch(
      /^second will be valid within seconds, but new messages use AUTH_PRIVATE_KEY while it is set;/,
    )
    expect(commandWith(settings, 'keys', 'add', 'third').status).toBe(0)
    expect(commandWith(settings, 'keys', 'add', 'fourth').stderr).toMatch(
      /there are already 3 keys, AUTH_PRIVATE_KEY included: remove the oldest first/,
    )
    for (const name of ['second', 'third'])
      expect(commandWith(settings, 'keys', 'remove', name).status).toBe(0)
  }, 120_000)

  it('may be added from a file, and are refused with the reason in one line', () => {
    const folder = temporaryFolder('keys')
    const fileOf = (modulusLength: number): string => {
      const { privateKey } = generateKeyPairSync('rsa', { modulusLength })
      const file = join(folder, `${modulusLength}.pem`)
      writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }))
      return file
    }
    const [good, weak] = [fileOf(2048), fileOf(1024)]
    expect(command(folder, 'keys', 'add', 'own', good).status).toBe(0)
    for (const [args, reason] of [
      [['add', 'own', good], 'the name own is taken'],
      [['add', 'a key'], 'a name has 1 to 64 letters, digits, dots, hyphens or underscores'],
      [
        ['add', 'weak', weak],
        `${weak} has no RSA private key of at least 2048 bits without a passphrase`,
      ],
    ] as const) {
      const { status, stderr } = command(folder, 'keys', ...args)
      expect([status, stderr.trim()]).toEqual([1, reason])
    }
    expect(command(folder, 'keys', 'burn').stderr).toMatch(/^usage: npm run db:prune\n/)
  }, 120_000)

  it('come from AUTH_PRIVATE_KEY when it is set; a weak key ends the start', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const site = await startTestSite({
      AUTH_PRIVATE_KEY: privateKey.export({ type: 'pkcs1', format: 'pem' }).toString(),
    })
    try {
      expect((await callApi(site.port, '/sys/config/public-key')).data).toMatchObject({
        spki: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
      })
    } finally {
      await site.stop()
    }
    const weak = generateKeyPairSync('rsa', { modulusLength: 1024 })
      .privateKey.export({ type: 'pkcs8', format: 'pem' })
      .toString()
    await expect(startTestSite({ AUTH_PRIVATE_KEY: weak })).rejects.toThrow(
      'AUTH_PRIVATE_KEY=(hidden) is not accepted: empty, or an RSA private key of at least 2048 bits',
    )
  }, 60_000)
})

describe('record-source', () => {
  const cookie =
    'device_id=device-number-1; _POWER_REFERRER=https%3A%2F%2Fexample.org%2F; i18n_redirected=es'
  let site: TestSite
  beforeAll(async () => {
    site = await startTestSite({
      SITE_URL_EN: 'https://www.example.com',
      SITE_URL_ZH: 'https://cn.example.com',
      SITE_URL_RU: 'https://ru.example.com',
      COOKIE_DOMAIN: 'example.com',
      TRUST_PROXY: '1',
    })
  }, 60_000)
  afterAll(() => site.stop())

  it('renews the cookies of the request that are allowed', async () => {
    const form = { referer: '', source_data: '{}' }
    const ask = async (headers: Record<string, string>): Promise<string[]> =>
      (
        await callApi(site.port, '/sys/user/passport/record-source', {
          form,
          headers: { host: 'www.example.com', ...headers },
        })
      ).headers['set-cookie'] ?? []
    const names = async (headers: Record<string, string>): Promise<Array<string | undefined>> =>
      (await ask(headers)).map((line) => line.split('=')[0]).sort()
    const lines = await ask({ cookie })
    expect(lines.map((line) => /Max-Age=(\d+)/.exec(line)?.[1]).sort()).toEqual(
      [31536000, 31536000, 31104000].map(String).sort(),
    )
    for (const line of lines)
      expect(
        ['Path=/', 'SameSite=Lax', 'Secure', 'Domain=example.com'].filter(
          (part) => !line.split('; ').includes(part),
        ),
      ).toEqual([])
    expect(await names({})).toEqual([])
    expect(await names({ cookie, 'sec-gpc': '1' })).toEqual(['i18n_redirected'])
    expect(await names({ cookie: `${cookie}; consent=refused` })).toEqual(['i18n_redirected'])
    // A German address needs consent.
    expect(await names({ cookie, 'x-forwarded-for': '85.214.132.117' })).toEqual([
      'i18n_redirected',
    ])
    expect(
      await names({ cookie: `${cookie}; consent=accepted`, 'x-forwarded-for': '85.214.132.117' }),
    ).toEqual(['_POWER_REFERRER', 'device_id', 'i18n_redirected'])
    expect(
      await names({
        cookie: 'device_id=<script>; _POWER_REFERRER=javascript:1; i18n_redirected=xx',
      }),
    ).toEqual([])
    const renewedBy = async (path: string): Promise<string[]> =>
      (await callApi(site.port, path, { headers: { host: 'www.example.com', cookie } })).headers[
        'set-cookie'
      ] ?? []
    expect(await renewedBy('/sys/config/ip/get-visitor-ip')).toEqual(
      lines.filter((line) => line.startsWith('i18n_redirected=es; ')),
    )
    // Caches may store this answer.
    expect(await renewedBy('/site/visitor-settings')).toEqual([])
    expect(
      (
        (
          await callApi(site.port, '/sys/config/ip/get-visitor-ip', {
            headers: { 'x-forwarded-for': '85.214.132.117' },
          })
        ).data as { ip_data: { country: string } }
      ).ip_data.country,
    ).toBe('DE')
  })

  it('stores nothing of a visitor who may not be identified', async () => {
    const db = new Database(join(site.dataDir, 'site.db'))
    const stored = (): unknown => db.prepare('SELECT device_id, bd_vid FROM sources').all()
    db.exec('DELETE FROM sources')
    const send = (headers: Record<string, string>) =>
      callApi(site.port, '/sys/user/passport/record-source', {
        form: { referer: 'https://example.org/', source_data: '{"bd_vid":"click-1"}' },
        headers,
      })
    for (const headers of [
      { cookie, 'sec-gpc': '1' },
      { cookie: `${cookie}; consent=refused` },
      // A German address needs consent.
      { cookie, 'x-forwarded-for': '85.214.132.117' },
    ])
      expect(await send(headers)).toMatchObject({ status: 200, code: 0, data: null })
    expect(stored()).toEqual([])
    await send({ cookie: `${cookie}; consent=accepted` })
    expect(stored()).toEqual([{ device_id: 'device-number-1', bd_vid: 'click-1' }])
    db.close()
  })
})
