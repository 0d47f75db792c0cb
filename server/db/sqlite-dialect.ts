import {
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type QueryResult,
} from 'kysely'
import type { SqliteThread } from './sqlite-thread'

/** A connection of Kysely is a name on the one thread; a transaction makes the thread work for that name alone. */
class ThreadConnection implements DatabaseConnection {
  private owned = false
  constructor(
    private readonly thread: SqliteThread,
    private readonly id: number,
  ) {}

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const { rows, changes } = await this.thread.run({
      sql,
      parameters: parameters.map(bindable),
      ...(this.owned ? { owner: this.id } : {}),
    })
    // Kysely's types describe what its own statements select.
    return { rows: rows as R[], numAffectedRows: BigInt(changes) }
  }
  streamQuery(): never {
    throw new Error('rows are not streamed')
  }
  async begin(): Promise<void> {
    this.owned = true
    await this.control('BEGIN IMMEDIATE')
  }
  async end(statement: 'COMMIT' | 'ROLLBACK'): Promise<void> {
    await this.control(statement)
    this.owned = false
  }
  private async control(sql: string): Promise<void> {
    await this.thread.run({ sql, parameters: [], owner: this.id })
  }
}

const bindable = (value: unknown): unknown => (typeof value === 'boolean' ? Number(value) : value)

/** Kysely on SQLite in a worker thread with group commit. */
export function createSqliteDialect(thread: SqliteThread): Dialect {
  let next = 1
  const own = (connection: DatabaseConnection): ThreadConnection => {
    if (connection instanceof ThreadConnection) return connection
    throw new Error('a connection of another driver')
  }
  return {
    createAdapter: () => new SqliteAdapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createDriver: () => ({
      init: async () => undefined,
      acquireConnection: async () => new ThreadConnection(thread, next++),
      releaseConnection: async () => undefined,
      beginTransaction: (connection) => own(connection).begin(),
      commitTransaction: (connection) => own(connection).end('COMMIT'),
      rollbackTransaction: (connection) => own(connection).end('ROLLBACK'),
      destroy: () => thread.close(),
    }),
  }
}
