import Sqlite from 'better-sqlite3'
import { existsSync, linkSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { contentLocks, takeLock } from '../../content/data-files'
import { sqlitePath } from '../../db/database'
import { OperatorError } from '../../errors'
import { backupName, snapshotSqlite, updateTables, type BackupOptions } from './backup-store'
import { checkSqliteFile } from './check-sqlite-file'
import { copyStore, type CopiedTable } from './copy-store'
import { openPostgresEndpoint } from './postgres-endpoint'
import { listTables, openSqliteEndpoint } from './sqlite-endpoint'
import { writeAtomically } from './write-atomically'

/**
 * Whether a server of this machine, of any version, uses a data folder: its content process holds a
 * lock there.
 */
function isSiteRunning(dataDir: string): boolean {
  return contentLocks(dataDir).some((path) => {
    const lock = takeLock(path)
    lock?.close()
    return lock === null
  })
}

/** Moves the pages of the log into the file, so that nothing is lost when the two are separated. */
function checkpoint(file: string): void {
  const db = new Sqlite(file)
  try {
    db.pragma('wal_checkpoint(TRUNCATE)')
  } catch {
    // The file may be damaged, which is a reason to replace it. Its log is moved with it.
  } finally {
    db.close()
  }
}

/**
 * Replaces the SQLite file with a backup. The old file is kept next to it; returns its name, or
 * null if there was none.
 */
async function replaceFile(backup: string, target: string): Promise<string | null> {
  mkdirSync(dirname(target), { recursive: true })
  const previous = existsSync(target) ? `${target}.before-${backupName(new Date())}` : null
  await writeAtomically(target, async (temporary) => {
    // Not a copy of the file: some of its rows may be in a log next to it.
    await snapshotSqlite(backup, temporary)
    checkSqliteFile(temporary)
    if (previous === null) return
    checkpoint(target)
    for (const suffix of ['-wal', '-shm'])
      if (existsSync(target + suffix)) renameSync(target + suffix, previous + suffix)
    // A second name instead of a move: the first name always leads to a complete file, old or new.
    linkSync(target, previous)
  })
  return previous
}

/**
 * Copies the rows of a SQLite file into a PostgreSQL database. The file is not changed, and the
 * database is changed only if every row has arrived.
 */
export async function copyToPostgres({
  url,
  file,
  open,
  replace,
}: BackupOptions & { replace: boolean }): Promise<CopiedTable[]> {
  const folder = mkdtempSync(join(tmpdir(), 'store-copy-'))
  const snapshot = join(folder, 'site.db')
  try {
    // The file may be in use, and its tables older than this program: work on an updated snapshot.
    await snapshotSqlite(file, snapshot)
    await updateTables([`file:${snapshot}`, url], open)
    const from = openSqliteEndpoint(snapshot, 'read')
    const to = await openPostgresEndpoint(url, 'write')
    try {
      return await copyStore({ tables: listTables(snapshot), from, to, replace })
    } finally {
      await Promise.all([from.close(), to.close()])
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Checks a backup and restores it into the database of `DATABASE_URL`. Returns lines to print. */
export async function restoreStore(
  options: BackupOptions & { replace: boolean; dataDir: string },
): Promise<string[]> {
  const { url, file, dataDir } = options
  checkSqliteFile(file)
  const target = sqlitePath(url)
  if (target === null)
    return (await copyToPostgres(options)).map(({ table, rows }) => `${table}: ${rows} rows`)
  if (isSiteRunning(dataDir))
    throw new OperatorError(
      'the site is running: stop it first, because it would keep writing to the old file',
    )
  const previous = await replaceFile(file, target)
  return [
    `${file} was restored to ${target}`,
    ...(previous ? [`the previous database was kept as ${previous}`] : []),
  ]
}
