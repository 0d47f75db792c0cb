import Database from 'better-sqlite3'
import { LRUCache } from 'lru-cache'
import type { Job, Outcome, Row } from './sqlite-jobs'

type Connection = Database.Database
type RunJob = (job: Job) => Outcome

/** Most jobs that share a commit. Bounds how long the first of them waits. */
const maxGroupSize = 512
const maxPreparedStatements = 200

/**
 * Runs jobs on one SQLite connection. Jobs that are queued at the same time share one transaction,
 * and so one flush to disk; each is answered after that commit, never before. A job that violates a
 * constraint fails alone. When the disk is full or the file is locked, all jobs of the group fail.
 * A job with `owner` belongs to an explicit transaction, and other jobs wait until that ends.
 */
export function createGroupCommit(
  db: Connection,
  onOutcomes: (outcomes: Outcome[]) => void,
): { add: (jobs: readonly Job[]) => void; flush: () => void } {
  const queue: Job[] = []
  const { run, isReadOnly } = createJobRunner(db)
  /** Owner of the open transaction. */
  let owner: number | null = null
  let isScheduled = false

  function runOwned(job: Job): void {
    // On a full disk SQLite has rolled back by itself, and refuses to do it again.
    const isRolledBack = job.sql === 'ROLLBACK' && !db.inTransaction
    const outcome = isRolledBack ? { id: job.id, rows: [], changes: 0 } : run(job)
    owner = db.inTransaction ? (job.owner ?? null) : null
    onOutcomes([outcome])
  }

  function runGroup(jobs: readonly Job[]): void {
    const reads = jobs.filter(isReadOnly)
    const writes = jobs.filter((job) => !reads.includes(job))
    // Reads run outside the transaction, so that they do not wait for the lock of another process.
    if (reads.length > 0) onOutcomes(reads.map(run))
    if (writes.length > 0) onOutcomes(commitTogether(db, run, writes))
  }

  function flush(): void {
    isScheduled = false
    while (queue.length > 0) {
      // During a transaction only its owner's jobs run; otherwise the first job decides what runs.
      const ownedIndex = owner === null ? 0 : queue.findIndex((job) => job.owner === owner)
      const next = queue[ownedIndex]
      if (!next) return
      if (next.owner !== undefined) {
        queue.splice(ownedIndex, 1)
        runOwned(next)
        continue
      }
      const firstOwned = queue.findIndex((job) => job.owner !== undefined)
      const groupSize = Math.min(maxGroupSize, firstOwned === -1 ? queue.length : firstOwned)
      runGroup(queue.splice(0, groupSize))
    }
  }

  return {
    add(jobs) {
      queue.push(...jobs)
      if (isScheduled) return
      isScheduled = true
      // setImmediate runs after all messages that have arrived, so that their jobs form one group.
      setImmediate(flush)
    },
    flush,
  }
}

/** Runs single statements with a cache of prepared statements. */
function createJobRunner(db: Connection): { run: RunJob; isReadOnly: (job: Job) => boolean } {
  const statements = new LRUCache<string, Database.Statement>({ max: maxPreparedStatements })

  function prepare(sql: string): Database.Statement {
    let statement = statements.get(sql)
    if (!statement) statements.set(sql, (statement = db.prepare(sql)))
    return statement
  }

  return {
    run({ id, sql, parameters }) {
      try {
        const statement = prepare(sql)
        // A cast because better-sqlite3 does not type rows; by default every row is an object.
        if (statement.reader) return { id, rows: statement.all(...parameters) as Row[], changes: 0 }
        return { id, rows: [], changes: statement.run(...parameters).changes }
      } catch (error) {
        return { id, error: describeError(error) }
      }
    },
    isReadOnly({ sql }) {
      try {
        return prepare(sql).readonly
      } catch {
        return false
      }
    },
  }
}

/**
 * Runs jobs in one transaction. When the store itself fails, none of them is stored and all fail.
 */
function commitTogether(db: Connection, run: RunJob, jobs: readonly Job[]): Outcome[] {
  try {
    db.exec('BEGIN IMMEDIATE')
    const outcomes: Outcome[] = []
    for (const job of jobs) {
      const outcome = run(job)
      outcomes.push(outcome)
      // On a full disk SQLite rolls the transaction back by itself.
      if (outcome.error && (!db.inTransaction || isStoreError(outcome.error.code)))
        throw new Database.SqliteError(outcome.error.message, outcome.error.code)
    }
    db.exec('COMMIT')
    return outcomes
  } catch (error) {
    if (db.inTransaction) db.exec('ROLLBACK')
    return jobs.map(({ id }) => ({ id, error: describeError(error) }))
  }
}

/** Whether an error concerns the store, not the statement. */
const isStoreError = (code: string): boolean =>
  /^SQLITE_(?:FULL|IOERR|BUSY|LOCKED|READONLY|CORRUPT|NOTADB|CANTOPEN|NOMEM)/.test(code)

/**
 * Recognizes SQLite's errors by their code, not by their class: the native addon is loaded once per
 * process, so its errors may belong to another copy of the class, and even of `Error`.
 */
function describeError(error: unknown): { code: string; message: string } {
  if (error !== null && typeof error === 'object' && 'code' in error && 'message' in error) {
    const { code, message } = error
    if (typeof code === 'string' && code.startsWith('SQLITE'))
      return { code, message: String(message) }
  }
  return { code: '', message: String(error) }
}
