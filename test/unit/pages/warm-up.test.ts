import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals'
import { startWarming } from '../../../server/pages/warm-up'
import { createLogger } from '../../../server/telemetry/logger'

const requested: string[] = []
const server = createServer(({ url, headers }, response) => {
  requested.push(`${headers.host}${url}`)
  if (url === '/broken') response.destroy()
  else response.end()
})
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
afterAll(() => new Promise((resolve) => server.close(resolve)))
beforeEach(() => void requested.splice(0))

describe('warming', () => {
  const log = createLogger('silent')
  const pace = { delayMs: 0, pauseMs: 0 }
  function start(stats: () => object, stopsAtOnce = false): Promise<void> {
    return new Promise((resolve) => {
      const services = {
        build: { warm: { en: ['/', '/broken', '/docs'], zh: ['/'], ru: [] } },
        cache: { enabled: true, stats },
        hosts: { origins: { en: 'http://en.test', zh: 'http://zh.test:81', ru: 'http://ru.test' } },
        log,
      } as unknown as Parameters<typeof startWarming>[0]
      const { port } = server.address() as AddressInfo
      const stop = startWarming(services, { port, close: resolve }, pace)
      if (stopsAtOnce) stop()
    })
  }

  it('requests the pages of all hosts in turn, also after one that fails, and says so', async () => {
    const info = jest.spyOn(log, 'info')
    await start(() => ({ pages: 4, bytes: 10 }))
    expect(requested).toEqual(['en.test/', 'zh.test:81/', 'en.test/broken', 'en.test/docs'])
    expect(info.mock.calls).toEqual([[{ pages: 4, bytes: 10 }, 'pages warmed']])
  })

  it('that fails is logged, and closes its listener', async () => {
    const warn = jest.spyOn(log, 'warn')
    const failure = new Error('no counts')
    await start(() => {
      throw failure
    })
    expect(warn.mock.calls).toEqual([[{ err: failure }, 'warming has stopped']])
  })

  it('that is stopped requests nothing more', async () => {
    await start(() => ({}), true)
    expect(requested).toEqual([])
  })
})
