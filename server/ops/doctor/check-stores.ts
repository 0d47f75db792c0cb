import { existsSync, statSync } from 'node:fs'
import { Redis } from 'ioredis'
import pg from 'pg'
import { utcDay } from '../../../shared/utc-day'
import { sqlitePath, type Database } from '../../db/database'
import { listEnvelopeKeys } from '../../db/secrets'
import type { Settings } from '../../env'
import { checkSqliteFile } from '../backup/check-sqlite-file'
import { causeOf, note, ok, problem, type Finding } from './finding'

/** Timeout of each request to PostgreSQL or Redis. */
const timeoutMs = 3000
/** The site itself waits at most this long for Redis. */
const maxRedisMs = 100

function checkSqlite(file: string): Finding {
  if (!existsSync(file)) return ok('database', `${file} will be created at the first start`)
  try {
    checkSqliteFile(file)
  } catch (error) {
    return problem('database', causeOf(error), 'restore a backup: npm run db:restore -- FILE')
  }
  const { mode, size } = statSync(file)
  const permissions = mode & 0o777
  if (permissions & 0o077)
    return problem(
      'database',
      `${file} contains keys and can be read by other users (mode ${permissions.toString(8)})`,
      `chmod 600 ${file}`,
    )
  return ok('database', `${file}: intact, ${(size / 1024 / 1024).toFixed(1)} MB`)
}

async function checkPostgres(url: string): Promise<Finding> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
  })
  // If the connection breaks, the query below rejects; the event would end the process.
  client.on('error', () => undefined)
  const startedAt = Date.now()
  try {
    await client.connect()
    const { rows } = await client.query<{ version: string; now: string; replica: boolean }>(
      "SELECT current_setting('server_version') AS version, extract(epoch FROM clock_timestamp()) * 1000 AS now, pg_is_in_recovery() AS replica",
    )
    const [row] = rows
    if (row?.replica)
      return problem(
        'database',
        'the server is a read-only replica',
        'set DATABASE_URL to the primary server',
      )
    const finding = ok(
      'database',
      `PostgreSQL ${row?.version ?? ''}, answers in ${Date.now() - startedAt} ms`,
    )
    if (!row) return finding
    return { ...finding, clock: { name: 'the database', offsetMs: Number(row.now) - Date.now() } }
  } catch (error) {
    return problem(
      'database',
      `the PostgreSQL server of DATABASE_URL cannot be used (${causeOf(error)})`,
      'start it, or correct host, name, user or password in DATABASE_URL; until then pages work and writes answer 503',
    )
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Checks the site's database. */
export async function checkDatabase({ DATABASE_URL }: Settings): Promise<Finding> {
  const file = sqlitePath(DATABASE_URL)
  return file === null ? checkPostgres(DATABASE_URL) : checkSqlite(file)
}

function checkOpsToken({ OPS_TOKEN }: Settings): Finding {
  return OPS_TOKEN
    ? ok('operators', 'OPS_TOKEN is set')
    : note(
        'operators',
        'OPS_TOKEN is empty: no metrics, no purges',
        'set it to a long random string: openssl rand -hex 32',
      )
}

async function checkEnvelopeKeys(
  { AUTH_PRIVATE_KEY, DATABASE_URL }: Settings,
  database: Database,
): Promise<Finding> {
  if (AUTH_PRIVATE_KEY) return ok('keys', 'AUTH_PRIVATE_KEY is set')
  const file = sqlitePath(DATABASE_URL)
  const pending = ok('keys', 'will be created at the first start')
  if (file !== null && !existsSync(file)) return pending
  const keys = await listEnvelopeKeys(database).catch(() => null)
  if (!keys) return problem('keys', 'cannot be read from the database', 'fix the database first')
  const [newest] = keys
  if (!newest) return pending
  const day = utcDay(newest.created_at)
  return ok('keys', `${keys.length} in the database, the newest of ${day}`)
}

/** Checks the keys that open encrypted messages, and the operators' token. */
export async function checkKeys(settings: Settings, database: Database): Promise<Finding[]> {
  return [await checkEnvelopeKeys(settings, database), checkOpsToken(settings)]
}

/** Checks Redis with three commands; nothing is left there. */
export async function checkRedis({ REDIS_URL }: Settings): Promise<Finding> {
  if (!REDIS_URL) return ok('Redis', 'REDIS_URL is empty: each machine counts rate limits alone')
  const client = new Redis(REDIS_URL, {
    lazyConnect: true,
    connectTimeout: timeoutMs,
    commandTimeout: timeoutMs,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  })
  let connectionError: unknown
  client.on('error', (error: unknown) => (connectionError = error))
  const key = `doctor:${process.pid}:${Date.now()}`
  try {
    await client.connect()
    const startedAt = performance.now()
    await client.set(key, 'x', 'EX', 10)
    const value = await client.get(key)
    await client.del(key)
    const durationMs = performance.now() - startedAt
    if (value !== 'x')
      return problem(
        'Redis',
        'does not return the value that was stored',
        'check that REDIS_URL names a Redis server',
      )
    return durationMs > maxRedisMs
      ? note(
          'Redis',
          `takes ${Math.round(durationMs)} ms for three commands; the site waits at most ${maxRedisMs} ms`,
          'use a Redis server that is closer',
        )
      : ok('Redis', `answers in ${durationMs.toFixed(1)} ms`)
  } catch (error) {
    return problem(
      'Redis',
      `cannot be used (${causeOf(connectionError ?? error)})`,
      'start it, or correct REDIS_URL; until then each machine counts rate limits alone',
    )
  } finally {
    client.disconnect()
  }
}
