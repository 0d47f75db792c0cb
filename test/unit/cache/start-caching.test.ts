import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, jest } from '@jest/globals'
import { startCaching } from '../../../server/cache/start-caching'
import { readSettings } from '../../../server/env'
import { createLogger } from '../../../server/telemetry/logger'
import { inlineBackground } from '../../../testing/inline-background'
import { temporaryFolder } from '../../../testing/release-with-tests'
import { root } from '../../../testing/root'

it('a process that cannot tell others of purges says so, and purges its own pages', async () => {
  const folder = temporaryFolder('start-caching')
  mkdirSync(join(folder, 'purges.db'))
  const log = createLogger('silent')
  const warn = jest.spyOn(log, 'warn')
  const { cache, purge, stop } = startCaching({
    settings: readSettings({ DATA_DIR: folder }, root),
    build: { id: 'test' },
    hosts: { origins: { en: 'http://en.test', zh: 'http://zh.test', ru: 'http://ru.test' } },
    store: { onChange: () => undefined, generation: () => 1 },
    contentState: () => '',
    redis: null,
    background: { ...inlineBackground, write: () => Promise.resolve() },
    log,
  })
  const page = {
    status: 200,
    headers: {},
    body: Buffer.from('a'),
    encoded: {},
    etag: 'e',
    storedAt: Date.now(),
    tags: [],
    route: 'home',
    locale: 'en',
    negotiated: false,
    queryMatters: false,
  } as const
  cache.store('en /', page, cache.purgeCount())
  expect(purge({ all: true })).toBe(1)
  expect(warn.mock.calls).toEqual([
    [
      { err: expect.objectContaining({ code: 'SQLITE_CANTOPEN' }) },
      'purges do not reach the other processes',
    ],
  ])
  await stop()
})
