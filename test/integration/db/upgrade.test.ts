/**
 * Starts on a data folder of the previous version. The site of commit 14c6aa0 wrote it on Node
 * 20.20.2 with better-sqlite3 12.11.1 and was killed, so the SQLite logs hold rows that the
 * database files lack. How it was made: `test/fixtures/data-folder-14c6aa0.md`.
 */
import Database from 'better-sqlite3'
import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { LocaleCode } from '../../../shared/i18n/locales'
import { migrationNames } from '../../../server/db/migrations'
import { callApi } from '../../../testing/call-api'
import { buildFolder, programSettings, root } from '../../../testing/root'
import { temporaryFolder } from '../../../testing/release-with-tests'
import {
  eventually,
  operator,
  opsToken,
  searchSite,
  startTestSite,
  type TestSite,
} from '../../../testing/site'

type Row = Readonly<Record<string, unknown>>
/** What the old version answered, and all rows of its store as its own SQLite driver read them. */
type Facts = {
  publicKey: { kid: string; spki: string }
  /**
   * Event batches that were sealed but not sent: one for the older envelope key, one for the
   * newest.
   */
  sealed: Array<{ _t: string; _a: string }>
  redeemed: string
  unredeemed: string
  /** Valid until 2100. */
  preview: string
  script: string
  social: string
  /** Value of `countedSeries`. */
  requests: number
  rows: Readonly<Record<string, readonly Row[]>>
}

/** Rows of each table when the old version was killed. */
const counts = {
  accounts: 2,
  event_contexts: 2,
  events: 32,
  fingerprints: 1,
  helpful_votes: 3,
  messages: 2,
  migrations: 1,
  referrals: 2,
  search_misses: 2,
  secrets: 3,
  sources: 1,
  tokens: 3,
  used_nonces: 3,
}
/** What later versions have added; old events are counted in the background. */
const added = {
  address_counts: 0,
  announced_pages: 0,
  announcement_batches: 0,
  announcements: 0,
  ...Object.fromEntries(
    [
      'count_cursors',
      'error_groups',
      'event_days',
      'event_hours',
      'event_keys',
      'leases',
      'visitor_days',
    ].map((table) => [table, expect.any(Number)]),
  ),
  migrations: migrationNames.length,
  operator_sessions: 0,
  prune_results: 0,
  route_vitals: expect.any(Number),
  search_terms: 0,
  search_totals: 2,
  translation_sources: 0,
  vitals: 0,
}
/**
 * The old version's backup, made during its first run. The database file without its log holds as
 * many events.
 */
const countsInBackup = {
  accounts: 1,
  events: 27,
  helpful_votes: 1,
  messages: 1,
  secrets: 2,
  tokens: 1,
}
const countedSeries = 'site_requests_total{route="other",locale="",cache="none",status="200"}'

const folder = temporaryFolder('upgrade')
const dataDir = join(folder, 'data')
const storeFile = join(dataDir, 'site.db')
const env = { DATA_DIR: dataDir, CONTENT_DIR: join(folder, 'content'), OPS_TOKEN: opsToken }
const contentFiles = (): string[] =>
  readdirSync(dataDir).filter((name) => /^content(-\d+)?\.db$/.test(name))
const backups = (): string[] => readdirSync(join(dataDir, 'backups')).sort()
const searches = [
  ['en', 'proxies', '/docs/proxies'],
  ['es', 'proxy', '/es/docs/proxies'],
  ['zh', '代理', '/docs/proxies'],
] as const
async function hitsOf(lang: LocaleCode, query: string): Promise<string[]> {
  const { hits } = await searchSite(site, query, lang)
  return hits.map(({ url }) => url)
}

/** `npm run db:backup` and `db:restore` start this script. */
const command = (data: string, ...args: string[]) =>
  spawnSync(process.execPath, [join(buildFolder(), 'server', 'store.js'), ...args], {
    env: { ...programSettings(), DATA_DIR: data },
    encoding: 'utf8',
  })

/** Every row of a store, after SQLite has checked the file. */
function readRows(file: string): Record<string, Row[]> {
  const db = new Database(file, { readonly: true, fileMustExist: true })
  try {
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok')
    const sql =
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name"
    const rowsOf = (table: string): Row[] =>
      db.prepare<[], Row>(`SELECT * FROM "${table}" ORDER BY 1, 2`).all()
    return Object.fromEntries(
      db
        .prepare<[], { name: string }>(sql)
        .all()
        .map(({ name }) => [name, rowsOf(name)]),
    )
  } finally {
    db.close()
  }
}
const countsOf = (rows: Readonly<Record<string, readonly Row[]>>): Record<string, number> =>
  Object.fromEntries(Object.entries(rows).map(([table, list]) => [table, list.length]))

function expectOldRowsIn(file: string): void {
  const present = readRows(file)
  for (const [table, rows] of Object.entries(facts.rows)) {
    // Later versions may add columns.
    expect(present[table]).toEqual(
      expect.arrayContaining(rows.map((row) => expect.objectContaining(row) as Row)),
    )
  }
}
/**
 * Warnings and errors in the log. Two are left out, because they say nothing about the upgrade:
 * what the operator of a new site must fill in, and a search that the site ended after 2 s.
 */
const warningsOf = ({ logs }: TestSite): unknown[] =>
  logs.filter(
    ({ level, msg }) =>
      !['info', 'debug'].includes(level) && !/^(before going live|a search was ended)/.test(msg),
  )

let facts: Facts
let site: TestSite
/** Metrics right after the first start, before this test adds to them. */
let metrics = ''

beforeAll(() => {
  execFileSync('tar', [
    '-xzf',
    join(root, 'test/fixtures/data-folder-14c6aa0.tar.gz'),
    '-C',
    folder,
  ])
  facts = JSON.parse(readFileSync(join(folder, 'facts.json'), 'utf8')) as Facts
}, 60_000)
afterAll(async () => {
  await site?.stop()
  rmSync(folder, { recursive: true, force: true })
})

describe('a data folder of the previous version', () => {
  it('was left by a killed process: some rows are in the SQLite log only', () => {
    const alone = join(folder, 'without-log.db')
    copyFileSync(storeFile, alone)
    expect([readRows(alone)['events']?.length, countsOf(facts.rows)]).toEqual([
      countsInBackup.events,
      counts,
    ])
  })

  it('keeps every row of the store at the first start', async () => {
    site = await startTestSite(env)
    metrics = (await site.get('/_ops/metrics', { headers: operator })).body
    expect(countsOf(readRows(storeFile))).toEqual({ ...counts, ...added })
    expectOldRowsIn(storeFile)
  }, 120_000)

  it('keeps its envelope keys: the public key is the same, and envelopes sealed before are accepted', async () => {
    expect((await callApi(site.port, '/sys/config/public-key')).data).toEqual(facts.publicKey)
    for (const form of facts.sealed) {
      const answer = await callApi(site.port, '/sys/config/event', { form })
      expect(answer).toMatchObject({ status: 200, data: { accepted: 1, refused: 0 } })
    }
    expect(countsOf(readRows(storeFile))).toEqual({
      ...counts,
      ...added,
      events: 34,
      event_contexts: 4,
    })
  })

  it('refuses its one-time tokens: one was redeemed, the other has expired', async () => {
    for (const token of [facts.redeemed, facts.unredeemed]) {
      expect(
        (await callApi(site.port, '/sys/user/passport/redeem', { json: { token } })).status,
      ).toBe(401)
    }
  })

  it('keeps its preview links valid', async () => {
    const { status, body } = await site.get(facts.preview)
    expect([status, body.includes('Words nobody has published.')]).toEqual([200, true])
    expect((await site.get('/blog/draft')).status).toBe(404)
  })

  it.each([
    ['/', 'en', '<html lang="en-US"'],
    ['/pricing', 'en', '<html lang="en-US"'],
    ['/blog', 'en', '/blog/first-script-with-the-local-api'],
    ['/blog/first-script-with-the-local-api', 'en', '<h1'],
    ['/docs/proxies', 'zh', '<html lang="zh-CN"'],
    ['/es/docs/proxies', 'en', '<html lang="es-ES"'],
    // This sentence was compiled shortly before the process was killed: it is in the SQLite log
    // only.
    ['/docs/profiles', 'en', 'A sentence that the running site compiled.'],
    ['/terms', 'en', '<h1'],
    ['/en-US-sitemap.xml', 'en', '/docs/proxies'],
  ] as const)('serves %s on the host of %s', async (path, host, text) => {
    const { status, body } = await site.get(path, {
      host: host === 'zh' ? 'zh.localhost' : 'localhost',
    })
    expect([status, body.includes(text)]).toEqual([200, true])
  })

  it.each(searches)('answers a search in %s for %s', async (lang, query, url) => {
    expect(await hitsOf(lang, query)).toContain(url)
  })

  it('keeps serving scripts of the old build, social pictures and picture variants', async () => {
    expect(existsSync(join(buildFolder(), 'client', facts.script))).toBe(false)
    expect((await site.get(facts.script)).status).toBe(200)
    const hash = facts.social.split('/')[2] ?? ''
    expect((await site.get(facts.social)).bytes).toEqual(
      readFileSync(join(dataDir, 'og', `${hash}.png`)),
    )
    const variant = await site.get(
      '/_image/w_320,f_webp/content/blog/first-script-with-the-local-api/cover.png',
    )
    expect([variant.status, variant.headers['content-type']]).toEqual([200, 'image/webp'])
  })

  it('continues the counters of the old version', () => {
    const line = metrics.split('\n').find((text) => text.startsWith(countedSeries)) ?? ''
    expect(Number(line.split(' ').at(-1))).toBeGreaterThanOrEqual(facts.requests)
  })

  // The tables have another version, so the site has compiled all content before it was ready.
  it('replaces the compiled content, without an error or a warning in the log', async () => {
    await eventually(() =>
      expect(site.logs.some(({ msg }) => msg === 'content compiled')).toBe(true),
    )
    await eventually(() => expect(contentFiles().length).toBe(1))
    expect((await site.get('/docs/profiles')).body).toContain(
      'A sentence that the running site compiled.',
    )
    for (const [lang, query, url] of searches) expect(await hitsOf(lang, query)).toContain(url)
    expect(warningsOf(site)).toEqual([])
  })

  it('loses its copies of pages, whose folder has another name now', async () => {
    await eventually(() => expect(existsSync(join(dataDir, 'frozen'))).toBe(false))
  })

  it('keeps every row at a second start', async () => {
    await site.stop()
    expect(warningsOf(site)).toEqual([])
    site = await startTestSite(env)
    expect((await callApi(site.port, '/sys/config/public-key')).data).toEqual(facts.publicKey)
    for (const path of ['/docs/profiles', facts.script])
      expect((await site.get(path)).status).toBe(200)
    expectOldRowsIn(storeFile)
    expect(warningsOf(site)).toEqual([])
  }, 120_000)

  it('can be backed up while the site runs', () => {
    const before = backups()
    expect(command(dataDir, 'backup')).toMatchObject({ status: 0, stderr: '' })
    const [made = ''] = backups().filter((name) => !before.includes(name))
    expectOldRowsIn(join(dataDir, 'backups', made))
  })

  it('contains a backup of the old version, which can be restored', () => {
    const [old = ''] = backups()
    const other = join(folder, 'restored')
    expect(command(other, 'restore', join(dataDir, 'backups', old))).toMatchObject({
      status: 0,
      stderr: '',
    })
    expect(countsOf(readRows(join(other, 'site.db')))).toMatchObject(countsInBackup)
  })
})
