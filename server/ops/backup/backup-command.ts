import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { OperatorError } from '../../errors'
import type { Database } from '../../db/database'
import type { Settings } from '../../env'
import { backupFolder, backupName, backupStore, dropOldBackups } from './backup-store'
import { copyToServer, restoreStore } from './restore-store'

export const backupUsage = `npm run db:backup -- [FILE] [--keep N]     one SQLite file, while the site runs; default DATA_DIR/backups, of which N are kept
       npm run db:restore -- FILE [--replace]    brings it back; the site must be stopped
       npm run db:copy -- --to postgres://…      copies the SQLite store into a PostgreSQL database; --replace deletes what that holds`

/** What a command needs: where relative paths begin is where the operator stands. */
export type BackupContext = { settings: Settings; open: (url: string) => Database; cwd: string }

const wholeNumber = (text: string): number => {
  if (!/^[1-9]\d{0,3}$/.test(text))
    throw new OperatorError('--keep takes a whole number from 1 to 9999')
  return Number(text)
}
const size = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MB`

async function backup(
  { settings, open, cwd }: BackupContext,
  file: string | undefined,
  keep: string | undefined,
): Promise<void> {
  const kept = keep === undefined ? null : wholeNumber(keep)
  const folder = backupFolder(settings.DATA_DIR)
  const target = file === undefined ? join(folder, backupName(new Date())) : resolve(cwd, file)
  const bytes = await backupStore({ url: settings.DATABASE_URL, file: target, open })
  console.log(
    `${target}: ${size(bytes)}, checked. It holds the site's keys: keep it as you keep them.`,
  )
  if (kept !== null && file === undefined)
    for (const old of dropOldBackups(folder, kept)) console.log(`${old} removed`)
}

async function copy(
  { settings, open }: BackupContext,
  to: string | undefined,
  replace: boolean,
): Promise<void> {
  if (!to || !/^postgres(ql)?:\/\//.test(to))
    throw new OperatorError(
      '--to takes the address of a PostgreSQL database: postgres://user:password@host/name',
    )
  const { DATABASE_URL } = settings
  if (!DATABASE_URL.startsWith('file:'))
    throw new OperatorError('DATABASE_URL is no SQLite file: only SQLite is copied')
  const file = DATABASE_URL.slice('file:'.length)
  if (!existsSync(file)) throw new OperatorError(`${file} does not exist: there is nothing to copy`)
  for (const { table, rows } of await copyToServer({ url: to, file, open, replace }))
    console.log(`${table}: ${rows} rows`)
  console.log(
    'all rows have arrived and were compared. Set DATABASE_URL and start the site; what it wrote into the old store since this copy began is not in the new one.',
  )
}

/** `db:backup`, `db:restore`, `db:copy`. Answers whether the command was one of them. */
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
  const [file] = positionals
  if (command === 'backup') await backup(context, file, values.keep)
  else if (command === 'copy') await copy(context, values.to, values.replace)
  else if (file === undefined) throw new OperatorError('which file? npm run db:restore -- FILE')
  else
    for (const line of await restoreStore({
      url: context.settings.DATABASE_URL,
      file: resolve(context.cwd, file),
      open: context.open,
      replace: values.replace,
      dataDir: context.settings.DATA_DIR,
    }))
      console.log(line)
  return true
}
