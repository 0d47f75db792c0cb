import { existsSync, statSync } from 'node:fs'
import { Redis } from 'ioredis'
import pg from 'pg'
import { checkSqliteFile } from '../backup/check-sqlite-file'
import type { Database } from '../../db/database'
import { envelopeKeys } from '../../db/secrets'
import type { Settings } from '../../env'
import { causeOf, noted, ok, wrong, type Finding } from './finding'

/** How long a server of the operator's may take to be asked anything here (ms). */
const patience = 3000

function checkFile(file: string): Finding {
  if (!existsSync(file)) return ok('database', `${file} will be made at the first start`)
  try {
    checkSqliteFile(file)
  } catch (error) {
    return wrong('database', causeOf(error), 'bring a backup back: npm run db:restore -- FILE')
  }
  const mode = statSync(file).mode & 0o777
  if (mode & 0o077)
    return wrong(
      'database',
      `${file} holds keys and can be read by others (mode ${mode.toString(8)})`,
      `chmod 600 ${file}`,
    )
  return ok('database', `${file}: whole, ${(statSync(file).size / 1024 / 1024).toFixed(1)} MB`)
}

async function checkServer(url: string): Promise<{ finding: Finding; offset: number | null }> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: patience,
    query_timeout: patience,
  })
  // A server that goes away amid the questions is said by the question.
  client.on('error', () => undefined)
  const began = Date.now()
  try {
    await client.connect()
    const { rows } = await client.query<{ version: string; now: string; replica: boolean }>(
      "SELECT current_setting('server_version') AS version, extract(epoch FROM clock_timestamp()) * 1000 AS now, pg_is_in_recovery() AS replica",
    )
    const [row] = rows
    if (row?.replica)
      return {
        finding: wrong(
          'database',
          'the server is a read-only replica',
          'let DATABASE_URL name the primary',
        ),
        offset: null,
      }
    return {
      finding: ok(
        'database',
        `PostgreSQL ${row?.version ?? ''}, answers in ${Date.now() - began} ms`,
      ),
      offset: row ? Number(row.now) - Date.now() : null,
    }
  } catch (error) {
    return {
      finding: wrong(
        'database',
        `the PostgreSQL server of DATABASE_URL does not take us (${causeOf(error)})`,
        'start it, or mend host, name, user or password in DATABASE_URL; until then pages go on and writes answer 503',
      ),
      offset: null,
    }
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** The store; `offset` is how far our clock is behind its (ms), null where that is not known. */
export async function checkDatabase({
  DATABASE_URL,
}: Settings): Promise<{ finding: Finding; offset: number | null }> {
  return DATABASE_URL.startsWith('file:')
    ? { finding: checkFile(DATABASE_URL.slice('file:'.length)), offset: null }
    : checkServer(DATABASE_URL)
}

/** Keys that open envelopes; the operators' token. */
export async function checkKeys(
  { AUTH_PRIVATE_KEY, OPS_TOKEN, DATABASE_URL }: Settings,
  database: Database,
): Promise<Finding[]> {
  const token =
    OPS_TOKEN === ''
      ? noted(
          'operators',
          'OPS_TOKEN is empty: no metrics, no purging',
          'set it to a long random text: openssl rand -hex 32',
        )
      : OPS_TOKEN.length < 16
        ? wrong('operators', 'OPS_TOKEN is short enough to be guessed', 'openssl rand -hex 32')
        : ok('operators', 'OPS_TOKEN is set')
  if (AUTH_PRIVATE_KEY) return [ok('keys', 'AUTH_PRIVATE_KEY is given'), token]
  const file = DATABASE_URL.startsWith('file:') ? DATABASE_URL.slice('file:'.length) : null
  if (file !== null && !existsSync(file))
    return [ok('keys', 'will be made at the first start'), token]
  const keys = await envelopeKeys(database).catch(() => null)
  if (!keys)
    return [wrong('keys', 'cannot be read from the database', 'mend the database first'), token]
  return [
    ok(
      'keys',
      keys.length === 0
        ? 'will be made at the first start'
        : `${keys.length} in the database, the newest of ${new Date(keys[0]?.created_at ?? 0).toISOString().slice(0, 10)}`,
    ),
    token,
  ]
}

export async function checkRedis({ REDIS_URL }: Settings): Promise<Finding> {
  if (!REDIS_URL) return ok('Redis', 'not used: one machine counts rate limits by itself')
  const client = new Redis(REDIS_URL, {
    lazyConnect: true,
    connectTimeout: patience,
    commandTimeout: patience,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  })
  let cause: unknown
  client.on('error', (error: unknown) => (cause = error))
  const key = `doctor:${process.pid}:${Date.now()}`
  try {
    await client.connect()
    const began = performance.now()
    await client.set(key, 'x', 'EX', 10)
    const value = await client.get(key)
    await client.del(key)
    const took = performance.now() - began
    if (value !== 'x')
      return wrong(
        'Redis',
        'does not give back what it was given',
        'look whether REDIS_URL really names a Redis',
      )
    return took > 100
      ? noted(
          'Redis',
          `takes ${Math.round(took)} ms for three commands; the site waits 100 ms at most`,
          'bring it nearer',
        )
      : ok('Redis', `answers in ${took.toFixed(1)} ms`)
  } catch (error) {
    return wrong(
      'Redis',
      `does not take us (${causeOf(cause ?? error)})`,
      'start it, or mend REDIS_URL; until then each machine counts for itself',
    )
  } finally {
    client.disconnect()
  }
}
