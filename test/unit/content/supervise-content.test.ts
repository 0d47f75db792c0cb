import childProcess from 'node:child_process'
import { rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals'
import {
  superviseContent,
  type ContentSupervisor,
} from '../../../server/content/compile/supervise-content'
import { createLogger } from '../../../server/telemetry/logger'
import { temporaryFolder } from '../../../testing/release-with-tests'
import { eventually } from '../../../testing/site'

const folder = temporaryFolder('supervisor')
const log = createLogger('silent')
const calls = {
  info: jest.spyOn(log, 'info'),
  warn: jest.spyOn(log, 'warn'),
  error: jest.spyOn(log, 'error'),
}
const script = join(folder, 'content.js')
const sources = {
  content: folder,
  locales: folder,
  public: folder,
  compiler: 'test',
  routes: 'test',
}
let supervisor: ContentSupervisor
beforeAll(async () => {
  writeFileSync(
    script,
    `console.log(JSON.stringify({ level: 'warn', msg: 'left out', file: 'a.md' }))
    console.log('a line of Node')
    console.error('a failure')
    for (let count = 0; count < 2; count += 1)
      process.send({ type: 'compiled', generation: 1, node: 'v1.2.3' })
    setInterval(() => undefined, 1000)`,
  )
  // Files that another version left behind: a content database, and a lock that cannot be read.
  for (const name of ['content-1.db', 'content-1.lock']) {
    writeFileSync(join(folder, name), 'no database, but longer than a header is'.repeat(20))
    utimesSync(join(folder, name), 1, 1)
  }
  supervisor = superviseContent({ ...sources, data: folder, script }, log)
  await eventually(() => expect(supervisor.nodeVersion()).toBe('v1.2.3'))
})
afterAll(async () => {
  await supervisor.stop()
  rmSync(folder, { recursive: true, force: true })
})

it('logs what the content process prints, whether it is JSON or not', () =>
  eventually(() => {
    expect(calls.warn).toHaveBeenCalledWith({ from: 'content', file: 'a.md' }, 'left out')
    expect(calls.info).toHaveBeenCalledWith({ from: 'content' }, 'a line of Node')
    expect(calls.error).toHaveBeenCalledWith({ from: 'content' }, 'a failure')
  }))

it('warns once when the content process runs on another version of Node', () => {
  expect(calls.warn.mock.calls.filter(([, text]) => text?.includes('version of Node'))).toEqual([
    [{ node: 'v1.2.3', own: process.version }, expect.stringContaining('restart the site')],
  ])
})

it('starts although content of another version cannot be removed', () => {
  expect(calls.warn).toHaveBeenCalledWith(
    { err: expect.objectContaining({ code: 'SQLITE_NOTADB' }) },
    'content compiled for other versions could not be removed',
  )
})

it('starts the content process again when it could not be started', async () => {
  const data = temporaryFolder('supervisor-again')
  const started = jest
    .spyOn(childProcess, 'fork')
    // Node reports some failures by an event, and throws others.
    .mockImplementationOnce(() => childProcess.spawn('/nowhere/node', { stdio: ['ipc'] }))
    .mockImplementationOnce(() => {
      throw Object.assign(new Error('spawn ENOMEM'), { code: 'ENOMEM' })
    })
  const another = superviseContent({ ...sources, data, script }, log)
  await eventually(() => expect(another.nodeVersion()).toBe('v1.2.3'))
  await another.stop()
  for (const code of ['ENOENT', 'ENOMEM'])
    expect(calls.error).toHaveBeenCalledWith(
      { err: expect.objectContaining({ code }) },
      'the content process ended; starting it again',
    )
  expect(started).toHaveBeenCalledTimes(3)
  started.mockRestore()
  rmSync(data, { recursive: true, force: true })
})
