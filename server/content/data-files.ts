import Database from 'better-sqlite3'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { isSqliteError, schemaVersion } from './database'

/**
 * Where compiled content lies. Its name says which tables it holds: during a reload processes of two versions of this program work side by side, each
 * with a file, a lock and a content process of its own, and neither waits for the other or empties what it reads.
 */
export const contentFile = (folder: string): string => join(folder, `content-${schemaVersion}.db`)
export const contentLock = (folder: string): string => join(folder, `content-${schemaVersion}.lock`)

/** Of any version; those before the name bore a number are `content.db` and `content.lock`. */
const lockName = /^content(?:-(\d+))?\.lock$/

/** All locks of a data folder: as long as any version of a server works with it, one of them is held. */
export const contentLocks = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => lockName.test(name))
        .map((name) => join(folder, name))
    : []

/** Takes a lock: an open transaction on a file, so the system lets it go when its holder dies, however it dies. Null while somebody else has it. */
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

const versionOf = (lock: string): number => Number(lockName.exec(basename(lock))?.[1] ?? 0)

/**
 * Removes compiled content of earlier versions that no server works with any more: whoever worked with it held its lock. That of a later version stays: a
 * deployment may have made it a moment ago. The empty locks stay too, because a process may be opening one. Answers the databases that are gone.
 */
export function removeEarlierVersions(folder: string): string[] {
  return contentLocks(folder)
    .filter((lock) => versionOf(lock) < schemaVersion)
    .flatMap((lock) => {
      const database = lock.replace(/\.lock$/, '.db')
      if (!existsSync(database)) return []
      const held = takeLock(lock)
      if (!held) return []
      try {
        for (const suffix of ['', '-wal', '-shm']) rmSync(database + suffix, { force: true })
      } finally {
        held.close()
      }
      return [database]
    })
}
