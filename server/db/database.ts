import Sqlite from 'better-sqlite3'
import { existsSync, statSync } from 'node:fs'
import { Kysely, PostgresDialect, type Dialect as KyselyDialect } from 'kysely'
import type { Pool, PoolConfig } from 'pg'
import { SettingsError } from '../env'
import { SiteError } from '../errors'
import type { Logger } from '../telemetry/logger'
import type { Dialect } from './migration-steps'
import { isPostgresUpToDate, migrate } from './migrate'
import { createSqliteDialect } from './sqlite-dialect'
import { createSqliteThread } from './sqlite-thread'
import { assertSqliteVersion } from './sqlite-version'
import { isStoreFailure, StoreFailure } from './store-failure'
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
   * Like `run`, for queries of operators that read many rows. On SQLite they run in a second
   * thread, so that visitors' writes do not wait for them; it only reads.
   */
  report: <T>(work: Work<T>) => Promise<T>
  /** Number of statements of this process that wait for the database. */
  queueLength: () => number
  close: () => Promise<void>
}

type DatabaseOptions = {
  url: string
  /** Path of the built SQLite worker. */
  script: string
  log: Pick<Logger, 'error'>
  /**
   * How long queries wait while the tables are migrated, which takes minutes where an index of
   * millions of rows is made. Later ones are refused until it is done. By default all wait.
   */
  migrationWaitMs?: number
}

type Engine = { dialect: KyselyDialect; queueLength: () => number }
type Engines = {
  forAll: Engine
  /** For long queries, so that the others do not wait behind them. PostgreSQL: the same pool. */
  forReports: Engine
  migrate: (db: Kysely<Tables>) => Promise<void>
}

const connectTimeoutMs = 2000
const statementTimeoutMs = 3000
const queryLimits = {
  max: 10,
  statement_timeout: statementTimeoutMs,
  lock_timeout: statementTimeoutMs,
  query_timeout: 2 * statementTimeoutMs,
}
/** Without a time limit, only this notices a server that has vanished. */
const keepAlive = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 }

/** Path of the SQLite file that `DATABASE_URL` names (`file:…`); null for PostgreSQL. */
export const sqlitePath = (url: string): string | null =>
  url.startsWith('file:') ? url.slice('file:'.length) : null

/** Rejects when `work` takes longer; `work` is not stopped. */
async function waitAtMost(work: Promise<void>, timeoutMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new StoreFailure('the tables are being migrated')),
      timeoutMs,
    ).unref()
  })
  await Promise.race([work, late]).finally(() => clearTimeout(timer))
}

/**
 * Refuses a path that cannot be a database, such as that of a folder. Any other failure may pass,
 * and pages are served meanwhile.
 */
export function assertDatabaseUrl(url: string): void {
  const file = sqlitePath(url)
  if (file !== null && existsSync(file) && !statSync(file).isFile())
    throw new SettingsError(
      `DATABASE_URL=${JSON.stringify(url)} is not accepted: file:… with the path of a file, or postgres://…`,
    )
}

/**
 * Opens the database that `DATABASE_URL` names: `file:…` is SQLite, `postgres://…` is PostgreSQL.
 * The first query creates or migrates the tables.
 */
export function openDatabase({ url, script, log, migrationWaitMs }: DatabaseOptions): Database {
  const file = sqlitePath(url)
  const dialect: Dialect = file === null ? 'postgres' : 'sqlite'
  const { forAll, forReports, migrate } =
    file === null ? openPostgresEngines(url, log) : openSqliteEngines(file, script)
  const db = new Kysely<Tables>({ dialect: forAll.dialect })
  const reportsDb = forReports === forAll ? db : new Kysely<Tables>({ dialect: forReports.dialect })
  if (dialect === 'sqlite') assertSqliteVersion(new Sqlite(':memory:'))
  let migrated: Promise<void> | null = null

  function startMigration(): Promise<void> {
    const done = migrate(db)
    done.then(
      () => (migrated = done),
      // The next query tries again: the database may be available then.
      () => (migrated = null),
    )
    return migrationWaitMs === undefined ? done : waitAtMost(done, migrationWaitMs)
  }
  async function runOn<T>(target: Kysely<Tables>, work: Work<T>): Promise<T> {
    try {
      migrated ??= startMigration()
      await migrated
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
  return {
    forAll: engineOf(false),
    forReports: engineOf(true),
    migrate: (db) => migrate(db, 'sqlite'),
  }
}

function openPostgresEngines(connectionString: string, log: DatabaseOptions['log']): Engines {
  let pool: Pool | null = null
  const engine: Engine = {
    dialect: new PostgresDialect({
      pool: async () => (pool = await openPool({ connectionString, ...queryLimits }, log)),
    }),
    queueLength: () => pool?.waitingCount ?? 0,
  }
  return {
    forAll: engine,
    forReports: engine,
    migrate: (db) => migratePostgres(db, connectionString, log),
  }
}

/** Migrates on a connection without time limits for statements and locks. */
async function migratePostgres(
  db: Kysely<Tables>,
  connectionString: string,
  log: DatabaseOptions['log'],
): Promise<void> {
  if (await isPostgresUpToDate(db)) return
  const pool = () => openPool({ connectionString, max: 1, ...keepAlive }, log)
  const patient = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  await migrate(patient, 'postgres').finally(() => patient.destroy())
}

/** Loads `pg` with the first connection, so that it costs no start time where SQLite is used. */
async function openPool(config: PoolConfig, log: DatabaseOptions['log']): Promise<Pool> {
  const { default: pg } = await import('pg')
  const types = new pg.TypeOverrides()
  // Timestamps in ms fit a number; by default 64-bit integers are returned as text.
  types.setTypeParser(pg.types.builtins.INT8, Number)
  const pool = new pg.Pool({
    connectionTimeoutMillis: connectTimeoutMs,
    types,
    ...config,
  })
  // An error event without a listener would end the process. The pool listens only to idle
  // connections, so each connection gets its own listener.
  pool.on('connect', (client) => {
    client.on('error', (error) => log.error({ err: error }, 'a connection to the database broke'))
  })
  pool.on('error', () => undefined)
  return pool
}
