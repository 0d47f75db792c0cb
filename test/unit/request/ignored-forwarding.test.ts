import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { expect, it, jest } from '@jest/globals'
import {
  findIgnoredForwarding,
  noticeIgnoredForwarding,
} from '../../../server/request/ignored-forwarding'
import { createLogger } from '../../../server/telemetry/logger'
import { temporaryFolder } from '../../../testing/release-with-tests'

it('a request is answered when the ignored header cannot be marked for the doctor', () => {
  const log = createLogger('silent')
  const warn = jest.spyOn(log, 'warn')
  const listener = jest.fn()
  const settings = { TRUST_PROXY: 0, DATA_DIR: join(temporaryFolder('forwarding'), 'none') }
  const noticing = noticeIgnoredForwarding(listener, settings, log, () => undefined)
  const request = new IncomingMessage(new Socket())
  request.headers['x-forwarded-for'] = '203.0.113.7'
  noticing(request, new ServerResponse(request))
  expect(listener).toHaveBeenCalledTimes(1)
  expect(warn).toHaveBeenLastCalledWith(
    { err: expect.objectContaining({ code: 'ENOENT' }) },
    'the doctor will not know of it',
  )
  expect(findIgnoredForwarding(settings)).toBeNull()
})
