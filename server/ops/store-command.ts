/** `npm run db:*` and `npm run keys`: what an operator does to the store. Runs as a built bundle, `server/store.js`. */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { envelope } from '../../shared/constants'
import { makeKey } from '../api/keyring'
import { exportKey, isOperatorKey, readOperatorKey } from '../api/operator-key'
import { backupCommand, backupUsage } from './backup/backup-command'
import { processSettings } from '../env'
import { createLogger } from '../telemetry/logger'
import { OperatorError } from '../errors'
import { openDatabase, type Database } from '../db/database'
import { prune } from '../db/prune'
import { addEnvelopeKey, envelopeKeys, removeEnvelopeKey } from '../db/secrets'

const folder = resolve(__dirname, '..')
const usage = `usage: npm run db:prune
       ${backupUsage}
       npm run keys -- list
       npm run keys -- add NAME [FILE]   a new key, or the operator's own from a PEM or DER file; the old ones stay valid
       npm run keys -- remove NAME`

async function addKey(database: Database, name: string, file: string | undefined): Promise<void> {
  if (!/^[\w.-]{1,64}$/.test(name))
    throw new OperatorError('a name has 1 to 64 letters, digits, dots, hyphens or underscores')
  if ((await envelopeKeys(database)).length >= envelope.keys)
    throw new OperatorError(`there are ${envelope.keys} keys already: remove the oldest first`)
  const own = file === undefined ? null : readOperatorKey(readFileSync(file))
  if (file !== undefined && !own)
    throw new OperatorError(
      `${file} holds no RSA private key of at least ${envelope.rsaBits} bits without passphrase`,
    )
  if (!(await addEnvelopeKey(database, name, own ? exportKey(own) : await makeKey())))
    throw new OperatorError(`the name ${name} is taken`)
  console.log(
    `${name} is used for new messages within seconds; the others stay valid until they are removed`,
  )
}

async function run(
  database: Database,
  [command, action, name = '', file]: readonly string[],
): Promise<void> {
  if (command === 'prune') {
    for (const [table, rows] of Object.entries(await prune(database)))
      console.log(`${table}: ${rows} deleted`)
  } else if (command === 'keys' && action === 'list') {
    for (const key of await envelopeKeys(database))
      console.log(`${key.name}\t${new Date(key.created_at).toISOString()}`)
  } else if (command === 'keys' && action === 'add' && name) {
    await addKey(database, name, file)
  } else if (command === 'keys' && action === 'remove' && name) {
    if ((await envelopeKeys(database)).length < 2)
      throw new OperatorError('the last key cannot be removed: add another first')
    if (!(await removeEnvelopeKey(database, name)))
      throw new OperatorError(`there is no key ${name}`)
    console.log(`${name} is removed: messages made for it can be read no more`)
  } else {
    throw new OperatorError(usage)
  }
}

async function main(): Promise<void> {
  const settings = processSettings(resolve(folder, '..', '..'), isOperatorKey)
  const log = createLogger(settings.LOG_LEVEL)
  const open = (url: string): Database =>
    openDatabase({ url, script: join(folder, 'server', 'sqlite-worker.js'), log })
  // Opened by its first use: a backup is brought back into a file that nobody has open.
  const database = open(settings.DATABASE_URL)
  try {
    const args = process.argv.slice(2)
    if (!(await backupCommand({ settings, open, cwd: process.cwd() }, args)))
      await run(database, args)
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  } finally {
    await database.close()
  }
}

void main()
