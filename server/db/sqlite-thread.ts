import { Worker } from 'node:worker_threads'
import type { FromWorker, Job, Outcome, Row, SqliteFile, ToWorker } from './sqlite-jobs'
import { StoreFailure } from './store-failure'

type StatementResult = { rows: Row[]; changes: number }
export type SqliteThread = {
  /** Resolves when the statement is committed, which for a write means on disk. */
  run: (job: Omit<Job, 'id'>) => Promise<StatementResult>
  /** Number of statements that wait or run. */
  queueLength: () => number
  close: () => Promise<void>
}

type PendingJob = { resolve: (result: StatementResult) => void; reject: (error: Error) => void }

/** Further statements are refused, so that a stuck disk does not fill the memory. */
const maxQueueLength = 20_000

/** An error of SQLite, with its code. */
class SqliteFailure extends Error {
  constructor(
    message: string,
    readonly code: string,
  ) {
    super(message)
  }
}

/**
 * The worker thread that holds the SQLite connection. Statements that arrive while it works wait,
 * and are then sent together: under load many share one message and one commit. Those of an
 * explicit transaction are sent at once, because the thread may be waiting for them. After a crash
 * the next statement starts a new thread; pending statements are rejected.
 */
export function createSqliteThread(file: SqliteFile, script: string): SqliteThread {
  let thread: Worker | null = null
  let unsentJobs: Job[] = []
  let nextId = 1
  const pending = new Map<number, PendingJob>()
  /** Whether the thread has jobs that it has not answered. */
  const isWorking = (): boolean => pending.size > unsentJobs.length

  function failAll(reason: string): void {
    thread = null
    unsentJobs = []
    for (const { reject } of pending.values()) reject(new StoreFailure(reason))
    pending.clear()
  }

  function start(): Worker {
    const started = new Worker(script, { workerData: file, execArgv: [] })
    started.on('message', (message: FromWorker) => {
      if ('outcomes' in message) {
        message.outcomes.forEach(settle)
        if (!isWorking()) send()
      } else if ('failed' in message && thread === started) failAll(message.failed)
    })
    started.on('error', (error: Error) => thread === started && failAll(error.message))
    started.on('exit', () => thread === started && failAll('the database thread ended'))
    return started
  }

  function settle(outcome: Outcome): void {
    const job = pending.get(outcome.id)
    pending.delete(outcome.id)
    if (outcome.error) job?.reject(new SqliteFailure(outcome.error.message, outcome.error.code))
    else job?.resolve(outcome)
  }

  function send(): void {
    if (unsentJobs.length === 0) return
    thread ??= start()
    thread.postMessage({ jobs: JSON.stringify(unsentJobs) } satisfies ToWorker)
    unsentJobs = []
  }

  return {
    run(job) {
      if (pending.size >= maxQueueLength)
        return Promise.reject(new StoreFailure('too many statements wait for the database'))
      if (!isWorking() || job.owner !== undefined) setImmediate(send)
      return new Promise((resolve, reject) => {
        const id = nextId++
        pending.set(id, { resolve, reject })
        unsentJobs.push({ ...job, id })
      })
    },
    queueLength: () => pending.size,
    async close() {
      const closing = thread
      if (!closing) return
      send()
      const ended = new Promise((resolve) => closing.once('exit', resolve))
      closing.postMessage({ close: true } satisfies ToWorker)
      await ended
    },
  }
}
