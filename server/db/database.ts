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

type Work<T> = (db: Kysely<Tables>) => Promise<T>
export type Database = {
  dialect: Dialect
  /**
   * Runs queries on an up-to-date database. Rejects with `storeUnavailable` (503) while the
   * database is full, locked or unreachable; then nothing was stored, or it is unknown whether it
   * was.
   */
  run: <T>(work: Work<T>) => Promise<T>
  /**
   * Like `run`, for queries of operators that read many rows. On SQLite they run in a second thread,
   * so that visitors' writes do not wait for them; it only reads.
   */
  report: <T>(work: Work<T>) => Promise<T>
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
/** The same engine twice where queries do not wait for each other. */
type Engines = { forAll: Engine; forReports: Engine }

const connectTimeoutMs = 2000
const statementTimeoutMs = 3000
const poolSize = 10

/**
 * Opens the database that `DATABASE_URL` names: `file:…` is SQLite, `postgres://…` is PostgreSQL.
 * The first query creates or migrates the tables.
 */
export function openDatabase({ url, script, log }: DatabaseOptions): Database {
  const dialect: Dialect = url.startsWith('file:') ? 'sqlite' : 'postgres'
  const { forAll, forReports } =
    dialect === 'sqlite'
      ? openSqliteEngines(url.slice('file:'.length), script)
      : openPostgresEngines(url, log)
  const db = new Kysely<Tables>({ dialect: forAll.dialect })
  const reportsDb = forReports === forAll ? db : new Kysely<Tables>({ dialect: forReports.dialect })
  if (dialect === 'sqlite') assertSqliteVersion(new Sqlite(':memory:'))
  let migrated: Promise<void> | null = null

  async function runOn<T>(target: Kysely<Tables>, work: Work<T>): Promise<T> {
    try {
      migrated ??= migrate(db, dialect)
      // The next query tries again: the database may be available then.
      await migrated.catch((error: unknown) => {
        migrated = null
        throw error
      })
      return await work(target)
    } catch (error) {
      if (!isStoreFailure(error)) throw error
      log.error({ err: error }, 'the store failed')
      throw new SiteError('storeUnavailable', undefined, { 'Retry-After': '5' })
    }
  }
  return {
    dialect,
    run: (work) => runOn(db, work),
    report: (work) => runOn(reportsDb, work),
    queueLength: () =>
      forAll.queueLength() + (forReports === forAll ? 0 : forReports.queueLength()),
    close: async () => {
      await Promise.all([...new Set([db, reportsDb])].map((one) => one.destroy()))
    },
  }
}

function openSqliteEngines(file: string, script: string): Engines {
  const engineOf = (isForReports: boolean): Engine => {
    const thread = createSqliteThread({ file, isForReports }, script)
    return { dialect: createSqliteDialect(thread), queueLength: thread.queueLength }
  }
  return { forAll: engineOf(false), forReports: engineOf(true) }
}

function openPostgresEngines(connectionString: string, log: DatabaseOptions['log']): Engines {
  let pool: Pool | null = null
  const engine: Engine = {
    dialect: new PostgresDialect({
      pool: async () => (pool = await openPool(connectionString, log)),
    }),
    queueLength: () => pool?.waitingCount ?? 0,
  }
  return { forAll: engine, forReports: engine }
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
