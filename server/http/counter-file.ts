import { chmodSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'

export type CounterFile = { client: CounterClient; close: () => void }
/** As much of a connection as the counting library uses. */
type CounterClient = {
  prepare: (sql: string) => Database.Statement
  transaction: <T>(work: () => T) => () => T
}

export const counterTable = 'limits'
const sweepEvery = 1000
const sweepRows = 2000

function open(file: string): Database.Database {
  const db = new Database(file)
  try {
    db.pragma('journal_mode = WAL')
    // Counters of one minute: after a power cut they may be gone, and a request must not wait for the disk.
    db.pragma('synchronous = OFF')
    db.pragma('busy_timeout = 50')
    db.exec(
      `CREATE TABLE IF NOT EXISTS ${counterTable} (key TEXT PRIMARY KEY, points INTEGER NOT NULL DEFAULT 0, expire INTEGER); CREATE INDEX IF NOT EXISTS ${counterTable}_expire ON ${counterTable} (expire)`,
    )
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

/**
 * The library prepares its statement anew for every request and wraps it in a transaction, which was a third of what an event batch cost. It is one
 * statement, so it is a transaction by itself, and its text is always the same.
 */
function lightClient(db: Database.Database): CounterClient {
  const statements = new Map<string, Database.Statement>()
  return {
    prepare(sql) {
      const statement = statements.get(sql) ?? db.prepare(sql)
      statements.set(sql, statement)
      return statement
    },
    transaction: (work) => work,
  }
}

/**
 * The counters that all processes of this machine share: `DATA_DIR/limits.db`. A damaged file is thrown away, for it holds
 * nothing worth keeping. Expired rows are removed a few at a time, so that a flood of addresses neither grows the file
 * without end nor holds up the process when it is over.
 */
export function openCounterFile(folder: string): CounterFile {
  const file = join(folder, 'limits.db')
  let db: Database.Database
  try {
    db = open(file)
  } catch (error) {
    if (!(error instanceof Database.SqliteError) || !/^SQLITE_(CORRUPT|NOTADB)/.test(error.code))
      throw error
    for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true })
    db = open(file)
  }
  chmodSync(file, 0o600)
  const expired = db.prepare(
    `DELETE FROM ${counterTable} WHERE rowid IN (SELECT rowid FROM ${counterTable} WHERE expire < ? LIMIT ${sweepRows})`,
  )
  const timer = setInterval(() => {
    try {
      expired.run(Date.now())
    } catch {
      // Locked or out of space: the next second will do.
    }
  }, sweepEvery)
  timer.unref()
  return {
    client: lightClient(db),
    close() {
      clearInterval(timer)
      db.close()
    },
  }
}
