import Database from 'better-sqlite3'
import { spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { copyFileSync, existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import pg from 'pg'
import { openDatabase } from '../../../server/db/database'
import { createEventStore } from '../../../server/db/event-store'
import { storeMessage, storeVote } from '../../../server/db/message-store'
import { listEnvelopeKeys, getOrCreateSecret } from '../../../server/db/secrets'
import { callApi } from '../../../testing/call-api'
import { describeWith } from '../../../testing/describe-with'
import { startPostgres, type PostgresServer } from '../../../testing/postgres'
import { buildFolder, programSettings, root } from '../../../testing/root'
import { temporaryFolder } from '../../../testing/release-with-tests'
import { seedContent, startTestSite } from '../../../testing/site'

const vote = { json: { page: '/docs/profiles', locale: 'en', helpful: true } }
const script = (): string => join(buildFolder(), 'server', 'sqlite-worker.js')
const command = (env: Record<string, string>, ...args: string[]) =>
  spawnSync(process.execPath, [join(buildFolder(), 'server', 'store.js'), ...args], {
    env: { ...programSettings(), ...env },
    encoding: 'utf8',
  })
const backups = (dataDir: string): string[] =>
  readdirSync(join(dataDir, 'backups'))
    .map((name) => join(dataDir, 'backups', name))
    .sort()
const rows = (file: string, table: string): number => {
  const db = new Database(file, { readonly: true })
  const { n } = db.prepare(`SELECT count(*) AS n FROM ${table}`).get() as { n: number }
  db.close()
  return n
}

describe('backup and restore of a SQLite database', () => {
  it('copies the database while the site writes, readable only by its owner, and restores it unchanged', async () => {
    const dataDir = seedContent(temporaryFolder('backup'))
    // `restore` notices a running site by its content process.
    const env = {
      CONTENT_DIR: join(root, 'content'),
      DATA_DIR: dataDir,
      RATE_VISITOR: '1000000',
    }
    const site = await startTestSite(env)
    let stop = false
    let acknowledged = 0
    const writing = Promise.all(
      Array.from({ length: 4 }, async () => {
        while (!stop)
          if ((await callApi(site.port, '/site/helpful', vote)).status === 200) acknowledged += 1
      }),
    )
    try {
      while (acknowledged < 50) await new Promise((resolve) => setTimeout(resolve, 10))
      const before = acknowledged
      const child = spawn(
        process.execPath,
        [join(buildFolder(), 'server', 'store.js'), 'backup', '--keep', '2'],
        { env: { ...programSettings(), DATA_DIR: dataDir } },
      )
      const status = await new Promise((resolve) => child.once('exit', resolve))
      const after = acknowledged + 4
      expect(status).toBe(0)
      const [file = ''] = backups(dataDir)
      expect(backups(dataDir).length).toBe(1)
      expect((statSync(file).mode & 0o777).toString(8)).toBe('600')
      expect(rows(file, 'helpful_votes')).toBeGreaterThanOrEqual(before)
      expect(rows(file, 'helpful_votes')).toBeLessThanOrEqual(after)

      const running = command({ DATA_DIR: dataDir }, 'restore', file)
      expect([running.status, running.stderr]).toEqual([
        1,
        expect.stringContaining('the site is running: stop it first'),
      ])
      stop = true
      await writing
      await site.stop()
      const inBackup = rows(file, 'helpful_votes')
      const restored = command({ DATA_DIR: dataDir }, 'restore', file)
      expect([restored.status, restored.stderr]).toEqual([0, ''])
      expect(rows(join(dataDir, 'site.db'), 'helpful_votes')).toBe(inBackup)
      const aside =
        readdirSync(dataDir).find(
          (name) => name.startsWith('site.db.before-') && name.endsWith('.db'),
        ) ?? ''
      expect(rows(join(dataDir, aside), 'helpful_votes')).toBe(acknowledged)
      const again = await startTestSite(env)
      expect((await callApi(again.port, '/site/helpful', vote)).status).toBe(200)
      await again.stop()
      expect(rows(join(dataDir, 'site.db'), 'helpful_votes')).toBe(inBackup + 1)
      expect((statSync(join(dataDir, 'site.db')).mode & 0o777).toString(8)).toBe('600')
    } finally {
      stop = true
      await site.stop()
      rmSync(dataDir, { recursive: true, force: true })
    }
  }, 120_000)

  it('keeps the given number of backups, and no other file is touched', () => {
    const dataDir = temporaryFolder('keep')
    expect(command({ DATA_DIR: dataDir }, 'backup').stderr).toContain(
      'there is nothing to back up yet',
    )
    expect(command({ DATA_DIR: dataDir }, 'prune').status).toBe(0)
    expect(command({ DATA_DIR: dataDir }, 'backup').status).toBe(0)
    for (const name of ['site-20200101T000000000Z.db', 'site-20200102T000000000Z.db', 'mine.db'])
      writeFileSync(join(dataDir, 'backups', name), '')
    const { stdout } = command({ DATA_DIR: dataDir }, 'backup', '--keep', '1')
    expect(stdout).toContain('site-20200101T000000000Z.db removed')
    expect(readdirSync(join(dataDir, 'backups')).length).toBe(2)
    expect(existsSync(join(dataDir, 'backups', 'mine.db'))).toBe(true)
    rmSync(dataDir, { recursive: true, force: true })
  })

  it('restores rows that are only in the write-ahead log of the file', () => {
    const dataDir = temporaryFolder('log')
    command({ DATA_DIR: dataDir }, 'prune')
    const db = new Database(join(dataDir, 'site.db'))
    db.pragma('journal_mode = WAL')
    db.prepare("INSERT INTO helpful_votes VALUES (1, 0, '/docs', 'en', 1)").run()
    // Copied while it is open, as from the disk of a machine that lost power.
    const rescued = join(dataDir, 'rescued.db')
    for (const suffix of ['', '-wal'])
      copyFileSync(join(dataDir, `site.db${suffix}`), rescued + suffix)
    db.prepare('DELETE FROM helpful_votes').run()
    db.close()
    const { status, stderr } = command({ DATA_DIR: dataDir }, 'restore', rescued)
    expect([status, stderr]).toEqual([0, ''])
    expect(rows(join(dataDir, 'site.db'), 'helpful_votes')).toBe(1)
    rmSync(dataDir, { recursive: true, force: true })
  })

  it('refuses files that are not backups or come from a newer program, and changes nothing', () => {
    const dataDir = temporaryFolder('refuse')
    command({ DATA_DIR: dataDir }, 'prune')
    const file = join(dataDir, 'some.db')
    command({ DATA_DIR: dataDir }, 'backup', file)
    const db = new Database(file)
    db.prepare("INSERT INTO migrations VALUES ('9999-later', 1)").run()
    db.close()
    const text = join(dataDir, 'text.db')
    writeFileSync(
      text,
      'no database at all, but long enough to have a header of one hundred bytes, which is what is looked at first.',
    )
    const before = statSync(join(dataDir, 'site.db')).mtimeMs
    expect(command({ DATA_DIR: dataDir }, 'restore', file).stderr).toContain(
      'newer program (9999-later)',
    )
    expect(command({ DATA_DIR: dataDir }, 'restore', text).stderr).toContain(
      'is not a database of this site',
    )
    expect(command({ DATA_DIR: dataDir }, 'restore', join(dataDir, 'nothing.db')).stderr).toContain(
      'cannot be read',
    )
    expect(command({ DATA_DIR: dataDir }, 'restore').stderr).toContain('which file?')
    expect(statSync(join(dataDir, 'site.db')).mtimeMs).toBe(before)
    rmSync(dataDir, { recursive: true, force: true })
  })
})

describeWith(['postgres'], 'from SQLite to PostgreSQL and back', ({ postgres }) => {
  let server: PostgresServer
  const dataDir = temporaryFolder('copy')
  beforeAll(async () => {
    server = await startPostgres(postgres)
  }, 120_000)
  afterAll(async () => {
    await server?.stop()
    rmSync(dataDir, { recursive: true, force: true })
  })

  const query = async (url: string, sql: string): Promise<Array<Record<string, unknown>>> => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    const { rows: found } = await client.query<Record<string, unknown>>(sql)
    await client.end()
    return found
  }

  it('copies every row and key unchanged, continues ids, and refuses a second copy without --replace', async () => {
    const source = openDatabase({
      url: `file:${join(dataDir, 'site.db')}`,
      script: script(),
      log: { error: () => undefined },
    })
    const secret = await getOrCreateSecret(source, 'sign-in')
    const storeEvents = createEventStore(source)
    for (let index = 0; index < 130; index += 1)
      await storeEvents(
        Array.from({ length: 20 }, () => ({
          id: randomUUID(),
          ts: index,
          kind: 'view',
          op: 0,
          locale: 'en',
          device_id: 'd',
          url: '/',
          data: '{"a":"ü\\u0000"}',
        })),
        `{"os":"${index}"}`,
      )
    for (const locale of ['th', 'jp', 'en'])
      await storeMessage(source, {
        name: `ลี "quoted" '; DROP TABLE events; --`,
        email: 'a@example.com',
        message: '日本語\n\t𝒳',
        locale,
        page: '/',
      })
    await storeVote(source, { page: '/', locale: 'en', helpful: false })
    await source.run(async (db) => {
      await db
        .insertInto('accounts')
        .values({
          id: 'a1',
          provider: 'google',
          subject: '1',
          email: '',
          name: '',
          picture: '',
          language: 'en',
          invite_code: '',
          source: '',
          referer: '',
          created_at: 1_795_283_270_001,
          signed_in_at: 2,
        })
        .execute()
      await db
        .insertInto('tokens')
        .values({ hash: 'h', account_id: 'a1', expires_at: 5, redeemed_at: null })
        .execute()
      const search = { locale: 'en', query: 'proxy', count: 2 }
      for (const day of ['2026-01-31', '2026-02-01']) {
        await db
          .insertInto('search_terms')
          .values({ ...search, day, results: 1 })
          .execute()
        await db
          .insertInto('search_misses')
          .values({ ...search, day })
          .execute()
      }
    })
    await source.close()

    const url = await server.makeDatabase()
    const first = command({ DATA_DIR: dataDir }, 'copy', '--to', url)
    expect([first.status, first.stderr]).toEqual([0, ''])
    for (const line of [
      'events: 2600 rows',
      'event_contexts: 130 rows',
      'messages: 3 rows',
      'tokens: 1 rows',
      'accounts: 1 rows',
    ])
      expect(first.stdout).toContain(line)

    const target = openDatabase({ url, script: script(), log: { error: () => undefined } })
    expect(await getOrCreateSecret(target, 'sign-in')).toBe(secret)
    expect((await listEnvelopeKeys(target)).length).toBe(0)
    await storeMessage(target, { name: 'next', email: '', message: 'm', locale: 'en', page: '/' })
    await target.close()
    expect(await query(url, 'select id, message from messages order by id')).toMatchObject([
      { id: '1', message: '日本語\n\t𝒳' },
      { id: '2' },
      { id: '3' },
      { id: '4', message: 'm' },
    ])

    const second = command({ DATA_DIR: dataDir }, 'copy', '--to', url)
    expect([second.status, second.stderr]).toEqual([
      1,
      expect.stringContaining('--replace deletes what it holds'),
    ])
    expect((await query(url, 'select id from messages')).length).toBe(4)
    expect(command({ DATA_DIR: dataDir }, 'copy', '--to', url, '--replace').status).toBe(0)
    expect((await query(url, 'select id from messages')).length).toBe(3)

    const totals = 'select locale, query, found::int, missed::int from search_totals'
    const total = { locale: 'en', query: 'proxy', found: 4, missed: 4 }
    expect(await query(url, totals)).toEqual([total])

    // The other direction: a backup of PostgreSQL is a SQLite file, which any database can restore.
    const file = join(dataDir, 'of-postgres.db')
    const backup = command({ DATA_DIR: dataDir, DATABASE_URL: url }, 'backup', file)
    expect([backup.status, backup.stderr]).toEqual([0, ''])
    expect([rows(file, 'events'), rows(file, 'messages'), rows(file, 'secrets')]).toEqual([
      2600, 3, 1,
    ])
    expect(rows(file, 'search_totals WHERE found = 4 AND missed = 4')).toBe(1)
    const other = await server.makeDatabase()
    expect(command({ DATA_DIR: dataDir, DATABASE_URL: other }, 'restore', file).status).toBe(0)
    expect(await query(other, totals)).toEqual([total])
    expect(await query(other, 'select count(*)::int as n, min(data) as data from events')).toEqual([
      { n: 2600, data: '{"a":"ü\\u0000"}' },
    ])
    expect(await query(other, 'select created_at, signed_in_at from accounts')).toEqual([
      { created_at: '1795283270001', signed_in_at: '2' },
    ])
  }, 180_000)

  it('takes the password of the target from PGPASSWORD, and refuses it in the arguments, which every user of the machine can read', async () => {
    const url = await server.makeDatabase()
    await query(url, "create role locked superuser login password 'open-sesame'")
    const locked = url.replace('//postgres@', '//locked@')
    for (const visible of [
      locked.replace('locked@', 'locked:open-sesame@'),
      `${locked}?password=open-sesame`,
    ]) {
      const { status, stderr } = command({ DATA_DIR: dataDir }, 'copy', '--to', visible)
      expect([status, stderr.trim()]).toEqual([1, expect.stringMatching(/set PGPASSWORD/)])
      expect(stderr).not.toContain('open-sesame')
    }
    const env = { DATA_DIR: dataDir, LOG_LEVEL: 'silent' }
    expect(command(env, 'copy', '--to', locked).status).toBe(1)
    const copied = command({ ...env, PGPASSWORD: 'open-sesame' }, 'copy', '--to', locked)
    expect([copied.status, copied.stderr]).toEqual([0, ''])
    expect(copied.stdout).toContain('messages: 3 rows')
  }, 60_000)

  it('reports an error in one line', () => {
    expect(command({ DATA_DIR: dataDir }, 'copy').stderr).toContain(
      '--to takes the address of a PostgreSQL database',
    )
    expect(
      command(
        { DATA_DIR: dataDir, DATABASE_URL: 'postgres://x@127.0.0.1:9/y' },
        'copy',
        '--to',
        'postgres://x@127.0.0.1:9/y',
      ).stderr,
    ).toContain('is not a SQLite file')
    const away = command(
      { DATA_DIR: dataDir, LOG_LEVEL: 'silent' },
      'copy',
      '--to',
      'postgres://x@127.0.0.1:9/y',
    )
    expect(away.status).toBe(1)
    expect(away.stderr.trim().split('\n').length).toBe(1)
  })
})
