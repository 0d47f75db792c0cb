import { Worker } from 'node:worker_threads'
import type { FromWorker, Job, Outcome, Row, ToWorker } from './sqlite-jobs'
import { StoreFailure } from './store-failure'

export type Done = { rows: Row[]; changes: number }
export type SqliteThread = {
  /** Resolves when the statement is committed (on disk, where it wrote). */
  run: (job: Omit<Job, 'id'>) => Promise<Done>
  /** Statements that wait or run. */
  waiting: () => number
  close: () => Promise<void>
}

type Waiting = { resolve: (done: Done) => void; reject: (error: Error) => void }

/** Statements that may wait at once; more are refused, so that a stuck disk does not fill the memory. */
const longestQueue = 20_000

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
 * The worker thread that holds the SQLite connection. Statements of the same turn of the event loop travel together. A thread that
 * fell is started again by the next statement; what waited for it is refused.
 */
export function createSqliteThread(file: string, script: string): SqliteThread {
  let thread: Worker | null = null
  let outbox: Job[] = []
  let next = 1
  const waiting = new Map<number, Waiting>()

  function fail(reason: string): void {
    thread = null
    for (const { reject } of waiting.values()) reject(new StoreFailure(reason))
    waiting.clear()
  }

  function start(): Worker {
    const started = new Worker(script, { workerData: { file }, execArgv: [] })
    started.on('message', (message: FromWorker) => {
      if ('outcomes' in message) message.outcomes.forEach(settle)
      else if ('failed' in message && thread === started) fail(message.failed)
    })
    started.on('error', (error) => thread === started && fail(error.message))
    started.on('exit', () => thread === started && fail('the thread of the database ended'))
    return started
  }

  function settle(outcome: Outcome): void {
    const one = waiting.get(outcome.id)
    waiting.delete(outcome.id)
    if (outcome.error) one?.reject(new SqliteFailure(outcome.error.message, outcome.error.code))
    else one?.resolve(outcome)
  }

  function send(): void {
    const jobs = outbox
    outbox = []
    thread ??= start()
    thread.postMessage({ jobs } satisfies ToWorker)
  }

  return {
    run(job) {
      if (waiting.size >= longestQueue)
        return Promise.reject(new StoreFailure('too much waits for the database'))
      return new Promise((resolve, reject) => {
        const id = next++
        waiting.set(id, { resolve, reject })
        if (outbox.push({ ...job, id }) === 1) setImmediate(send)
      })
    },
    waiting: () => waiting.size,
    async close() {
      const closing = thread
      if (!closing) return
      if (outbox.length > 0) send()
      const ended = new Promise((resolve) => closing.once('exit', resolve))
      closing.postMessage({ close: true } satisfies ToWorker)
      await ended
    },
  }
}
