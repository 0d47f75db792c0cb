import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from '@jest/globals'
import { Kysely, sql } from 'kysely'
import { createSqliteDialect } from '../../../server/db/sqlite-dialect'
import { createSqliteThread } from '../../../server/db/sqlite-thread'
import { StoreFailure } from '../../../server/db/store-failure'
import { temporaryFolder } from '../../../testing/release-with-tests'

let thread: ReturnType<typeof createSqliteThread>
afterEach(() => thread.close())

/** A thread that runs `onJobs` (JavaScript) when statements arrive. */
function startThread(onJobs: string): ReturnType<typeof createSqliteThread> {
  const script = join(temporaryFolder('sqlite-thread'), 'worker.cjs')
  writeFileSync(
    script,
    `const { parentPort } = require('node:worker_threads')
    parentPort.on('message', ({ jobs, close }) => {
      if (close) return parentPort.close()
      for (const { id, parameters } of JSON.parse(jobs)) { ${onJobs} }
    })`,
  )
  thread = createSqliteThread({ file: ':memory:', isForReports: false }, script)
  return thread
}

it('a thread that does not answer gets at most 20,000 statements', async () => {
  const { run, queueLength, close } = startThread('')
  const job = { sql: 'SELECT 1', parameters: [] }
  const waiting = Promise.allSettled(Array.from({ length: 20_000 }, () => run(job)))
  await expect(run(job)).rejects.toEqual(
    new StoreFailure('too many statements wait for the database'),
  )
  expect(queueLength()).toBe(20_000)
  await new Promise((resolve) => setImmediate(resolve))
  await close()
  await waiting
})

/** The thread answers with the number of statements that it was sent in one message. */
const countTogether = `parentPort.postMessage({
  outcomes: [{ id, rows: [{ together: JSON.parse(jobs).length }], changes: 0 }],
})`

/**
 * Starts a thread that is busy with the first statements it gets until `end` is called, so that
 * those sent meanwhile must wait.
 */
function startBusyThread(onJobs: string) {
  const file = join(temporaryFolder('sqlite-thread'), 'end')
  const wait = `while (!require('node:fs').existsSync(${JSON.stringify(file)}))
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)`
  return { ...startThread(`${wait}\n${onJobs}`), end: () => writeFileSync(file, '') }
}

describe('statements that arrive while the thread works', () => {
  const nextTurn = () => new Promise((resolve) => setImmediate(resolve))
  const job = { sql: 'SELECT 1', parameters: [] }

  it.each([
    ['are sent together', [job, job, job], [1, 2, 2]],
    [
      'are sent at once with one of a transaction',
      [job, job, { ...job, owner: 1 }, job],
      [1, 2, 2, 1],
    ],
  ])('%s', async (_, jobs, expected) => {
    const { run, end } = startBusyThread(countTogether)
    const results = []
    for (const one of jobs) {
      results.push(run(one))
      await nextTurn()
    }
    end()
    const rows = (await Promise.all(results)).flatMap((result) => result.rows)
    expect(rows.map(({ together }) => together)).toEqual(expected)
  })
})

describe('the dialect of the thread', () => {
  const echo = 'parentPort.postMessage({ outcomes: [{ id, rows: [{ parameters }], changes: 0 }] })'
  const open = () => new Kysely<never>({ dialect: createSqliteDialect(startThread(echo)) })

  it('sends texts and numbers as they are, and booleans as numbers', async () => {
    const { rows } = await sql`SELECT ${'a'}, ${1.5}, ${null}, ${true}, ${false}`.execute(open())
    expect(rows).toEqual([{ parameters: ['a', 1.5, null, 1, 0] }])
  })

  it.each([
    ['bigint', 1n],
    ['object', new Date(0)],
    ['undefined', undefined],
  ])('refuses a value that cannot be sent as JSON: %s', (type, value) =>
    expect(sql`SELECT ${value}`.execute(open())).rejects.toThrow(
      `a statement has a parameter of type ${type}`,
    ),
  )

  it('sends statements together that are run at the same time', async () => {
    const db = new Kysely<never>({ dialect: createSqliteDialect(startThread(countTogether)) })
    const results = await Promise.all([sql`SELECT 1`.execute(db), sql`SELECT 2`.execute(db)])
    expect(results.flatMap(({ rows }) => rows)).toEqual([{ together: 2 }, { together: 2 }])
  })

  it('refuses to stream rows', () => {
    const rows = sql`SELECT 1`.compile(open())
    return expect(open().getExecutor().stream(rows, 1).next()).rejects.toThrow(
      'streaming rows is not supported',
    )
  })
})
