import { expect, test } from '@jest/globals'
import { chunkReload, prefetch } from '../../shared/constants'
import { afterChunkFailure } from '../../client/navigation/chunk-reload'
import { createPayloads } from '../../client/navigation/payloads'

const buildId = 'b'
const at = (pathname: string) => ({ pathname, search: '' })

/** Payloads whose answers and whose clock the test holds in its hands. */
function handPayloads(answer: (url: string) => unknown = () => ({ buildId, route: 'faq' })) {
  const asked: Array<{ url: string; signal: AbortSignal }> = []
  let now = 0
  const fetched = ((url: string, init: RequestInit) => {
    if (!init.signal) throw new Error('a request without a way to end it')
    asked.push({ url, signal: init.signal })
    return Promise.resolve(new Response(JSON.stringify(answer(url))))
  }) as typeof fetch
  return {
    asked,
    move: (ms: number) => void (now += ms),
    payloads: createPayloads({ fetch: fetched, buildId, now: () => now }),
  }
}

test('payloads are kept for an hour and at most fifty of them', async () => {
  const { asked, move, payloads } = handPayloads()
  for (let index = 0; index <= prefetch.entries; index += 1)
    await payloads.get(at(`/page-${index}`))
  expect(payloads.has(at('/page-0'))).toBe(false)
  expect(payloads.has(at('/page-1'))).toBe(true)
  // Used again, it is the last to go.
  await payloads.get(at('/page-1'))
  await payloads.get(at('/page-0'))
  expect([payloads.has(at('/page-1')), payloads.has(at('/page-2'))]).toEqual([true, false])
  expect(asked.length).toBe(prefetch.entries + 2)
  move(prefetch.lifetime - 1)
  expect(payloads.has(at('/page-1'))).toBe(true)
  move(1)
  expect(payloads.has(at('/page-1'))).toBe(false)
})

test('two that wait share one request, which ends only when both have given up', async () => {
  const { asked, payloads } = handPayloads(() => new Promise(() => undefined))
  const [first, second] = [new AbortController(), new AbortController()]
  const waiting = [first, second].map(({ signal }) =>
    payloads.get(at('/pricing'), { signal }).catch((error: Error) => error.name),
  )
  expect(asked.length).toBe(1)
  first.abort()
  expect(await waiting[0]).toBe('AbortError')
  expect(asked[0]?.signal.aborted).toBe(false)
  second.abort()
  expect(asked[0]?.signal.aborted).toBe(true)
  expect(payloads.has(at('/pricing'))).toBe(false)
})

test('what is missing, of another build, or no payload is not kept', async () => {
  for (const answer of [
    { buildId, statusCode: 404, message: '' },
    { buildId: 'other', route: 'faq' },
    { error: 'a proxy' },
  ]) {
    const { asked, payloads } = handPayloads(() => answer)
    await payloads.get(at('/x')).catch(() => undefined)
    await payloads.get(at('/x')).catch(() => undefined)
    expect(asked.length).toBe(2)
  }
})

test('a failed chunk reloads a path once in ten seconds; without storage, or with a broken one, never', () => {
  const kept = new Map<string, string>()
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  }
  const after = (path: string, now: number) => afterChunkFailure(path, { storage, now: () => now })
  expect([
    after('/a', 0),
    after('/b', 1),
    after('/a', 2),
    after('/a', chunkReload.guard - 1),
  ]).toEqual(['reload', 'reload', 'error-screen', 'error-screen'])
  expect(after('/a', chunkReload.guard)).toBe('reload')
  kept.set('chunk_reload', 'no JSON')
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
