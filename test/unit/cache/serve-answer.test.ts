/** Answers that are being made (spec 8.4). */
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { expect, it, jest } from '@jest/globals'
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

const answerOf = (status: number, etag = 'old'): StoredAnswer => ({
  status,
  headers: {},
  body: Buffer.from('a'),
  encoded: {},
  etag,
  storedAt: 1000,
  tags: [],
  route: 'pricing',
  locale: 'en',
  negotiated: false,
  queryMatters: false,
})

/** What the cache holds of a stale page after it was renewed with an answer. */
async function renewWith(answer: StoredAnswer, storable: boolean) {
  const { serveAnswer, cache, lines } = createServer({ maxBytes: 1e6, now: () => 5000 })
  const key = 'en /pricing'
  cache.store(key, answerOf(200), cache.purgeCount())
  const request = new IncomingMessage(new Socket())
  const produce = jest.fn(() => Promise.resolve({ kind: 'whole' as const, answer, storable }))
  const produceError = (): Promise<never> => Promise.reject(new Error('not needed'))
  await serveAnswer({ key, produce, produceError }, request, new ServerResponse(request))
  await eventually(() => expect(produce).toHaveBeenCalledTimes(1))
  // The rest of the renewal waits for nothing.
  await setImmediate()
  return { kept: cache.peek(key)?.prepared.answer.etag, logged: lines.length }
}

it.each([
  ['replaced by a new one', answerOf(200, 'new'), true, { kept: 'new', logged: 0 }],
  [
    'kept when the new one was made in part',
    answerOf(200, 'new'),
    false,
    { kept: 'old', logged: 1 },
  ],
  ['kept when it cannot be made', answerOf(502), true, { kept: 'old', logged: 1 }],
  ['deleted when it is gone', answerOf(410), true, { kept: undefined, logged: 0 }],
  ['deleted at a 404 that is not stored', answerOf(404), false, { kept: undefined, logged: 0 }],
])('a stale page is %s', async (_, answer, storable, expected) => {
  expect(await renewWith(answer, storable)).toEqual(expected)
})
