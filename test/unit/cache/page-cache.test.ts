import { describe, expect, it, jest } from '@jest/globals'
import Database from 'better-sqlite3'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { createAnswerCache } from '../../../server/cache/answer-cache'
import { createFastKeys } from '../../../server/cache/cache-keys'
import { negotiateEncoding } from '../../../server/request/negotiate-encoding'
import { openPurgeChannel, purgeMatcher } from '../../../server/cache/purges'
import { createSingleFlight } from '../../../server/cache/single-flight'
import { sizeOfAnswer, type StoredAnswer } from '../../../server/cache/stored-answer'
import { jsonForScript } from '../../../server/pages/render/json-for-script'
import { inlineBackground } from '../../../testing/inline-background'
import { temporaryFolder } from '../../../testing/release-with-tests'
import { eventually } from '../../../testing/site'

const page = (
  text: string,
  tags: string[] = [],
  more: Partial<StoredAnswer> = {},
): StoredAnswer => ({
  status: 200,
  headers: { a: 'b' },
  body: Buffer.from(text),
  encoded: {},
  etag: 'e',
  storedAt: 1000,
  tags,
  route: 'home',
  locale: 'en',
  negotiated: false,
  queryMatters: false,
  ...more,
})
const cacheOf = (options: Partial<Parameters<typeof createAnswerCache>[0]> = {}) =>
  createAnswerCache({
    maxBytes: 1_000_000,
    ttlMs: 1000,
    now: () => 1000,
    background: inlineBackground,
    ...options,
  })
const tagged = (...tags: string[]) => purgeMatcher({ tags }, { en: '', zh: '', ru: '' })

describe('the page cache', () => {
  it('is limited in bytes, compressed forms included, least recently used first out', async () => {
    const cache = cacheOf({ maxBytes: 60_000 })
    for (let index = 0; index < 10; index += 1) {
      cache.store(`k${index}`, page('x'.repeat(6000)), cache.purgeCount())
      cache.get('k0')
    }
    expect(cache.stats().bytes).toBeLessThanOrEqual(60_000)
    expect(cache.get('k0')).toBeDefined()
    expect(cache.get('k1')).toBeUndefined()
    await eventually(() => expect(cache.peek('k9')?.prepared.answer.encoded.br).toBeDefined())
    expect(cache.stats().bytes).toBe(
      cache
        .list()
        .reduce((sum, { key, entry }) => sum + sizeOfAnswer(entry.prepared.answer) + key.length, 0),
    )
  })

  it('compresses a page, and compresses it further with another ETag when it is hot', async () => {
    const cache = cacheOf()
    const stored = page(
      Array.from({ length: 500 }, (_, index) => `hello ${index * 7919} `).join(''),
    )
    cache.store('k', stored, cache.purgeCount())
    await eventually(() =>
      expect(Object.keys(cache.peek('k')?.prepared.answer.encoded ?? {})).toEqual(['br', 'gzip']),
    )
    const { br, gzip } = cache.peek('k')?.prepared.answer.encoded ?? {}
    expect(brotliDecompressSync(br?.body ?? Buffer.alloc(0))).toEqual(stored.body)
    expect(gunzipSync(gzip?.body ?? Buffer.alloc(0))).toEqual(stored.body)
    for (let hit = 0; hit < 40; hit += 1) cache.get('k')
    await eventually(() =>
      expect(cache.peek('k')?.prepared.answer.encoded.br?.etagSuffix).toBe('br11'),
    )
    const hard = cache.peek('k')?.prepared.answer.encoded.br?.body ?? Buffer.alloc(0)
    expect(brotliDecompressSync(hard)).toEqual(stored.body)
    expect(hard.length).toBeLessThan(br?.body.length ?? 0)
    const etags = cache.peek('k')?.prepared.forms.br.fullHead.headers ?? []
    expect(etags[etags.indexOf('ETag') + 1]).toBe('"e-br11"')
  })

  it('purges by surrogate key, and does not store what was begun before a purge', () => {
    const cache = cacheOf()
    cache.store('a', page('a', ['blog', 'locale:en']), cache.purgeCount())
    cache.store('b', page('b', ['news']), cache.purgeCount())
    const mark = cache.purgeCount()
    expect(cache.purge(tagged('blog', 'other'))).toBe(1)
    expect([cache.get('a'), cache.get('b')?.prepared.answer.body.toString()]).toEqual([
      undefined,
      'b',
    ])
    expect(cache.store('a', page('old', ['blog']), mark)).toBeNull()
    expect(cache.get('a')).toBeUndefined()
  })

  it('hands over no copy of a page that was purged while it was compressed', async () => {
    let finishCompressing = (): void => undefined
    const compressed = new Promise<void>((resolve) => (finishCompressing = resolve))
    const onCompressed = jest.fn()
    const onReady = jest.fn()
    const background = {
      ...inlineBackground,
      compress: () => compressed.then(() => ({})),
    }
    const cache = cacheOf({ background, onCompressed })
    cache.store('purged', page('a', ['blog/a']), cache.purgeCount(), onReady)
    cache.store('kept', page('b', ['blog/b']), cache.purgeCount(), onReady)
    cache.purge(tagged('blog/a'))
    finishCompressing()
    await eventually(() => expect(onCompressed).toHaveBeenCalled())
    expect(onCompressed.mock.calls.map(([key]) => key)).toEqual(['kept'])
    expect(onReady).toHaveBeenCalledTimes(1)
  })

  it('stores 404s and redirects separately: a flood of them evicts no page, and any purge deletes them', () => {
    const cache = cacheOf({ maxBytes: 20_000 })
    cache.store('page', page('x'.repeat(5000)), cache.purgeCount())
    for (let index = 0; index < 10_000; index += 1)
      cache.store(
        `none${index}`,
        page('y'.repeat(3000), [], { status: 404, etag: '' }),
        cache.purgeCount(),
      )
    expect(cache.get('page')).toBeDefined()
    const { small } = cache.stats()
    expect(small.bytes).toBeLessThanOrEqual(small.maxBytes)
    expect(small.entries).toBeGreaterThan(100)
    expect(small.maxBytes).toBe(8 * 1024 * 1024)
    for (let index = 0; index < 5000; index += 1)
      cache.store(`tiny${index}`, page('y', [], { status: 404, etag: '' }), cache.purgeCount())
    expect(cache.stats().small.entries).toBeGreaterThan(4000)
    expect(cache.stats().small.entries).toBeLessThanOrEqual(4096)
    cache.purge(tagged('no answer has this'))
    expect(cache.stats().small.entries).toBe(0)
    expect(cache.get('page')).toBeDefined()
  })

  it('replaces a page by a 404, and a 404 by a page', () => {
    const cache = cacheOf()
    cache.store('k', page('here'), cache.purgeCount())
    cache.store('k', page('gone', [], { status: 404 }), cache.purgeCount())
    expect([cache.get('k')?.prepared.answer.status, cache.stats().entries]).toEqual([404, 0])
    cache.store('k', page('back'), cache.purgeCount())
    expect([cache.get('k')?.prepared.answer.status, cache.stats().small.entries]).toEqual([200, 0])
  })

  it('stores nothing with a size of 0', () => {
    const cache = cacheOf({ maxBytes: 0 })
    expect([
      cache.enabled,
      cache.store('a', page('a'), cache.purgeCount()),
      cache.get('a'),
    ]).toEqual([false, null, undefined])
  })

  it('serves a stale page for a day, reports its age, and requests one renewal at a time', () => {
    let now = 3500
    const cache = cacheOf({ ttlMs: 5000, now: () => now })
    cache.store('a', page('a'), cache.purgeCount())
    const status = () => cache.cacheStatusOf(cache.get('a') ?? fail('gone'))
    const due = () => cache.isRenewalDue(cache.get('a') ?? fail('gone'))
    expect([status(), due()]).toEqual(['site; hit; ttl=2', false])
    now = 9000
    expect([status(), due()]).toEqual(['site; hit; ttl=-3', true])
    cache.postponeRenewal('a')
    expect([status(), due()]).toEqual(['site; hit; ttl=-3', false])
    cache.postponeRenewal('a', true)
    expect([status(), due()]).toEqual(['site; hit; ttl=-3; detail=error', false])
    now += 5000
    expect([status(), due()]).toEqual(['site; hit; ttl=-8; detail=error', true])
    now = 6000 + 86_400_000
    expect(cache.get('a')).toBeDefined()
    now += 1
    expect(cache.get('a')).toBeUndefined()
  })

  it('purges pages and payloads by path on every host, and by full URL on one host', () => {
    const origins = {
      en: 'http://localhost:1',
      zh: 'http://zh.localhost:1',
      ru: 'http://ru.localhost:1',
    }
    const keys = [
      'en /',
      'zh /',
      'en /blog',
      'en /blog?page=2',
      'payload en /blog',
      'zh /blog',
      'en /blog/a',
      'island en RelatedArticles_0',
    ]
    const left = (paths: string[]): string[] => {
      const fits = purgeMatcher({ paths }, origins)
      return keys.filter((key) => !fits(key, page('')))
    }
    expect(left(['/blog'])).toEqual(['en /', 'zh /', 'en /blog/a', 'island en RelatedArticles_0'])
    expect(left(['http://zh.localhost:1/blog/', 'http://localhost:1'])).toEqual([
      'zh /',
      'en /blog',
      'en /blog?page=2',
      'payload en /blog',
      'en /blog/a',
      'island en RelatedArticles_0',
    ])
    expect(left(['/nothing'])).toEqual(keys)
    expect(purgeMatcher({ all: true }, origins)('island en X_0', page(''))).toBe(true)
  })
})

const fail = (message: string): never => {
  throw new Error(message)
}

describe('the purge channel', () => {
  it('reads a purge at the next poll when a poll fails', async () => {
    const folder = temporaryFolder('purge-channel')
    const onPurge = jest.fn()
    const onError = jest.fn()
    const sender = openPurgeChannel(folder, () => undefined, onError)
    const receiver = openPurgeChannel(folder, onPurge, onError)
    sender.announce({ tags: ['before'] })
    await eventually(() => expect(onPurge).toHaveBeenCalledTimes(1))
    const statement = new Database(':memory:').prepare('SELECT 1')
    const all = jest.spyOn(Object.getPrototypeOf(statement) as typeof statement, 'all')
    for (let poll = 0; poll < 3; poll += 1)
      all.mockImplementationOnce(() => {
        throw new Error('disk I/O error')
      })
    sender.announce({ tags: ['blog'] })
    await eventually(() => expect(onPurge).toHaveBeenLastCalledWith({ tags: ['blog'] }))
    all.mockRestore()
    sender.stop()
    receiver.stop()
    expect(onError).toHaveBeenCalledTimes(1)
  })

  it('reads the purges of others and not its own, in whatever order they come', async () => {
    const folder = temporaryFolder('purge-channel')
    const [a, b, onError] = [jest.fn(), jest.fn(), jest.fn()]
    const first = openPurgeChannel(folder, a, onError)
    const second = openPurgeChannel(folder, b, onError)
    first.announce({ tags: ['1'] })
    second.announce({ tags: ['2'] })
    first.announce({ tags: ['3'] })
    await eventually(() => expect(b.mock.calls).toEqual([[{ tags: ['1'] }], [{ tags: ['3'] }]]))
    await eventually(() => expect(a.mock.calls).toEqual([[{ tags: ['2'] }]]))
    first.announce({ tags: ['4'] })
    await eventually(() => expect(b).toHaveBeenLastCalledWith({ tags: ['4'] }))
    expect([a.mock.calls.length, onError.mock.calls.length]).toEqual([1, 0])
    for (const channel of [first, second]) channel.stop()
  })

  it('reports a purge that it cannot announce, and announces the next ones', async () => {
    const folder = temporaryFolder('purge-channel')
    const onPurge = jest.fn()
    const onError = jest.fn()
    const sender = openPurgeChannel(folder, () => undefined, onError)
    const receiver = openPurgeChannel(folder, onPurge, () => undefined)
    const db = new Database(join(folder, 'purges.db'))
    db.exec('ALTER TABLE purges RENAME TO away')
    sender.announce({ tags: ['lost'] })
    expect(onError.mock.calls).toEqual([[expect.objectContaining({ code: 'SQLITE_ERROR' })]])
    db.exec('ALTER TABLE away RENAME TO purges')
    db.close()
    sender.announce({ tags: ['blog'] })
    await eventually(() => expect(onPurge.mock.calls).toEqual([[{ tags: ['blog'] }]]))
    sender.stop()
    receiver.stop()
  })
})

describe('the key of a raw target', () => {
  const key = createFastKeys('build1', (segment) => ['es', 'th'].includes(segment))
  it.each([
    ['/', 'en /', false],
    ['/pricing', 'en /pricing', false],
    ['/pricing?utm=x', 'en /pricing', true],
    ['/pricing?', 'en /pricing', true],
    ['/blog?page=2', 'en /blog?page=2', false],
    ['/blog?page=2&a=1', null, null],
    ['/blog?page=1', 'en /blog?page=1', false],
    ['/blog?%70age=2', null, null],
    ['/pricing#x', null, null],
    ['/pricing?a#x', null, null],
    ['/es', 'en /es', false],
    ['/es?a=1', null, null],
    ['/es?', null, null],
    ['/es/?a=1', 'en /es', true],
    ['/es/?', 'en /es/', true],
    ['/es/', 'en /es/', false],
    ['/x/?a=1', 'en /x/', true],
    ['//?a=1', 'en //', true],
    ['/pricing/_payload.json?build1', 'payload en /pricing', false],
    ['/_payload.json?build1', 'payload en /', false],
    ['/pricing/_payload.json?build2', null, null],
    ['/pricing/_payload.json', 'en /pricing/_payload.json', false],
    ['/pricing?/_payload.json', 'en /pricing', true],
    ['http://localhost/pricing', 'en http://localhost/pricing', false],
  ])('%s', (target, expected, cut) => {
    const found = key('en', target)
    expect([found?.key ?? null, found?.dropsQuery ?? null]).toEqual([expected, cut])
  })
})

describe('single flight', () => {
  it('runs one job for all requests, and aborts it when all clients have disconnected', async () => {
    const jobs = createSingleFlight<string>()
    const first = jobs.start('k')
    const second = jobs.join('k')
    expect(jobs.join('other')).toBeNull()
    first.leave()
    expect(first.signal.aborted).toBe(false)
    second?.leave()
    expect(first.signal.aborted).toBe(true)
    first.settle(null)
    expect(await second?.done).toBeNull()
    expect(jobs.join('k')).toBeNull()
  })
})

describe('negotiating an encoding', () => {
  it.each([
    [undefined, 'identity'],
    ['', 'identity'],
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0.1, gzip;q=0.9', 'gzip'],
    ['*', 'br'],
    ['*;q=0', 'identity'],
    ['identity', 'identity'],
    ['BR', 'br'],
    ['gzip;q=0', 'identity'],
    ['deflate', 'identity'],
    ['identity;q=0.5, br;q=0.2', 'identity'],
    [';;,,q=', 'identity'],
  ])('%s: %s', (accept, expected) => {
    expect(negotiateEncoding(accept)).toBe(expected)
    // The second time from the remembered results.
    expect(negotiateEncoding(accept)).toBe(expected)
  })

  it('remembers a limited number of headers', () => {
    for (let index = 0; index < 5000; index += 1)
      expect(negotiateEncoding(`x${index}, br`)).toBe('br')
    expect(negotiateEncoding('gzip')).toBe('gzip')
  })
})

describe('an inline script', () => {
  it('cannot contain the end of its element', () => {
    const json = jsonForScript({
      a: '</script><script>alert(1)</script>',
      b: '\u2028\u2029',
      c: '<!--',
    })
    expect(json).not.toMatch(/[<>\u2028\u2029]/)
    expect(JSON.parse(json)).toEqual({
      a: '</script><script>alert(1)</script>',
      b: '\u2028\u2029',
      c: '<!--',
    })
  })
})
