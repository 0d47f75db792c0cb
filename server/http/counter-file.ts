import { chmodSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { errorCode } from '../errors'
import { enableWriteAheadLog } from '../write-ahead-log'

export type CounterFile = { client: CounterClient; close: () => void }
/** The part of a connection that the rate limit library uses. */
type CounterClient = {
  prepare: (sql: string) => Database.Statement
  transaction: <T>(work: () => T) => () => T
}

export const counterTable = 'limits'
const sweepIntervalMs = 1000
const maxRowsPerSweep = 2000

function openDatabase(file: string): Database.Database {
  const db = new Database(file)
  try {
    enableWriteAheadLog(db)
    // Counters may be lost in a power cut. A request must not wait for the disk.
    db.pragma('synchronous = OFF')
    db.pragma('busy_timeout = 50')
    db.exec(
      `CREATE TABLE IF NOT EXISTS ${counterTable}
        (key TEXT PRIMARY KEY, points INTEGER NOT NULL DEFAULT 0, expire INTEGER);
      CREATE INDEX IF NOT EXISTS ${counterTable}_expire ON ${counterTable} (expire)`,
    )
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

/**
 * The library prepares its statement for every request and runs it in a transaction, which was a
 * third of the time of an event batch. Its text is always the same, and a single statement is a
 * transaction anyway.
 */
function createCachingClient(db: Database.Database): CounterClient {
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
 * The counters that all processes of this machine share: `DATA_DIR/limits.db`. A damaged file is
 * deleted: to count from zero again does less harm than not to count. Expired rows are removed a
 * few at a time, so that a flood of addresses neither lets the file grow without limit nor blocks
 * the process afterwards.
 */
export function openCounterFile(folder: string): CounterFile {
  const file = join(folder, 'limits.db')
  let db: Database.Database
  try {
    db = openDatabase(file)
  } catch (error) {
    if (!/^SQLITE_(CORRUPT|NOTADB)/.test(String(errorCode(error)))) throw error
    for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true })
    db = openDatabase(file)
  }
  chmodSync(file, 0o600)
  const deleteExpired = db.prepare(
    `DELETE FROM ${counterTable} WHERE rowid IN
      (SELECT rowid FROM ${counterTable} WHERE expire < ? LIMIT ${maxRowsPerSweep})`,
  )
  const timer = setInterval(() => {
    try {
      deleteExpired.run(Date.now())
    } catch {
      // The file is locked or the disk is full: the next sweep tries again.
    }
  }, sweepIntervalMs)
  timer.unref()
  return {
    client: createCachingClient(db),
    close() {
      clearInterval(timer)
      db.close()
    },
  }
}
