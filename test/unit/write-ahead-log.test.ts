import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { expect, it } from '@jest/globals'
import Database from 'better-sqlite3'
import { enableWriteAheadLog } from '../../server/write-ahead-log'
import { temporaryFolder } from '../../testing/release-with-tests'

/** Program of a thread that stands for another process: it locks the file for 200 ms. */
const holder = `
const { parentPort, workerData: { sqlite, file } } = require('node:worker_threads')
const db = new (require(sqlite))(file)
db.exec('BEGIN EXCLUSIVE')
parentPort.postMessage('locked')
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200)
db.exec('COMMIT')
db.close()
`

it('a file that another process is opening gets its write-ahead log afterwards', async () => {
  const file = join(temporaryFolder('write-ahead-log'), 'site.db')
  const thread = new Worker(holder, {
    eval: true,
    workerData: { sqlite: require.resolve('better-sqlite3'), file },
  })
  await new Promise((resolve) => thread.once('message', resolve))
  // `timeout: 0` makes SQLite fail at once. With two processes it does so whatever the timeout is.
  const db = new Database(file, { timeout: 0 })
  expect(() => db.pragma('journal_mode = WAL')).toThrow('database is locked')
  enableWriteAheadLog(db)
  expect(db.pragma('journal_mode', { simple: true })).toBe('wal')
  db.close()
})
