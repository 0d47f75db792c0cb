import Database from 'better-sqlite3'
import type { Job, Outcome, Row } from './sqlite-jobs'

/** Most jobs that share one commit: bounds how long the first of them waits. */
const groupSize = 512
/** Prepared statements kept. */
const statementsKept = 200

/**
 * Runs jobs on one SQLite connection. Jobs that wait at the same time share one transaction, hence one flush to disk; each is answered after
 * that commit, never before. A job that breaks a rule of the tables fails alone; when the disk is full or the file is locked, all of the group fail.
 * A job with `owner` belongs to a transaction of its own, which others wait for.
 */
export function createGroupCommit(
  db: Database.Database,
  answer: (outcomes: Outcome[]) => void,
): { add: (jobs: readonly Job[]) => void; flush: () => void } {
  const queue: Job[] = []
  const statements = new Map<string, Database.Statement<unknown[]>>()
  let owner: number | null = null
  let scheduled = false

  function prepare(text: string): Database.Statement<unknown[]> {
    const known = statements.get(text)
    if (known) return known
    if (statements.size >= statementsKept) statements.clear()
    const made = db.prepare<unknown[]>(text)
    statements.set(text, made)
    return made
  }

  function run({ id, sql, parameters }: Job): Outcome {
    try {
      const statement = prepare(sql)
      if (statement.reader) return { id, rows: statement.all(...parameters) as Row[], changes: 0 }
      return { id, rows: [], changes: statement.run(...parameters).changes }
    } catch (error) {
      return { id, error: describe(error) }
    }
  }

  function runGroup(jobs: readonly Job[]): Outcome[] {
    try {
      db.exec('BEGIN IMMEDIATE')
      const outcomes: Outcome[] = []
      for (const job of jobs) {
        outcomes.push(run(job))
        // SQLite itself rolls back on a full disk: nothing of the group is stored then.
        const last = outcomes.at(-1)
        if (last?.error && (!db.inTransaction || isFailureOfStore(last.error.code)))
          throw new Database.SqliteError(last.error.message, last.error.code)
      }
      db.exec('COMMIT')
      return outcomes
    } catch (error) {
      if (db.inTransaction) db.exec('ROLLBACK')
      return jobs.map(({ id }) => ({ id, error: describe(error) }))
    }
  }

  /** Reading waits for nobody's lock. */
  const isReading = ({ sql }: Job): boolean => {
    try {
      return prepare(sql).readonly
    } catch {
      return false
    }
  }

  function drain(): void {
    scheduled = false
    while (queue.length > 0) {
      if (owner !== null) {
        const mine = queue.findIndex((job) => job.owner === owner)
        if (mine === -1) return
        const [job] = queue.splice(mine, 1)
        if (job) answer([runOwned(job)])
        continue
      }
      const first = queue[0]
      if (first?.owner !== undefined) {
        queue.shift()
        answer([runOwned(first)])
        continue
      }
      const end = queue.findIndex((job) => job.owner !== undefined)
      const group = queue.splice(0, Math.min(groupSize, end === -1 ? queue.length : end))
      const reads = group.filter(isReading)
      const writes = group.filter((job) => !reads.includes(job))
      if (reads.length > 0) answer(reads.map(run))
      if (writes.length > 0) answer(runGroup(writes))
    }
  }

  function runOwned(job: Job): Outcome {
    const outcome = run(job)
    owner = db.inTransaction ? (job.owner ?? null) : null
    return outcome
  }

  return {
    add(jobs) {
      queue.push(...jobs)
      if (scheduled) return
      scheduled = true
      // After all messages that wait: they become one group.
      setImmediate(drain)
    },
    flush: drain,
  }
}

const isFailureOfStore = (code: string): boolean =>
  /^SQLITE_(?:FULL|IOERR|BUSY|LOCKED|READONLY|CORRUPT|NOTADB|CANTOPEN|NOMEM)/.test(code)

function describe(error: unknown): { code: string; message: string } {
  // By its code, not by its class: the native part is loaded once a process, and its errors may be of another copy of the class.
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown }
  return typeof code === 'string' && code.startsWith('SQLITE')
    ? { code, message: String(message) }
    : { code: '', message: String(error) }
}
