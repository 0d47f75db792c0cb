import Sqlite from 'better-sqlite3'
import { Kysely, PostgresDialect, type Dialect as KyselyDialect } from 'kysely'
import type { CustomTypesConfig, Pool } from 'pg'
import { SiteError } from '../errors'
import type { Logger } from '../telemetry/logger'
import { migrate, type Dialect } from './migrations'
import { createSqliteDialect } from './sqlite-dialect'
import { createSqliteThread } from './sqlite-thread'
import { assertSqliteVersion } from './sqlite-version'
import { isStoreFailure } from './store-failure'
import type { Tables } from './tables'

export type Database = {
  dialect: Dialect
  /**
   * Runs queries on a database that is up to date. Rejects with `storeUnavailable` (503) while the store is full, locked or away; nothing was
   * stored then, or it is not known to be.
   */
  run: <T>(work: (db: Kysely<Tables>) => Promise<T>) => Promise<T>
  /** Statements that wait for the store in this process. */
  waiting: () => number
  close: () => Promise<void>
}

export type DatabaseOptions = {
  url: string
  /** The built SQLite worker. */ script: string
  log: Pick<Logger, 'error'>
}

/** PostgreSQL (ms): to connect, and for one statement. */
const connectTimeout = 2000
const statementTimeout = 3000
const poolSize = 10

/** Opens the store that `DATABASE_URL` names: `file:…` is SQLite, `postgres://…` PostgreSQL. The first use brings its tables up to date. */
export function openDatabase({ url, script, log }: DatabaseOptions): Database {
  const dialect: Dialect = url.startsWith('file:') ? 'sqlite' : 'postgres'
  const engine =
    dialect === 'sqlite' ? onSqlite(url.slice('file:'.length), script) : onPostgres(url, log)
  const db = new Kysely<Tables>({ dialect: engine.dialect })
  if (dialect === 'sqlite') assertSqliteVersion(new Sqlite(':memory:'))
  let upToDate: Promise<void> | null = null

  return {
    dialect,
    async run(work) {
      try {
        upToDate ??= migrate(db, dialect)
        // Another attempt next time: the store may be back then.
        await upToDate.catch((error: unknown) => {
          upToDate = null
          throw error
        })
        return await work(db)
      } catch (error) {
        if (!isStoreFailure(error)) throw error
        log.error({ err: error }, 'the store failed')
        throw new SiteError('storeUnavailable', undefined, { 'Retry-After': '5' })
      }
    },
    waiting: engine.waiting,
    close: () => db.destroy(),
  }
}

type Engine = { dialect: KyselyDialect; waiting: () => number }

function onSqlite(file: string, script: string): Engine {
  const thread = createSqliteThread(file, script)
  return { dialect: createSqliteDialect(thread), waiting: thread.waiting }
}

/** The package is loaded with the first connection: where there is no PostgreSQL no start waits for it. */
async function openPool(connectionString: string, log: DatabaseOptions['log']): Promise<Pool> {
  const { default: pg } = await import('pg')
  const pool = new pg.Pool({
    connectionString,
    max: poolSize,
    connectionTimeoutMillis: connectTimeout,
    statement_timeout: statementTimeout,
    lock_timeout: statementTimeout,
    query_timeout: 2 * statementTimeout,
    // Moments fit a number; by default 64 bit numbers come as text.
    types: {
      getTypeParser: (type: number, format?: 'text' | 'binary') =>
        type === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(type, format),
    } as CustomTypesConfig,
  })
  // A connection that breaks would end the process otherwise, idle or in the middle of a query: the pool listens to idle ones only, and passes them on.
  pool.on(
    'connect',
    (client) =>
      void client.on('error', (error) =>
        log.error({ err: error }, 'a connection to the database broke'),
      ),
  )
  pool.on('error', () => undefined)
  return pool
}

function onPostgres(connectionString: string, log: DatabaseOptions['log']): Engine {
  let pool: Pool | null = null
  return {
    dialect: new PostgresDialect({
      pool: async () => (pool = await openPool(connectionString, log)),
    }),
    waiting: () => pool?.waitingCount ?? 0,
  }
}
