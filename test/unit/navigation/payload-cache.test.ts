import { expect, test } from '@jest/globals'
import { chunkReload, prefetch } from '../../../shared/constants'
import { afterChunkFailure } from '../../../client/navigation/chunk-reload'
import { createPayloadCache } from '../../../client/navigation/payload-cache'

const buildId = 'b'
const at = (pathname: string) => ({ pathname, search: '' })

/** A payload cache with fake answers and a fake clock. */
function cacheWith(answer: (url: string) => unknown = () => ({ buildId, route: 'faq' })) {
  const requests: Array<{ url: string; signal: AbortSignal; cache: string | undefined }> = []
  let now = 0
  let isOffline = false
  const fetch = ((url: string, init: RequestInit) => {
    if (!init.signal) throw new Error('the request cannot be aborted')
    requests.push({ url, signal: init.signal, cache: init.cache })
    return Promise.resolve(new Response(JSON.stringify(answer(url))))
  }) as typeof globalThis.fetch
  return {
    requests,
    advance: (ms: number) => void (now += ms),
    goOffline: () => void (isOffline = true),
    payloads: createPayloadCache({
      fetch,
      buildId,
      now: () => now,
      isOffline: () => isOffline,
    }),
  }
}

test('payloads are kept for an hour, at most fifty of them', async () => {
  const { requests, advance, payloads } = cacheWith()
  for (let index = 0; index <= prefetch.maxEntries; index += 1)
    await payloads.get(at(`/page-${index}`))
  expect(payloads.has(at('/page-0'))).toBe(false)
  expect(payloads.has(at('/page-1'))).toBe(true)
  // Used again, so it is dropped last.
  await payloads.get(at('/page-1'))
  await payloads.get(at('/page-0'))
  expect([payloads.has(at('/page-1')), payloads.has(at('/page-2'))]).toEqual([true, false])
  expect(requests.length).toBe(prefetch.maxEntries + 2)
  advance(prefetch.ttlMs - 1)
  expect(payloads.has(at('/page-1'))).toBe(true)
  advance(1)
  expect(payloads.has(at('/page-1'))).toBe(false)
})

test('the browser revalidates what its own cache holds', async () => {
  const { requests, payloads } = cacheWith()
  await payloads.get(at('/faq'))
  expect(requests.map(({ cache }) => cache)).toEqual(['no-cache'])
})

test('a payload answers for a minute, without a network for an hour', async () => {
  const { requests, advance, goOffline, payloads } = cacheWith()
  const page = at('/pricing')
  await payloads.get(page)
  advance(prefetch.lookUpMs - 1)
  await payloads.get(page)
  expect([payloads.isFresh(page), requests.length]).toEqual([true, 1])
  advance(1)
  expect([payloads.isFresh(page), payloads.has(page)]).toEqual([false, true])
  await payloads.get(page)
  expect([payloads.isFresh(page), requests.length]).toEqual([true, 2])
  advance(prefetch.ttlMs - 1)
  goOffline()
  expect(payloads.isFresh(page)).toBe(true)
  advance(1)
  expect(payloads.isFresh(page)).toBe(false)
})

test('two callers share one request, which is aborted only when both have aborted', async () => {
  const { requests, payloads } = cacheWith(() => new Promise(() => undefined))
  const [first, second] = [new AbortController(), new AbortController()]
  const waiting = [first, second].map(({ signal }) =>
    payloads.get(at('/pricing'), { signal }).catch((error: Error) => error.name),
  )
  expect(requests.length).toBe(1)
  first.abort()
  expect(await waiting[0]).toBe('AbortError')
  expect(requests[0]?.signal.aborted).toBe(false)
  second.abort()
  expect(requests[0]?.signal.aborted).toBe(true)
  expect(payloads.has(at('/pricing'))).toBe(false)
})

test('404 answers, payloads of another build and other answers are not cached', async () => {
  for (const answer of [
    { buildId, statusCode: 404, message: '' },
    { buildId: 'other', route: 'faq' },
    { error: 'a proxy' },
  ]) {
    const { requests, payloads } = cacheWith(() => answer)
    await payloads.get(at('/x')).catch(() => undefined)
    await payloads.get(at('/x')).catch(() => undefined)
    expect(requests.length).toBe(2)
  }
})

test('a failed chunk reloads a path once in ten seconds, and never without working storage', () => {
  const entries = new Map<string, string>()
  const storage = {
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => void entries.set(key, value),
  }
  const after = (path: string, now: number) => afterChunkFailure(path, { storage, now: () => now })
  expect([
    after('/a', 0),
    after('/b', 1),
    after('/a', 2),
    after('/a', chunkReload.guardMs - 1),
  ]).toEqual(['reload', 'reload', 'error-screen', 'error-screen'])
  expect(after('/a', chunkReload.guardMs)).toBe('reload')
  entries.set('chunk_reload', 'no JSON')
  expect(after('/c', 0)).toBe('reload')
  expect(afterChunkFailure('/a', { storage: null, now: () => 0 })).toBe('error-screen')
  expect(
    afterChunkFailure('/a', {
      storage: {
        getItem: () => null,
        setItem: () => {
          throw new Error('full')
        },
      },
      now: () => 0,
    }),
  ).toBe('error-screen')
})
