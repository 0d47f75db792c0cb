import { describe, expect, it } from '@jest/globals'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { createPageCache, type StoredPage } from '../../server/render/page-cache'
import { createJobs } from '../../server/render/render-jobs'
import { negotiateEncoding } from '../../server/render/send-page'
import { withoutNonce } from '../../server/render/render-page'
import { jsonForScript } from '../../server/render/json-for-script'
import { hashSource } from '../../server/render/content-security-policy'

const page = (text: string, tags: string[] = []): StoredPage => ({ status: 200, headers: { a: 'b' }, body: Buffer.from(text), encoded: {}, etag: 'e', storedAt: 1000, tags })

describe('the page cache', () => {
  it('is bounded by bytes, compressed forms counted, least recently used first out', async () => {
    const cache = createPageCache({ maxBytes: 40_000, ttl: 1000 })
    for (let index = 0; index < 10; index += 1) {
      cache.store(`k${index}`, page('x'.repeat(6000)), cache.mark())
      cache.get('k0')
    }
    expect(cache.stats().bytes).toBeLessThanOrEqual(40_000)
    expect(cache.get('k0')).toBeDefined()
    expect(cache.get('k1')).toBeUndefined()
    const before = cache.stats().bytes
    const last = cache.get('k9')
    if (!last) throw new Error('k9 is missing')
    await cache.compress('k9', last)
    expect(cache.stats().bytes).toBeGreaterThan(before)
  })

  it('compresses to the same text', async () => {
    const cache = createPageCache({ maxBytes: 1_000_000, ttl: 1000 })
    const stored = page('hello '.repeat(500))
    cache.store('k', stored, cache.mark())
    await cache.compress('k', stored)
    const { encoded = {} } = cache.get('k') ?? {}
    expect(brotliDecompressSync(encoded.br ?? Buffer.alloc(0))).toEqual(stored.body)
    expect(gunzipSync(encoded.gzip ?? Buffer.alloc(0))).toEqual(stored.body)
  })

  it('purges by tag, and does not store what was rendered before a purge', () => {
    const cache = createPageCache({ maxBytes: 1_000_000, ttl: 1000 })
    cache.store('a', page('a', ['blog', 'locale:en']), cache.mark())
    cache.store('b', page('b', ['news']), cache.mark())
    const mark = cache.mark()
    expect(cache.purgeTags(['blog', 'other'])).toBe(1)
    expect([cache.get('a'), cache.get('b')?.body.toString()]).toEqual([undefined, 'b'])
    expect(cache.store('a', page('old', ['blog']), mark)).toBe(false)
    expect(cache.get('a')).toBeUndefined()
  })

  it('holds nothing with a size of 0', () => {
    const cache = createPageCache({ maxBytes: 0, ttl: 1000 })
    expect([cache.enabled, cache.store('a', page('a'), cache.mark()), cache.get('a')]).toEqual([false, false, undefined])
  })

  it('counts the seconds that an entry is fresh', () => {
    const cache = createPageCache({ maxBytes: 1000, ttl: 5000, now: () => 3500 })
    expect(cache.ttlOf(page('a'))).toBe(2)
    expect(createPageCache({ maxBytes: 1000, ttl: 5000, now: () => 9000 }).ttlOf(page('a'))).toBe(-3)
  })
})

describe('render jobs', () => {
  it('let others wait for one render, and abort it when all have gone', async () => {
    const jobs = createJobs<string>()
    const first = jobs.begin('k')
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
    [undefined, 'identity'], ['', 'identity'], ['gzip, deflate, br', 'br'], ['gzip', 'gzip'], ['br;q=0, gzip', 'gzip'], ['br;q=0.1, gzip;q=0.9', 'gzip'], ['*', 'br'], ['*;q=0', 'identity'],
    ['identity', 'identity'], ['BR', 'br'], ['gzip;q=0', 'identity'], ['deflate', 'identity'], ['identity;q=0.5, br;q=0.2', 'identity'], [';;,,q=', 'identity'],
  ])('%s: %s', (accept, expected) => {
    expect(negotiateEncoding(accept)).toBe(expected)
  })
})

describe('what a page holds inline', () => {
  it('cannot end its script element', () => {
    const json = jsonForScript({ a: '</script><script>alert(1)</script>', b: '\u2028\u2029', c: '<!--' })
    expect(json).not.toMatch(/[<>\u2028\u2029]/)
    expect(JSON.parse(json)).toEqual({ a: '</script><script>alert(1)</script>', b: '\u2028\u2029', c: '<!--' })
  })

  it('is stored without the nonce of its first answer', () => {
    const { html, scripts } = withoutNonce(Buffer.from('<p>a</p><script nonce="abc">run()</script><script nonce="abc">run()</script>'))
    expect(html.toString()).toBe('<p>a</p><script>run()</script><script>run()</script>')
    expect(scripts).toEqual([hashSource('run()')])
  })
})
