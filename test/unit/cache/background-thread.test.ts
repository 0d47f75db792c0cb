import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { MessageChannel } from 'node:worker_threads'
import { afterEach, expect, it, jest } from '@jest/globals'
import type { BackgroundJob, JobResult } from '../../../server/cache/background-jobs'
import { createBackgroundThread } from '../../../server/cache/background-thread'
import { temporaryFolder } from '../../../testing/release-with-tests'

afterEach(() => {
  jest.dontMock('node:worker_threads')
})

const write = (name: string) => ({ folder: '', file: name, bytes: Buffer.alloc(0) })

it('a crash of the thread fails one job; the next ones run in a new thread', async () => {
  const script = join(temporaryFolder('background'), 'worker.cjs')
  writeFileSync(
    script,
    `const { parentPort } = require('node:worker_threads')
    parentPort.on('message', (message) => {
      const { file } = message
      if (message === 'close' || file === 'exit') process.exit()
      if (file === 'throw') throw new Error('out of memory')
      parentPort.postMessage(file === 'error' ? { error: 'no space' } : { forms: {} })
    })`,
  )
  const background = createBackgroundThread(script)
  const results = await Promise.allSettled(
    ['a', 'error', 'b', 'throw', 'c', 'exit', 'd'].map((name) => background.write(write(name))),
  )
  expect(
    results.map((result) => (result.status === 'rejected' ? String(result.reason) : '')),
  ).toEqual([
    '',
    'Error: no space',
    '',
    'Error: out of memory',
    '',
    'Error: the background thread ended',
    '',
  ])
  await background.close()
})

it('close waits for the job that runs', async () => {
  const folder = temporaryFolder('background')
  const script = join(folder, 'worker.cjs')
  writeFileSync(
    script,
    `const { writeFileSync } = require('node:fs')
    const { parentPort } = require('node:worker_threads')
    parentPort.on('message', (message) => {
      if (message === 'close') process.exit()
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200)
      writeFileSync(message.file, 'complete')
    })`,
  )
  const background = createBackgroundThread(script)
  const file = join(folder, 'file')
  void background.write(write(file))
  await background.close()
  expect(readFileSync(file, 'utf8')).toBe('complete')
  // There is no thread any more.
  await background.close()
})

it('a write that fails is reported, and the thread goes on', async () => {
  const { port1: site, port2: thread } = new MessageChannel()
  jest.doMock('node:worker_threads', () => ({ parentPort: thread, threadId: 1 }))
  await import('../../../server/cache/background-worker')
  const run = (job: BackgroundJob): Promise<JobResult> =>
    new Promise((resolve) => {
      site.once('message', resolve)
      site.postMessage(job)
    })
  const folder = temporaryFolder('background')
  const file = join(folder, 'file')
  writeFileSync(file, '')
  const bytes = Buffer.from('a')
  expect(
    await run({ kind: 'write', folder: join(file, 'a'), file: join(file, 'a', 'b'), bytes }),
  ).toEqual({ error: expect.stringContaining('ENOTDIR') })
  expect(await run({ kind: 'write', folder, file, bytes })).toEqual({ forms: {} })
  site.close()
})
