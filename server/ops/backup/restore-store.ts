import Database from 'better-sqlite3'
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { tmpdir } from 'node:os'
import { contentLocks, takeLock } from '../../content/data-files'
import { OperatorError } from '../../errors'
import { checkSqliteFile } from './check-sqlite-file'
import { backupName, type BackupOptions } from './backup-store'
import { copyStore, type CopiedTable } from './copy-store'
import { openPostgresSide } from './postgres-side'
import { openSqliteSide, tablesOf } from './sqlite-side'
import { wholeFile } from './whole-file'

/** Whether a server of this machine, of any version, works with a data folder: one of them holds the lock of its content process. */
export function siteRuns(dataDir: string): boolean {
  return contentLocks(dataDir).some((lock) => {
    const held = takeLock(lock)
    held?.close()
    return held === null
  })
}

/** Puts a backup in the place of the SQLite file. What lay there is kept beside it; answers its name, null where there was none. */
async function replaceFile(file: string, target: string): Promise<string | null> {
  mkdirSync(dirname(target), { recursive: true })
  let aside: string | null = null
  await wholeFile(target, async (work) => {
    copyFileSync(file, work)
    if (!existsSync(target)) return
    aside = `${target}.before-${backupName(new Date())}`
    // The log belongs to the file that goes aside: with its pages in the file nothing is left of it.
    const old = new Database(target)
    try {
      old.pragma('wal_checkpoint(TRUNCATE)')
    } catch {
      // A damaged file is what somebody may want to replace. Its log goes with it.
    } finally {
      old.close()
    }
    for (const suffix of ['-wal', '-shm'])
      if (existsSync(target + suffix)) renameSync(target + suffix, `${aside}${suffix}`)
    // A second name: the first one always leads to a whole file, the old one or the new.
    linkSync(target, aside)
  })
  return aside
}

/** Copies the rows of a SQLite file into a PostgreSQL database. The file is not changed, the database only when every row has arrived. */
export async function copyToServer({
  url,
  file,
  open,
  replace,
}: BackupOptions & { replace: boolean }): Promise<CopiedTable[]> {
  const folder = mkdtempSync(join(tmpdir(), 'store-copy-'))
  const work = join(folder, 'site.db')
  try {
    // A snapshot of its own, brought up to date: the file may be older than this program, and in use.
    const source = new Database(file, { readonly: true, fileMustExist: true })
    await source.backup(work, { progress: () => 0x7fffffff }).finally(() => source.close())
    for (const address of [`file:${work}`, url]) {
      const store = open(address)
      await store.run(async () => undefined).finally(() => store.close())
    }
    const from = openSqliteSide(work, 'read')
    const to = await openPostgresSide(url, 'write')
    try {
      return await copyStore({ tables: tablesOf(work), from, to, replace })
    } finally {
      await Promise.all([from.close(), to.close()])
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Brings a backup back into the store that `DATABASE_URL` names, after checking it. Answers lines for people. */
export async function restoreStore(
  options: BackupOptions & { replace: boolean; dataDir: string },
): Promise<string[]> {
  const { url, file, dataDir } = options
  checkSqliteFile(file)
  if (!url.startsWith('file:'))
    return (await copyToServer(options)).map(({ table, rows }) => `${table}: ${rows} rows`)
  if (siteRuns(dataDir))
    throw new OperatorError(
      'the site is running: stop it first, it would go on writing into the old file',
    )
  const aside = await replaceFile(file, url.slice('file:'.length))
  return [
    `${url.slice('file:'.length)} is what ${file} holds`,
    ...(aside ? [`what was there before is kept as ${aside}`] : []),
  ]
}
