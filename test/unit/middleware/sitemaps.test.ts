import { createServer } from 'node:http'
import express from 'express'
import { expect, it, jest } from '@jest/globals'
import { listen } from '../../../server/http/listen'
import { sitemaps } from '../../../server/middleware/sitemaps'
import { createLogger } from '../../../server/telemetry/logger'
import { createRedirectTable } from '../../../server/url/redirect-table'
import { eventually } from '../../../testing/site'

it('a sitemap whose entries cannot be read is cut off, and logged', async () => {
  const log = createLogger('silent')
  const error = jest.spyOn(log, 'error')
  const failure = new Error('the database was closed')
  const origins = { en: 'http://en.test', zh: 'http://zh.test', ru: 'http://ru.test' }
  const services = {
    log,
    countMiss: () => Promise.resolve(),
    build: { id: 'test' },
    hosts: { origins, hostNameOf: () => 'en' },
    store: {
      generation: () => 1,
      outlineState: () => '',
      outline: () => [],
      localesOf: () => [],
      listTranslated: () => {
        throw failure
      },
    },
    urlContext: () => ({
      origins,
      redirects: createRedirectTable(),
      firstDoc: () => null,
      isSolution: () => false,
      preSales: true,
    }),
    // A cast because the row needs nothing else of the store and the hosts.
  } as unknown as Parameters<typeof sitemaps>[0]
  const server = createServer(express().use(sitemaps(services)))
  const port = await listen(server, { port: 0, host: '127.0.0.1' })
  const body = fetch(`http://127.0.0.1:${port}/en-US-sitemap.xml`).then((response) =>
    response.text(),
  )
  await expect(body).rejects.toMatchObject({ name: 'TypeError' })
  await eventually(() =>
    expect(error.mock.calls).toEqual([[{ err: failure }, 'a sitemap was cut off']]),
  )
  await new Promise((resolve) => server.close(resolve))
})
