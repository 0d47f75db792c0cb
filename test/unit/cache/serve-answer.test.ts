/** Answers that are being made (spec 8.4). */
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from '@jest/globals'
import pino from 'pino'
import { createAnswerCache } from '../../../server/cache/answer-cache'
import { createAnswerTurns } from '../../../server/cache/answer-turns'
import { createAnswerServer } from '../../../server/cache/serve-answer'
import { createStaleIfErrorStore } from '../../../server/cache/stale-if-error-store'
import type { StoredAnswer } from '../../../server/cache/stored-answer'
import { eventually } from '../../../testing/site'

function createServer(cacheOptions: { maxBytes: number; now?: () => number } = { maxBytes: 1e6 }) {
  const lines: string[] = []
  const background = {
    compress: () => Promise.resolve({}),
    compressHot: () => Promise.resolve({}),
    write: () => Promise.resolve(),
  }
  const cache = createAnswerCache({ ttlMs: 1000, background, ...cacheOptions })
  const serveAnswer = createAnswerServer({
    cache,
    countMiss: () => Promise.resolve(),
    trustedProxies: 0,
    staleIfError: createStaleIfErrorStore({
      // Does not exist: there are no copies.
      folder: join(tmpdir(), 'copies-of-no-site'),
      stamp: 'test',
      maxBytes: 1e6,
      maxAgeMs: 1000,
      background,
      onError: () => undefined,
    }),
    secondLevel: null,
    turns: createAnswerTurns({ hits: () => 0 }),
    log: pino({ level: 'error' }, { write: (line: string) => void lines.push(line) }),
  })
  return { serveAnswer, cache, lines }
}

it.each([
  ['is not logged when its client has left', true, 0],
  ['is logged when its client waits', false, 1],
])('an answer that cannot be made %s', async (_, leaves, logged) => {
  const { serveAnswer, lines } = createServer()
  const request = new IncomingMessage(new Socket())
  const response = new ServerResponse(request)
  const produce = (): Promise<never> => {
    if (leaves) response.emit('close')
    return Promise.reject(new Error('cannot be made'))
  }
  const produceError = (): Promise<never> => Promise.reject(new Error('no error page either'))
  await serveAnswer({ key: 'en /pricing', produce, produceError }, request, response).catch(
    () => undefined,
  )
  expect(lines).toHaveLength(logged)
})

it('a stale page whose renewal is an answer that is not stored is not served again', async () => {
  const { serveAnswer, cache } = createServer({ maxBytes: 1e6, now: () => 5000 })
  const answerOf = (status: number): StoredAnswer => ({
    status,
    headers: {},
    body: Buffer.from('a'),
    encoded: {},
    etag: 'e',
    storedAt: 1000,
    tags: [],
    route: 'pricing',
    locale: 'en',
    negotiated: false,
    queryMatters: false,
  })
  const key = 'en /pricing'
  cache.store(key, answerOf(200), cache.purgeCount())
  const request = new IncomingMessage(new Socket())
  const answer = answerOf(410)
  const produce = () => Promise.resolve({ kind: 'whole' as const, answer, storable: true })
  const produceError = (): Promise<never> => Promise.reject(new Error('not needed'))
  await serveAnswer({ key, produce, produceError }, request, new ServerResponse(request))
  await eventually(() => expect(cache.peek(key)).toBeUndefined())
})
