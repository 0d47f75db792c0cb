import Sqlite from 'better-sqlite3'
import { Kysely, PostgresDialect, type Dialect as KyselyDialect } from 'kysely'
import type { Pool } from 'pg'
import { SiteError } from '../errors'
import type { Logger } from '../telemetry/logger'
import type { Dialect } from './migration-steps'
import { migrate } from './migrations'
import { createSqliteDialect } from './sqlite-dialect'
import { createSqliteThread } from './sqlite-thread'
import { assertSqliteVersion } from './sqlite-version'
import { isStoreFailure } from './store-failure'
import type { Tables } from './tables'

export type Database = {
  dialect: Dialect
  /**
   * Runs queries on an up-to-date database. Rejects with `storeUnavailable` (503) while the
   * database is full, locked or unreachable; then nothing was stored, or it is unknown whether it
   * was.
   */
  run: <T>(work: (db: Kysely<Tables>) => Promise<T>) => Promise<T>
  /** Number of statements of this process that wait for the database. */
  queueLength: () => number
  close: () => Promise<void>
}

export type DatabaseOptions = {
  url: string
  /** Path of the built SQLite worker. */
  script: string
  log: Pick<Logger, 'error'>
}

type Engine = { dialect: KyselyDialect; queueLength: () => number }

const connectTimeoutMs = 2000
const statementTimeoutMs = 3000
const poolSize = 10

/**
 * Opens the database that `DATABASE_URL` names: `file:…` is SQLite, `postgres://…` is PostgreSQL.
 * The first query creates or migrates the tables.
 */
export function openDatabase({ url, script, log }: DatabaseOptions): Database {
  const dialect: Dialect = url.startsWith('file:') ? 'sqlite' : 'postgres'
  const engine =
    dialect === 'sqlite'
      ? openSqliteEngine(url.slice('file:'.length), script)
      : openPostgresEngine(url, log)
  const db = new Kysely<Tables>({ dialect: engine.dialect })
  if (dialect === 'sqlite') assertSqliteVersion(new Sqlite(':memory:'))
  let migrated: Promise<void> | null = null

  return {
    dialect,
    async run(work) {
      try {
        migrated ??= migrate(db, dialect)
        // The next query tries again: the database may be available then.
        await migrated.catch((error: unknown) => {
          migrated = null
          throw error
        })
        return await work(db)
      } catch (error) {
        if (!isStoreFailure(error)) throw error
        log.error({ err: error }, 'the store failed')
        throw new SiteError('storeUnavailable', undefined, { 'Retry-After': '5' })
      }
    },
    queueLength: engine.queueLength,
    close: () => db.destroy(),
  }
}

function openSqliteEngine(file: string, script: string): Engine {
  const thread = createSqliteThread(file, script)
  return { dialect: createSqliteDialect(thread), queueLength: thread.queueLength }
}

function openPostgresEngine(connectionString: string, log: DatabaseOptions['log']): Engine {
  let pool: Pool | null = null
  return {
    dialect: new PostgresDialect({
      pool: async () => (pool = await openPool(connectionString, log)),
    }),
    queueLength: () => pool?.waitingCount ?? 0,
  }
}

/** Loads `pg` with the first connection, so that it costs no start time where SQLite is used. */
async function openPool(connectionString: string, log: DatabaseOptions['log']): Promise<Pool> {
  const { default: pg } = await import('pg')
  const types = new pg.TypeOverrides()
  // Timestamps in ms fit a number; by default 64-bit integers are returned as text.
  types.setTypeParser(pg.types.builtins.INT8, Number)
  const pool = new pg.Pool({
    connectionString,
    max: poolSize,
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: statementTimeoutMs,
    lock_timeout: statementTimeoutMs,
    query_timeout: 2 * statementTimeoutMs,
    types,
  })
  // An error event without a listener would end the process. The pool listens only to idle
  // connections, so each connection gets its own listener.
  pool.on('connect', (client) => {
    client.on('error', (error) => log.error({ err: error }, 'a connection to the database broke'))
  })
  pool.on('error', () => undefined)
  return pool
}
