import childProcess from 'node:child_process'
import { expect, it, jest } from '@jest/globals'
import { createSearchRunner } from '../../../server/search/search-runner'
import { createLogger } from '../../../server/telemetry/logger'

it('a search process that cannot be started is busy, and the next search tries again', async () => {
  const log = createLogger('silent')
  const error = jest.spyOn(log, 'error')
  const runner = createSearchRunner({ script: 'search.js', database: 'content.db', log })
  jest
    .spyOn(childProcess, 'fork')
    .mockImplementation(() =>
      childProcess.spawn('/nowhere/node', { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] }),
    )
  for (let tries = 1; tries <= 2; tries += 1) {
    await expect(
      runner.run({ query: 'a', locale: 'en', collection: null, limit: 1, disabledRoutes: [] }),
    ).rejects.toMatchObject({ error: 'searchBusy' })
    expect(error.mock.calls.filter(([, text]) => text === 'the search process failed')).toEqual(
      Array.from({ length: tries }, () => [
        { err: expect.objectContaining({ code: 'ENOENT' }) },
        'the search process failed',
      ]),
    )
  }
})
