import Database from 'better-sqlite3'
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { OperatorError } from '../../errors'
import type { Database as Store } from '../../db/database'
import { checkSqliteFile } from './check-sqlite-file'
import { copyStore } from './copy-store'
import { openPostgresSide } from './postgres-side'
import { openSqliteSide, tablesOf } from './sqlite-side'
import { wholeFile } from './whole-file'

export type BackupOptions = {
  url: string
  file: string
  /** Opens a store, to bring its tables up to date. */ open: (url: string) => Store
}

const name = /^site-\d{8}T\d{9}Z\.db$/

/** Where backups lie unless somebody says otherwise. */
export const backupFolder = (dataDir: string): string => join(dataDir, 'backups')
export const backupName = (now: Date): string =>
  `site-${now.toISOString().replace(/[-:.]/g, '')}.db`

/** Any number: all pages in one step, so that a site that writes all the time does not make the copy begin anew each time. */
const allPages = 0x7fffffff

/** A file of one piece, as it will be carried about: without a log beside it. */
function closeUp(file: string): void {
  const db = new Database(file)
  db.pragma('journal_mode = DELETE')
  db.close()
}

async function copyFile(source: string, work: string): Promise<void> {
  if (!existsSync(source))
    throw new OperatorError(`${source} does not exist: there is nothing to back up yet`)
  const db = new Database(source, { readonly: true, fileMustExist: true })
  try {
    await db.backup(work, { progress: () => allPages })
  } finally {
    db.close()
  }
}

async function copyServer(url: string, work: string, open: BackupOptions['open']): Promise<void> {
  // Both have the tables of this program before rows are copied.
  for (const address of [url, `file:${work}`]) {
    const store = open(address)
    await store.run(async () => undefined).finally(() => store.close())
  }
  const from = await openPostgresSide(url, 'read')
  const to = openSqliteSide(work, 'write')
  try {
    await copyStore({ tables: tablesOf(work), from, to, replace: false })
  } finally {
    await Promise.all([from.close(), to.close()])
  }
}

/**
 * Writes the store, as it is at one moment, into one SQLite file, whatever it lies in itself, while the site goes on; then checks that file. It holds
 * the site's keys. Answers its size in bytes. Throws a Complaint when it cannot be made; no half file is left.
 */
export async function backupStore({ url, file, open }: BackupOptions): Promise<number> {
  if (existsSync(file)) throw new OperatorError(`${file} exists already`)
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  await wholeFile(file, async (work) => {
    await (url.startsWith('file:')
      ? copyFile(url.slice('file:'.length), work)
      : copyServer(url, work, open))
    closeUp(work)
    checkSqliteFile(work)
  })
  return statSync(file).size
}

/** Removes all backups of a folder but the newest ones; answers their names. Files with other names are none of ours. */
export function dropOldBackups(folder: string, keep: number): string[] {
  const old = readdirSync(folder)
    .filter((entry) => name.test(entry))
    .sort()
    .reverse()
    .slice(keep)
  for (const entry of old) rmSync(join(folder, entry))
  return old
}
