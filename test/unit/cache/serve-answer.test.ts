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

function createServer() {
  const lines: string[] = []
  const background = {
    compress: () => Promise.resolve({}),
    compressHot: () => Promise.resolve({}),
    write: () => Promise.resolve(),
  }
  const serveAnswer = createAnswerServer({
    cache: createAnswerCache({ maxBytes: 1e6, ttlMs: 1000, background }),
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
  return { serveAnswer, lines }
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
