import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { sqlitePath, type Database } from '../../db/database'
import type { Settings } from '../../env'
import { OperatorError } from '../../errors'
import { backupFolder, backupName, backupStore, deleteOldBackups } from './backup-store'
import { copyToPostgres, restoreStore } from './restore-store'

export const backupUsage = `npm run db:backup -- [FILE] [--keep N]     into one SQLite file, while the site runs; default: DATA_DIR/backups, where N are kept
       npm run db:restore -- FILE [--replace]    restores a backup; the site must be stopped
       npm run db:copy -- --to postgres://user@host/name   copies the SQLite database into a PostgreSQL database, whose password PGPASSWORD holds; --replace deletes what that holds`

/** `cwd` is the folder from which the operator ran the command; relative paths begin there. */
type BackupContext = { settings: Settings; open: (url: string) => Database; cwd: string }

function parseKeep(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text))
    throw new OperatorError('--keep takes a whole number from 1 to 9999')
  return Number(text)
}
const formatSize = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MB`

async function backup(
  { settings, open, cwd }: BackupContext,
  path: string | undefined,
  keepOption: string | undefined,
): Promise<void> {
  const keep = keepOption === undefined ? null : parseKeep(keepOption)
  const folder = backupFolder(settings.DATA_DIR)
  const file = path === undefined ? join(folder, backupName(new Date())) : resolve(cwd, path)
  const bytes = await backupStore({ url: settings.DATABASE_URL, file, open })
  console.log(
    `${file}: ${formatSize(bytes)}, checked. It contains the site's keys: protect it as you protect them.`,
  )
  if (keep !== null && path === undefined)
    for (const name of deleteOldBackups(folder, keep)) console.log(`${name} removed`)
}

async function restore(
  { settings, open, cwd }: BackupContext,
  path: string | undefined,
  replace: boolean,
): Promise<void> {
  if (path === undefined) throw new OperatorError('which file? npm run db:restore -- FILE')
  const lines = await restoreStore({
    url: settings.DATABASE_URL,
    file: resolve(cwd, path),
    open,
    replace,
    dataDir: settings.DATA_DIR,
  })
  for (const line of lines) console.log(line)
}

/** Throws unless `--to` is the address of a PostgreSQL database, without a password. */
function parseTarget(target: string | undefined): string {
  const url = target && URL.canParse(target) ? new URL(target) : null
  if (!target || !url || !/^postgres(ql)?:$/.test(url.protocol))
    throw new OperatorError(
      '--to takes the address of a PostgreSQL database: postgres://user@host/name',
    )
  if (url.password || url.searchParams.has('password'))
    throw new OperatorError(
      '--to takes the address without the password, because all users of the machine can read the arguments of a command: set PGPASSWORD in the environment',
    )
  return target
}

async function copy(
  { settings, open }: BackupContext,
  targetOption: string | undefined,
  replace: boolean,
): Promise<void> {
  const target = parseTarget(targetOption)
  const file = sqlitePath(settings.DATABASE_URL)
  if (file === null)
    throw new OperatorError('DATABASE_URL is not a SQLite file: only SQLite can be copied')
  if (!existsSync(file)) throw new OperatorError(`${file} does not exist: there is nothing to copy`)
  for (const { table, rows } of await copyToPostgres({ url: target, file, open, replace }))
    console.log(`${table}: ${rows} rows`)
  console.log(
    'All rows were copied and compared. Set DATABASE_URL to the new database and start the site; rows that were written to the old database after the copy began are not in the new one.',
  )
}

/** Runs `backup`, `restore` or `copy`. Returns false if the command is another one. */
export async function backupCommand(
  context: BackupContext,
  [command, ...args]: readonly string[],
): Promise<boolean> {
  if (command !== 'backup' && command !== 'restore' && command !== 'copy') return false
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      keep: { type: 'string' },
      to: { type: 'string' },
      replace: { type: 'boolean', default: false },
    },
  })
  const [path] = positionals
  if (command === 'backup') await backup(context, path, values.keep)
  else if (command === 'restore') await restore(context, path, values.replace)
  else await copy(context, values.to, values.replace)
  return true
}
