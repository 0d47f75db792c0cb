import { existsSync } from 'node:fs'
import Database from 'better-sqlite3'
import { assertSqliteVersion } from '../db/sqlite-version'
import { errorCode } from '../errors'
import { enableWriteAheadLog } from '../write-ahead-log'
import { createTables, tableVersion } from './tables'

export type Connection = Database.Database

/**
 * Checks the code and not the class: the native module keeps the error class of whichever copy of
 * better-sqlite3 loaded it first, so `instanceof` fails in a second copy.
 */
export const isSqliteError = (error: unknown): error is { code: string } =>
  String(errorCode(error)).startsWith('SQLITE_')

const versionOf = (db: Connection): number => Number(db.pragma('user_version', { simple: true }))

/**
 * Opens the content database for the one process that writes it, and makes the tables where they
 * are missing or have another version.
 */
export function openForWriting(file: string): Connection {
  const db = new Database(file, { timeout: 5000 })
  assertSqliteVersion(db)
  enableWriteAheadLog(db)
  // Everything in it can be compiled again from the files, so losing the last transaction is fine.
  db.pragma('synchronous = NORMAL')
  if (versionOf(db) !== tableVersion) db.transaction(recreateTables)(db)
  return db
}

function recreateTables(db: Connection): void {
  // Full-text tables are dropped first: each of them takes its own hidden tables along.
  const existing = db
    .prepare<[], { name: string }>(
      `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'
       ORDER BY sql NOT LIKE 'CREATE VIRTUAL%'`,
    )
    .all()
  for (const { name } of existing) db.exec(`DROP TABLE IF EXISTS "${name}"`)
  db.exec(createTables)
  db.pragma(`user_version = ${tableVersion}`)
}

/**
 * Opens the content database for reading. Null while it does not exist, has tables of another
 * version, or has not been compiled completely once.
 */
export function openForReading(file: string): Connection | null {
  if (!existsSync(file)) return null
  try {
    const db = new Database(file, { readonly: true, fileMustExist: true, timeout: 1000 })
    if (versionOf(db) === tableVersion && readGeneration(db) > 0) return db
    db.close()
  } catch (error) {
    if (!isSqliteError(error)) throw error
  }
  return null
}

/** Number of the last change; 0 before the first compile has ended. */
export function readGeneration(db: Connection): number {
  const row = db
    .prepare<[], { value: string }>("SELECT value FROM meta WHERE key = 'generation'")
    .get()
  return Number(row?.value ?? 0)
}
