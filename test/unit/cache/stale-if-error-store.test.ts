import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { brotliCompressSync } from 'node:zlib'
import { describe, expect, it, jest } from '@jest/globals'
import type { WriteJob } from '../../../server/cache/background-jobs'
import { createStaleIfErrorStore } from '../../../server/cache/stale-if-error-store'
import type { StoredAnswer } from '../../../server/cache/stored-answer'
import { temporaryFolder } from '../../../testing/release-with-tests'

const key = 'en /pricing'
const hourMs = 60 * 60 * 1000
const body = Buffer.from('<p>Prices</p>')
const answerAt = (storedAt: number): StoredAnswer => ({
  status: 200,
  headers: {},
  body,
  encoded: { br: { body: brotliCompressSync(body), etagSuffix: 'br' } },
  etag: 'e',
  storedAt,
  tags: [],
  route: 'pricing',
  locale: 'en',
  negotiated: false,
  queryMatters: false,
})

function writeFile({ folder, file, bytes }: Omit<WriteJob, 'kind'>): Promise<void> {
  mkdirSync(folder, { recursive: true })
  writeFileSync(file, bytes)
  return Promise.resolve()
}

function createStore(write: typeof writeFile, now: () => number, maxBytes = 1e9) {
  const folder = temporaryFolder('stale-if-error')
  const store = createStaleIfErrorStore({
    folder,
    stamp: 'test',
    maxBytes,
    maxAgeMs: 25 * hourMs,
    now,
    background: { write },
    onError: (error) => {
      throw error
    },
  })
  return { store, folder }
}

describe('copies on disk', () => {
  it('of a page that never changes stay usable, and are not written at each renewal', async () => {
    const start = Date.now()
    let now = start
    const write = jest.fn(writeFile)
    const { store } = createStore(write, () => now)
    for (let hour = 0; hour < 60; hour += 1) {
      store.save(key, answerAt(now))
      await store.whenWritten()
      now += hourMs
      expect((await store.read(key))?.body).toEqual(body)
    }
    expect(write).toHaveBeenCalledTimes(5)
  })

  it('are written again after they were removed because of their size', async () => {
    const write = jest.fn(writeFile)
    const { store, folder } = createStore(write, Date.now, 0)
    for (const times of [1, 2]) {
      store.save(key, answerAt(Date.now()))
      await store.whenWritten()
      expect(write).toHaveBeenCalledTimes(times)
    }
    // Copies are removed at the first of many writes.
    expect(readdirSync(folder)).toHaveLength(1)
  })

  it('are deleted after a write that is running, and are written again when the page is back', async () => {
    let finishWrite = (): void => undefined
    const paused = new Promise<void>((resolve) => (finishWrite = resolve))
    const { store, folder } = createStore((job) => paused.then(() => writeFile(job)), Date.now)
    store.save(key, answerAt(Date.now()))
    store.remove(key)
    finishWrite()
    await store.whenWritten()
    expect(readdirSync(folder)).toEqual([])
    store.save(key, answerAt(Date.now()))
    await store.whenWritten()
    expect(readdirSync(folder)).toHaveLength(1)
  })
})
