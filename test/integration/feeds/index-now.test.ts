/** Announcements of changed URLs by the IndexNow protocol (spec 9.9). */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals'
import {
  beginAttempt,
  endAttempt,
  formBatches,
  recordPages,
} from '../../../server/db/announcement-store'
import { openDatabase, type Database } from '../../../server/db/database'
import { createLease } from '../../../server/db/leases'
import { createSender } from '../../../server/feeds/index-now/send-batches'
import { createLogger } from '../../../server/telemetry/logger'
import { allLocales } from '../../../shared/i18n/locales'
import { contentWith } from '../../../testing/content-copy'
import { startIndexNowReceiver, type IndexNowReceiver } from '../../../testing/index-now'
import { buildFolder } from '../../../testing/root'
import { eventually, hostNames, startTestSite, type TestSite } from '../../../testing/site'
import { describeOnStores, type TestStore } from '../../../testing/stores'

const key = 'a-key-of-this-site-1234567890'
const article = (title: string): string =>
  `---\ntitle: "${title}"\ndescription: "What ${title} is about, in a sentence"\ndate: 2026-11-20\ncategory: proxies\n---\n\nSome words.\n`

describeOnStores('IndexNow', (startStore, storeName) => {
  /** What is announced and when does not depend on the database, so PostgreSQL gets one case. */
  const casesOf = <Case>(all: readonly Case[]): readonly Case[] =>
    storeName === 'SQLite' ? all : all.slice(0, 1)
  let store: TestStore
  let url: string
  let receiver: IndexNowReceiver
  let content: string
  let sites: TestSite[] = []

  const file = (path: string): string => join(content, path)
  const write = (path: string, text: string): void => {
    mkdirSync(join(file(path), '..'), { recursive: true })
    writeFileSync(file(path), text)
  }
  const start = (env: Record<string, string> = {}): Promise<TestSite> =>
    startTestSite({
      DATABASE_URL: url,
      CONTENT_DIR: content,
      INDEXNOW_KEY: key,
      INDEXNOW_ENDPOINT: receiver.endpoint,
      ...env,
    })
  const one = (): TestSite => {
    const [first] = sites
    if (!first) throw new Error('no site runs')
    return first
  }
  /** The next announcements, as paths by host name. */
  async function announced(count: number): Promise<Record<string, string[]>> {
    const list = await receiver.next(count)
    return Object.fromEntries(
      list.map(({ host, urlList }) => [
        host.replace(/:\d+$/, ''),
        urlList.map((one) => new URL(one).pathname).sort(),
      ]),
    )
  }

  beforeAll(async () => {
    store = await startStore()
    url = await store.url()
    receiver = await startIndexNowReceiver()
    content = contentWith({}, ['blog/profile-hygiene'])
    sites = [await start()]
    await eventually(() =>
      expect(one().logs.map(({ msg }) => msg)).toContain(
        'all pages are recorded: changes from now on are announced',
      ),
    )
    // All machines have the same origins.
    const { port } = one()
    const origins = {
      SITE_URL_EN: `http://localhost:${port}`,
      SITE_URL_ZH: `http://zh.localhost:${port}`,
      SITE_URL_RU: `http://ru.localhost:${port}`,
    }
    sites.push(await start(origins))
  }, 120_000)
  afterAll(async () => {
    await Promise.all(sites.map((site) => site.stop()))
    await receiver?.stop()
    await store?.stop()
    rmSync(content, { recursive: true, force: true })
  })

  it('serves the key on every host, and no other file of that kind', async () => {
    for (const host of Object.values(hostNames)) {
      const answer = await one().get(`/${key}.txt`, { host })
      expect(answer).toMatchObject({ status: 200, body: key })
      expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8')
    }
    expect((await one().get('/another-key.txt')).status).toBe(404)
  })

  it('announces nothing at the first start', () => {
    expect(receiver.answers).toEqual([])
  })

  // Each change is the first thing that is announced after the one before it: nothing is repeated.
  const page = 'blog/profile-hygiene'
  const changes: ReadonlyArray<[string, () => void, Record<string, string[]>]> = [
    [
      'a changed text, in all languages of its page',
      () =>
        write(`${page}/en.md`, `${readFileSync(file(`${page}/en.md`), 'utf8')}\nOne more line.\n`),
      { localhost: [`/${page}`], 'zh.localhost': [`/${page}`] },
    ],
    [
      'a published page',
      () => write('blog/brand-new/es.md', article('Something new')),
      { localhost: ['/es/blog/brand-new'] },
    ],
    [
      'a further language of a page',
      () => write('blog/brand-new/fr.md', article('Autre chose')),
      { localhost: ['/es/blog/brand-new', '/fr/blog/brand-new'] },
    ],
    [
      'a removed page, in the languages that it had',
      () => rmSync(file('blog/brand-new'), { recursive: true }),
      { localhost: ['/es/blog/brand-new', '/fr/blog/brand-new'] },
    ],
    [
      'a page that a redirect hides',
      () => write('redirects.yaml', `- { from: '/${page}', to: '/pricing', locales: [zh] }\n`),
      { localhost: [`/${page}`], 'zh.localhost': [`/${page}`] },
    ],
    [
      'a page without parameters that is switched off, in all languages',
      () =>
        write(
          'site.yaml',
          readFileSync(file('site.yaml'), 'utf8').replace('pre_sales: true', 'pre_sales: false'),
        ),
      {
        localhost: allLocales
          .filter(({ domain }) => domain === 'en')
          .map(({ prefix }) => `${prefix}/pre-sales`)
          .sort(),
        'zh.localhost': ['/pre-sales'],
        'ru.localhost': ['/pre-sales'],
      },
    ],
  ]
  it.each(casesOf(changes))('announces %s', async (_name, change, expected) => {
    change()
    expect(await announced(Object.keys(expected).length)).toEqual(expected)
  })

  const failing: ReadonlyArray<[string, IndexNowReceiver['failures']]> = [
    ['the endpoint fails', [{ status: 503 }]],
    ['the endpoint asks to wait', [{ status: 429, headers: { 'retry-after': '1' } }]],
    ['the key file could not be fetched', [{ status: 403 }]],
    ['the connection breaks', [{ status: 0 }]],
  ]
  it.each(casesOf(failing))('announces again when %s', async (_name, failures) => {
    const before = receiver.answers.length
    receiver.failures.push(...failures)
    write('blog/again/en.md', article(`Again ${before}`))
    expect(await announced(1)).toEqual({ localhost: ['/blog/again'] })
    expect(receiver.answers.slice(before)).toEqual([...failures.map(({ status }) => status), 200])
  })

  it('gives up a list that the protocol refuses, and goes on', async () => {
    receiver.failures.push({ status: 422 })
    write('blog/refused/en.md', article('Refused'))
    await eventually(() => expect(receiver.answers.at(-1)).toBe(422))
    write('blog/after/en.md', article('After'))
    expect(await announced(1)).toEqual({ localhost: ['/blog/after'] })
  })

  it('is silent with INDEXING=off, and after a restart announces what changed meanwhile, once', async () => {
    const count = receiver.answers.length
    const { port } = one()
    await Promise.all(sites.map((site) => site.stop()))
    sites = [await start({ INDEXING: 'off', PORT: String(port) })]
    write('blog/meanwhile/en.md', article('Meanwhile'))
    await eventually(async () => expect((await one().get('/blog/meanwhile')).status).toBe(200))
    await one().stop()
    expect(receiver.answers).toHaveLength(count)
    sites = [await start({ PORT: String(port) })]
    expect(await announced(1)).toEqual({ localhost: ['/blog/meanwhile'] })
    expect(receiver.answers).toHaveLength(count + 1)
  }, 60_000)
})

describeOnStores('the queue of announcements', (startStore: () => Promise<TestStore>) => {
  let store: TestStore
  let database: Database
  const leaseOf = (holder: string, ttlMs = 60_000) =>
    createLease(database, { name: 'index-now', holder, ttlMs })
  const origin = 'https://a.test'
  const urlsOf = (page: string) => [{ host: 'en' as const, url: `${origin}/${page}` }]
  const pages = (count: number, state: string) =>
    Array.from({ length: count }, (_, index) => ({ page: `blog/${index}`, state, locales: ['en'] }))

  beforeAll(async () => {
    store = await startStore()
    database = openDatabase({
      url: await store.url(),
      script: join(buildFolder(), 'server', 'sqlite-worker.js'),
      log: { error: () => undefined },
    })
  })
  afterAll(async () => {
    await database?.close()
    await store?.stop()
  })

  it('sends at most 10,000 URLs in a batch', async () => {
    const lease = leaseOf('one')
    expect(await lease.take()).toBe(true)
    const all = pages(10_001, 'a')
    for (let start = 0; start < all.length; start += 1000)
      expect(await recordPages(database, lease, all.slice(start, start + 1000), urlsOf)).toBe(true)
    await formBatches(database, lease, ['en', 'zh', 'ru'], 10_000)
    const sizes: number[] = []
    for (;;) {
      const batch = await beginAttempt(database, lease, Date.now() + 60_000)
      if (!batch) break
      expect(batch.list).toHaveLength(batch.urls)
      sizes.push(batch.urls)
      await endAttempt(database, batch.id, { status: 200, error: '', next_at: null })
    }
    expect(sizes).toEqual([10_000, 1])
  })

  it('queues a change once, and once more when the page changes while its batch is under way', async () => {
    const lease = leaseOf('one')
    const [page] = pages(1, 'b')
    if (!page) throw new Error('no page')
    for (const state of ['b', 'b', 'c'])
      await recordPages(database, lease, [{ ...page, state }], urlsOf)
    await formBatches(database, lease, ['en'], 10_000)
    expect((await beginAttempt(database, lease, Date.now() + 60_000))?.list).toEqual([
      `${origin}/blog/0`,
    ])
    expect(await beginAttempt(database, lease, Date.now() + 60_000)).toBeUndefined()
    await recordPages(database, lease, [{ ...page, state: 'd' }], urlsOf)
    await formBatches(database, lease, ['en'], 10_000)
    expect((await beginAttempt(database, lease, Date.now() + 60_000))?.list).toHaveLength(1)
  })

  it('is written by the process with the lease only', async () => {
    const [one, two] = [leaseOf('one', -1), leaseOf('two')]
    expect([await leaseOf('one').take(), await two.take()]).toEqual([true, false])
    // The lease of the first process expires.
    expect([await one.take(), await two.take(), await one.take()]).toEqual([true, true, false])
    expect(await recordPages(database, one, pages(1, 'e'), urlsOf)).toBe(false)
    expect(await recordPages(database, two, pages(1, 'e'), urlsOf)).toBe(true)
    await two.release()
    expect(await one.take()).toBe(true)
  })

  it('gives up a batch whose URLs were deleted', async () => {
    const lease = leaseOf('one')
    expect(await lease.take()).toBe(true)
    await recordPages(database, lease, pages(1, 'f'), urlsOf)
    await formBatches(database, lease, ['en'], 10_000)
    await database.run((db) => db.deleteFrom('announcements').execute())
    const log = createLogger('silent')
    const error = jest.spyOn(log, 'error')
    const sendDue = createSender({
      database,
      lease,
      hosts: { origins: { en: origin, zh: origin, ru: origin } },
      settings: { INDEXNOW_KEY: key, INDEXNOW_ENDPOINT: 'http://127.0.0.1:9/' },
      log,
    })
    await sendDue()
    await sendDue()
    expect(error.mock.calls).toEqual([
      [
        expect.objectContaining({ host: 'en', status: null, error: 'its URLs were deleted' }),
        'changed URLs could not be announced',
      ],
    ])
  })
})
