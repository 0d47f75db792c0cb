import { expect, it, jest } from '@jest/globals'
import { createTextFiles } from '../../../server/feeds/text-files'
import { createLogger } from '../../../server/telemetry/logger'

it('a text that cannot be compressed is kept and sent as it is', async () => {
  const log = createLogger('silent')
  const error = jest.spyOn(log, 'error')
  const failure = new Error('no memory')
  const text = 'openapi: 3.1.0\n'.repeat(100)
  const find = createTextFiles({
    store: { openApi: () => text, generation: () => 1 },
    background: { compress: () => Promise.reject(failure) },
    settings: { INDEXNOW_KEY: '' },
    log,
    // `/openapi.yaml` needs no other service.
  } as unknown as Parameters<typeof createTextFiles>[0])
  const made = find('en', '/openapi.yaml')
  if (made?.kind !== 'file') throw new Error('no file')
  made.make()
  await new Promise((resolve) => setImmediate(resolve))
  expect(error.mock.calls).toEqual([[{ err: failure }, 'a text could not be compressed']])
  expect(find('en', '/openapi.yaml')).toMatchObject({
    stored: { body: Buffer.from(text), encoded: {} },
  })
})
