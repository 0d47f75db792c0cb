import Sqlite from 'better-sqlite3'
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { sqlitePath, type Database } from '../../db/database'
import { OperatorError } from '../../errors'
import { checkSqliteFile } from './check-sqlite-file'
import { copyStore } from './copy-store'
import { openPostgresEndpoint } from './postgres-endpoint'
import { listTables, openSqliteEndpoint } from './sqlite-endpoint'
import { writeAtomically } from './write-atomically'

export type BackupOptions = {
  /** `DATABASE_URL`. */
  url: string
  /** Path of the backup. */
  file: string
  open: (url: string) => Database
}

const backupNamePattern = /^site-\d{8}T\d{9}Z\.db$/

/** The default folder of backups. */
export const backupFolder = (dataDir: string): string => join(dataDir, 'backups')
export const backupName = (now: Date): string =>
  `site-${now.toISOString().replace(/[-:.]/g, '')}.db`

/** Creates the tables, or brings them up to date: the first use of a database does that. */
export async function updateTables(
  urls: readonly string[],
  open: BackupOptions['open'],
): Promise<void> {
  for (const url of urls) {
    const database = open(url)
    await database.run(() => Promise.resolve()).finally(() => database.close())
  }
}

/**
 * Copies a SQLite file that may be in use. All pages are copied in one step: with several steps,
 * each write of the site in between would restart the copy.
 */
export async function snapshotSqlite(source: string, target: string): Promise<void> {
  const db = new Sqlite(source, { readonly: true, fileMustExist: true })
  const allPages = 0x7fffffff
  await db.backup(target, { progress: () => allPages }).finally(() => db.close())
}

/**
 * Writes everything into the file itself, so that it can be moved without a log file next to it.
 */
function leaveWalMode(file: string): void {
  const db = new Sqlite(file)
  db.pragma('journal_mode = DELETE')
  db.close()
}

async function copyFromPostgres(
  url: string,
  target: string,
  open: BackupOptions['open'],
): Promise<void> {
  await updateTables([url, `file:${target}`], open)
  const from = await openPostgresEndpoint(url, 'read')
  const to = openSqliteEndpoint(target, 'write')
  try {
    await copyStore({ tables: listTables(target), from, to, replace: false })
  } finally {
    await Promise.all([from.close(), to.close()])
  }
}

/**
 * Backs up the database into one SQLite file while the site runs: its state at one moment, also
 * from PostgreSQL. Then checks the file. The file contains the site's keys. Returns its size in
 * bytes. Throws an OperatorError if it fails; no partial file is left.
 */
export async function backupStore({ url, file, open }: BackupOptions): Promise<number> {
  if (existsSync(file)) throw new OperatorError(`${file} already exists`)
  const source = sqlitePath(url)
  if (source !== null && !existsSync(source))
    throw new OperatorError(`${source} does not exist: there is nothing to back up yet`)
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  await writeAtomically(file, async (temporary) => {
    if (source === null) await copyFromPostgres(url, temporary, open)
    else await snapshotSqlite(source, temporary)
    leaveWalMode(temporary)
    checkSqliteFile(temporary)
  })
  return statSync(file).size
}

/**
 * Deletes the backups of a folder except for the newest `keep`; returns the deleted names. Files
 * with other names are not touched.
 */
export function deleteOldBackups(folder: string, keep: number): string[] {
  const old = readdirSync(folder)
    .filter((name) => backupNamePattern.test(name))
    .sort()
    .reverse()
    .slice(keep)
  for (const name of old) rmSync(join(folder, name))
  return old
}
