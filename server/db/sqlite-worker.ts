/**
 * The worker thread that reads and writes the site's SQLite file, so that flushes to disk never
 * delay a page. Built as `server/sqlite-worker.js`.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { createGroupCommit } from './group-commit'
import { openSqlite } from './open-sqlite'
import type { FromWorker, Job, SqliteFile, ToWorker } from './sqlite-jobs'

const port = parentPort
if (!port) throw new Error('this file runs only as a worker thread')
const send = (message: FromWorker): void => port.postMessage(message)

try {
  // A cast because workerData is untyped: `createSqliteThread` sends this object.
  const { file, isForReports } = workerData as SqliteFile
  const db = openSqlite(file)
  if (isForReports) db.pragma('query_only = ON')
  const { add, flush } = createGroupCommit(db, (outcomes) => send({ outcomes }))
  port.on('message', (message: ToWorker) => {
    if ('jobs' in message) return add(JSON.parse(message.jobs) as Job[])
    flush()
    db.close()
    port.close()
  })
  send({ opened: true })
} catch (error) {
  send({ failed: error instanceof Error ? error.message : String(error) })
  port.close()
}
