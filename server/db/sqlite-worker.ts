/** The thread that writes the site's SQLite file, so that flushes to disk never hold up a page. Built as `server/sqlite-worker.js`. */
import { parentPort, workerData } from 'node:worker_threads'
import { createGroupCommit } from './group-commit'
import { openSqlite } from './open-sqlite'
import type { FromWorker, ToWorker } from './sqlite-jobs'

const port = parentPort
if (!port) throw new Error('runs as a worker thread')
const say = (message: FromWorker): void => port.postMessage(message)

try {
  const { file } = workerData as { file: string }
  const db = openSqlite(file)
  const { add, flush } = createGroupCommit(db, (outcomes) => say({ outcomes }))
  port.on('message', (message: ToWorker) => {
    if ('jobs' in message) return add(message.jobs)
    flush()
    db.close()
    port.close()
  })
  say({ opened: true })
} catch (error) {
  say({ failed: error instanceof Error ? error.message : String(error) })
  port.close()
}
