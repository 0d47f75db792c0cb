import Database from 'better-sqlite3'
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isSqliteError } from './database'
import { tableVersion } from './tables'

/**
 * The compiled content of a data folder. The name holds the version of its tables: during a reload,
 * processes of two versions of this program run side by side, each version with its own file, lock
 * and content process, so neither waits for the other or drops tables that the other reads.
 */
export const contentFile = (folder: string): string => join(folder, `content-${tableVersion}.db`)
export const contentLock = (folder: string): string => join(folder, `content-${tableVersion}.lock`)

/** A lock of any version. The first versions had no number: `content.db` and `content.lock`. */
const lockName = /^content(?:-\d+)?\.lock$/

/**
 * A version that has been written more recently may belong to a deployment that has compiled its
 * content and starts its servers next.
 */
const unusedAfterMs = 10 * 60_000

/** All locks of a data folder; one of them is held while a server of any version uses it. */
export const contentLocks = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => lockName.test(name))
        .map((name) => join(folder, name))
    : []

/**
 * Takes a lock: an open transaction on a file, which the operating system releases when the process
 * ends, also after SIGKILL. Null while another process holds it.
 */
export function takeLock(file: string): Database.Database | null {
  const db = new Database(file, { timeout: 0 })
  try {
    db.exec('BEGIN EXCLUSIVE')
    return db
  } catch (error) {
    db.close()
    if (isSqliteError(error) && error.code.startsWith('SQLITE_BUSY')) return null
    throw error
  }
}

/** The files of a database: itself, its write-ahead log and the index of that. */
const filesOf = (database: string): string[] =>
  ['', '-wal', '-shm'].map((suffix) => database + suffix)

const lastWriteMs = (database: string): number =>
  Math.max(
    ...filesOf(database).map((file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0),
  )

/**
 * Removes compiled content of other versions that no process uses any more: nothing holds the lock,
 * and nothing was written for `unusedAfterMs`. The empty lock files stay, because a process may be
 * opening one at this moment. Returns the removed databases.
 */
export function removeUnusedVersions(folder: string): string[] {
  return contentLocks(folder)
    .filter((lock) => lock !== contentLock(folder))
    .flatMap((lock) => {
      const database = lock.replace(/\.lock$/, '.db')
      if (!existsSync(database) || Date.now() - lastWriteMs(database) < unusedAfterMs) return []
      const held = takeLock(lock)
      if (!held) return []
      try {
        for (const file of filesOf(database)) rmSync(file, { force: true })
      } finally {
        held.close()
      }
      return [database]
    })
}
