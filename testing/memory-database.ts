import Sqlite from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import type { Database } from '../server/db/database'
import { migrate } from '../server/db/migrate'
import type { Tables } from '../server/db/tables'

/** A new database with all tables, in memory: for unit tests, which have no build to start. */
export async function openMemoryDatabase(): Promise<Database> {
  const db = new Kysely<Tables>({
    dialect: new SqliteDialect({ database: new Sqlite(':memory:') }),
  })
  await migrate(db, 'sqlite')
  return {
    dialect: 'sqlite',
    run: (work) => work(db),
    report: (work) => work(db),
    queueLength: () => 0,
    close: () => db.destroy(),
  }
}
