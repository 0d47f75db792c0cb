import { afterEach, expect, it, jest } from '@jest/globals'
import { z } from 'zod'

afterEach(() => {
  jest.dontMock('undici')
  jest.resetModules()
})

it('reads after the HTTP client could not be loaded', async () => {
  let failures = 2
  const body = (): AsyncIterable<Buffer> =>
    (async function* () {
      yield Buffer.from(await Promise.resolve('{"code":0,"data":"read"}'))
    })()
  class Pool {
    request = () => Promise.resolve({ statusCode: 200, body: body() })
    destroy = () => Promise.resolve()
  }
  jest.doMock('undici', () => {
    if ((failures -= 1) >= 0) throw new Error('EMFILE: too many open files')
    return { Pool }
  })
  const { createUpstreamReader } = await import('../../../server/api/upstream/upstream-reader')
  const { read, close } = createUpstreamReader('http://localhost:1')
  const ask = (): Promise<string> => read('/home/base-info', {}, z.string())
  // A read tries twice.
  await expect(ask()).rejects.toThrow('too many open files')
  expect(await ask()).toBe('read')
  close()
})
