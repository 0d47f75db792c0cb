import {
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type QueryResult,
} from 'kysely'
import type { Parameter } from './sqlite-jobs'
import type { SqliteThread } from './sqlite-thread'

/**
 * Kysely's own adapter lets one statement at a time through, because it expects a connection that
 * is not shared. Then no two statements would ever wait together and share a commit.
 */
class ThreadAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

/**
 * All connections share the worker thread; each is only an id. While a connection has a
 * transaction, the thread runs only statements with that id.
 */
class ThreadConnection implements DatabaseConnection {
  private inTransaction = false
  constructor(
    private readonly thread: SqliteThread,
    private readonly id: number,
  ) {}

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const { rows, changes } = await this.thread.run({
      sql,
      parameters: parameters.map(toParameter),
      ...(this.inTransaction ? { owner: this.id } : {}),
    })
    // A cast because Kysely derives R from the statement that it compiled.
    return { rows: rows as R[], numAffectedRows: BigInt(changes) }
  }
  streamQuery(): never {
    throw new Error('streaming rows is not supported')
  }
  async begin(): Promise<void> {
    this.inTransaction = true
    await this.control('BEGIN IMMEDIATE')
  }
  async end(statement: 'COMMIT' | 'ROLLBACK'): Promise<void> {
    await this.control(statement)
    this.inTransaction = false
  }
  private async control(sql: string): Promise<void> {
    await this.thread.run({ sql, parameters: [], owner: this.id })
  }
}

/**
 * The value that the database thread gets: SQLite has no booleans, so they become 0 or 1. Throws
 * for a value that cannot be sent as JSON.
 */
function toParameter(value: unknown): Parameter {
  if (typeof value === 'boolean') return Number(value)
  if (value === null || typeof value === 'string' || typeof value === 'number') return value
  throw new TypeError(`a statement has a parameter of type ${typeof value}`)
}

/** Kysely's dialect for SQLite in a worker thread with group commit. */
export function createSqliteDialect(thread: SqliteThread): Dialect {
  let nextId = 1
  return {
    createAdapter: () => new ThreadAdapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createDriver: () => ({
      init: () => Promise.resolve(),
      acquireConnection: () => Promise.resolve(new ThreadConnection(thread, nextId++)),
      releaseConnection: () => Promise.resolve(),
      beginTransaction: (connection: ThreadConnection) => connection.begin(),
      commitTransaction: (connection: ThreadConnection) => connection.end('COMMIT'),
      rollbackTransaction: (connection: ThreadConnection) => connection.end('ROLLBACK'),
      destroy: () => thread.close(),
    }),
  }
}
