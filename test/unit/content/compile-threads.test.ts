import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { MessageChannel } from 'node:worker_threads'
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals'
import { createCompileThreads } from '../../../server/content/compile/compile-threads'
import { temporaryFolder } from '../../../testing/release-with-tests'

let folder: string
let threads: ReturnType<typeof createCompileThreads>
beforeEach(() => {
  folder = temporaryFolder('compile-threads')
})
afterEach(() => threads.stop())

/** Threads that run `onJob` (JavaScript) with each job. Without threads, the title is `here`. */
function startThreads(onJob: string, maxWaitMs = 60_000): void {
  const worker = join(folder, 'worker.cjs')
  writeFileSync(
    worker,
    `const { workerData: { port, sent } } = require('node:worker_threads')
    const answer = (result) => {
      port.postMessage(result)
      Atomics.add(sent, 0, 1)
      Atomics.notify(sent, 0)
    }
    const sleep = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
    port.on('message', (job) => { ${onJob} })`,
  )
  const sources = {
    content: folder,
    locales: folder,
    public: folder,
    compiler: '',
    routes: '',
    worker,
  }
  threads = createCompileThreads(sources, { minFiles: 2, maxWaitMs })
}

/** The titles that files were compiled to, in the order of the files. */
const compile = (count: number): Array<string | undefined> =>
  Array.from({ length: count }, (_, number) =>
    threads.start({
      path: String(number),
      key: { collection: 'blog', id: 'a', locale: 'en' },
      source: '---\ntitle: here\ndescription: A\ndate: 2026-11-01\ncategory: proxies\n---\nA\n',
      references: new Map(),
    }),
  ).map((finish) => finish().article?.title)

it('threads compile all but the first files, whose results come in order', () => {
  // Every third file takes longer than the next ones.
  startThreads(`sleep(job.path % 3 === 0 ? 40 : 1)
    answer({ article: { title: job.path }, problems: [] })`)
  const byThread = Array.from({ length: 18 }, (_, index) => String(index + 2))
  expect(compile(20)).toEqual(['here', 'here', ...byThread])
})

it('a file that a thread could not compile is compiled here', () => {
  startThreads(`answer(job.path === '3' ? null : { article: { title: job.path }, problems: [] })`)
  expect(compile(5)).toEqual(['here', 'here', '2', 'here', '4'])
})

it('files of threads that have ended are compiled here; each thread is waited for once', () => {
  startThreads('process.exit()', 500)
  // Waiting half a second for each of them would take longer than a test may.
  expect(compile(200)).toEqual(Array.from({ length: 200 }, () => 'here'))
})

it('a thread tells that it could not compile a file, and goes on', async () => {
  const { port1: main, port2: port } = new MessageChannel()
  const sent = new Int32Array(new SharedArrayBuffer(4))
  const sources = { content: folder, public: folder }
  jest.doMock('node:worker_threads', () => ({ workerData: { port, sent, sources } }))
  await import('../../../server/content/compile/compile-worker')
  jest.dontMock('node:worker_threads')
  const compileThere = (job: object): Promise<unknown> =>
    new Promise((resolve) => {
      main.once('message', resolve)
      main.postMessage(job)
    })
  const job = {
    path: 'a',
    key: { collection: 'blog', id: 'a', locale: 'en' },
    references: new Map(),
  }
  expect(await compileThere({ ...job, source: null })).toBeNull()
  expect(await compileThere({ ...job, source: 'no article' })).toMatchObject({ article: null })
  expect(sent[0]).toBe(2)
  main.close()
})
