import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import express from 'express'
import { expect, it, jest } from '@jest/globals'
import { SiteError } from '../../../server/errors'
import { errorHandler } from '../../../server/middleware/error-handler'
import { createLogger } from '../../../server/telemetry/logger'

function answerTo(error: unknown) {
  const log = createLogger('silent')
  const logged = jest.spyOn(log, 'error')
  const app = express()
  const hosts = { isSecureFor: () => false }
  const services = {
    log,
    hosts,
    metrics: { countError: () => undefined },
    recentErrors: { add: () => undefined },
    // A cast because the handler needs one function of the hosts.
  } as unknown as Parameters<typeof errorHandler>[0]
  app.use((_request, _response, next) => next(error)).use(errorHandler(services))
  const request = Object.assign(new IncomingMessage(new Socket()), { method: 'GET', url: '/a' })
  const response = new ServerResponse(request)
  const end = jest.spyOn(response, 'end')
  app(request, response)
  return { status: response.statusCode, body: String(end.mock.calls[0]?.[0]), logged }
}
const libraryError = (status: unknown): Error =>
  Object.assign(new Error('secret of library'), { status })

it.each([
  ['of the site', new SiteError('tooManyRequests'), 429],
  ['404 of a library', libraryError(404), 404],
  ['416 of a library', libraryError(416), 416],
  ['of a library that refuses the request', libraryError(413), 400],
  ['of a library that fails', libraryError(502), 500],
  ['with a status that is no number', libraryError('404'), 500],
  ['without a status', new Error('secret of library'), 500],
  ['that is no object', 'secret of library', 500],
])('an error %s is answered with its public message', (_name, error, expected) => {
  const { status, body, logged } = answerTo(error)
  expect(status).toBe(expected)
  expect(body).not.toContain('secret')
  // What is not the request's fault is logged with its cause.
  expect(logged.mock.calls.map(([fields]) => fields)).toEqual(
    expected === 500 ? [{ err: error }] : [],
  )
})
