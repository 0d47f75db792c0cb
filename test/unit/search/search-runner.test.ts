import childProcess from 'node:child_process'
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, expect, it, jest } from '@jest/globals'
import { createSearchRunner } from '../../../server/search/search-runner'
import { createLogger } from '../../../server/telemetry/logger'

const options = { script: 'search.js', database: 'content.db', log: createLogger('silent') }
const request = {
  query: 'a',
  locale: 'en',
  collection: null,
  limit: 1,
  disabledRoutes: [],
} as const
/** The runner starts this program instead of the search process. */
const replaceProcess = (program: string, args: readonly string[] = []) =>
  jest
    .spyOn(childProcess, 'fork')
    .mockImplementation(() =>
      childProcess.spawn(program, args, { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] }),
    )
afterEach(() => {
  jest.restoreAllMocks()
})

it('a search process that cannot be started is busy, and the next search tries again', async () => {
  const error = jest.spyOn(options.log, 'error')
  const runner = createSearchRunner(options)
  replaceProcess('/nowhere/node')
  for (let tries = 1; tries <= 2; tries += 1) {
    await expect(runner.run(request)).rejects.toMatchObject({ error: 'searchBusy' })
    expect(error.mock.calls.filter(([, text]) => text === 'the search process failed')).toEqual(
      Array.from({ length: tries }, () => [
        { err: expect.objectContaining({ code: 'ENOENT' }) },
        'the search process failed',
      ]),
    )
  }
})

it('no result stays in memory', async () => {
  replaceProcess(process.execPath, [
    '--eval',
    `process.send('started')
     process.on('message', () => process.send({ result: { hits: [], total: 0 } }))`,
  ])
  const runner = createSearchRunner(options)
  const results: Array<WeakRef<object>> = []
  for (let count = 0; count < 5; count += 1) results.push(new WeakRef(await runner.run(request)))
  // A WeakRef keeps its object until the current turn of the event loop has ended.
  await setImmediate()
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  collectGarbage()
  expect(results.map((result) => result.deref())).toEqual(results.map(() => undefined))
  await runner.close()
})

it('a process that ended between two searches is replaced without refusing one', async () => {
  const runner = createSearchRunner(options)
  const running = replaceProcess(process.execPath, [
    '--eval',
    `process.send('started')
     process.on('message', () => process.send({ result: { hits: [], total: 0 } }, () => process.exit()))`,
  ])
  const error = jest.spyOn(options.log, 'error')
  for (const count of [1, 2]) {
    expect(await runner.run(request)).toEqual({ hits: [], total: 0 })
    expect(running).toHaveBeenCalledTimes(count)
    const last = running.mock.results.at(-1)?.value as childProcess.ChildProcess
    if (last.exitCode === null) await new Promise((resolve) => last.once('exit', resolve))
  }
  expect(error).not.toHaveBeenCalled()
  await runner.close()
})
