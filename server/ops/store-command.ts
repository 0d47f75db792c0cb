/**
 * `npm run db:*` and `npm run keys`: operators' commands on the database. Built as
 * `server/store.js`.
 */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { envelope } from '../../shared/constants'
import { generatePrivateKey } from '../api/envelope/keyring'
import { exportKey, isOperatorKey, readOperatorKey } from '../api/envelope/operator-key'
import { restrictNewFiles } from '../db/data-folder'
import { openDatabase, type Database } from '../db/database'
import { prune } from '../db/prune'
import { addEnvelopeKey, listEnvelopeKeys, removeEnvelopeKey } from '../db/secrets'
import { readProcessSettings } from '../env'
import { OperatorError } from '../errors'
import { createLogger } from '../telemetry/logger'
import { backupCommand, backupUsage } from './backup/backup-command'

const buildFolder = resolve(__dirname, '..')
const root = resolve(buildFolder, '..', '..')
const usage = `usage: npm run db:prune
       ${backupUsage}
       npm run keys -- list
       npm run keys -- add NAME [FILE]   adds a new key, or your own from a PEM or DER file; older keys stay valid
       npm run keys -- remove NAME`

async function pruneTables(database: Database): Promise<void> {
  for (const [table, rows] of Object.entries(await prune(database)))
    console.log(`${table}: ${rows} deleted`)
}

async function listKeys(database: Database): Promise<void> {
  for (const key of await listEnvelopeKeys(database))
    console.log(`${key.name}\t${new Date(key.created_at).toISOString()}`)
}

function readKeyFile(file: string): string {
  const key = readOperatorKey(readFileSync(file))
  if (!key)
    throw new OperatorError(
      `${file} has no RSA private key of at least ${envelope.rsaBits} bits without a passphrase`,
    )
  return exportKey(key)
}

/**
 * Number of valid keys. `AUTH_PRIVATE_KEY` is one of them: next to it the site would not try the
 * oldest of three stored keys.
 */
const countKeys = async (database: Database, hasOperatorKey: boolean): Promise<number> =>
  (await listEnvelopeKeys(database)).length + Number(hasOperatorKey)

async function addKey(
  database: Database,
  hasOperatorKey: boolean,
  name: string,
  file: string | undefined,
): Promise<void> {
  if (!/^[\w.-]{1,64}$/.test(name))
    throw new OperatorError('a name has 1 to 64 letters, digits, dots, hyphens or underscores')
  const { maxActiveKeys } = envelope
  if ((await countKeys(database, hasOperatorKey)) >= maxActiveKeys)
    throw new OperatorError(
      `there are already ${maxActiveKeys} keys${hasOperatorKey ? ', AUTH_PRIVATE_KEY included' : ''}: remove the oldest first`,
    )
  const key = file === undefined ? await generatePrivateKey() : readKeyFile(file)
  if (!(await addEnvelopeKey(database, name, key)))
    throw new OperatorError(`the name ${name} is taken`)
  const use = hasOperatorKey
    ? `${name} will be valid within seconds, but new messages use AUTH_PRIVATE_KEY while it is set`
    : `${name} will be used for new messages within seconds`
  console.log(`${use}; the other keys stay valid until they are removed`)
}

async function removeKey(database: Database, hasOperatorKey: boolean, name: string): Promise<void> {
  if ((await countKeys(database, hasOperatorKey)) < 2)
    throw new OperatorError('the last key cannot be removed: add another first')
  if (!(await removeEnvelopeKey(database, name))) throw new OperatorError(`there is no key ${name}`)
  console.log(`${name} is removed: messages that were encrypted for it can no longer be read`)
}

async function run(
  database: Database,
  hasOperatorKey: boolean,
  [command, action, name, file]: readonly string[],
): Promise<void> {
  if (command === 'prune') return pruneTables(database)
  if (command === 'keys' && action === 'list') return listKeys(database)
  if (command === 'keys' && action === 'add' && name)
    return addKey(database, hasOperatorKey, name, file)
  if (command === 'keys' && action === 'remove' && name)
    return removeKey(database, hasOperatorKey, name)
  throw new OperatorError(usage)
}

async function main(): Promise<void> {
  restrictNewFiles()
  const settings = readProcessSettings(root, isOperatorKey)
  const log = createLogger(settings.LOG_LEVEL)
  const open = (url: string): Database =>
    openDatabase({ url, script: join(buildFolder, 'server', 'sqlite-worker.js'), log })
  // Connects on first use only, because a restore replaces a file that must not be open.
  const database = open(settings.DATABASE_URL)
  try {
    const args = process.argv.slice(2)
    if (!(await backupCommand({ settings, open, cwd: process.cwd() }, args)))
      await run(database, settings.AUTH_PRIVATE_KEY !== '', args)
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  } finally {
    await database.close()
  }
}

// Exits now, because PostgreSQL keeps the connection of a refused password for a minute.
void main().finally(() => process.exit())
