import { sql, type Kysely } from 'kysely'
import { asKey, type Dialect } from './migration-steps'
import { migrationNames, migrations } from './migrations'
import type { Tables } from './tables'

/** Whether a PostgreSQL database needs no migration. */
export async function isPostgresUpToDate(db: Kysely<Tables>): Promise<boolean> {
  const { rows: found } = await sql<{ found: boolean }>`
    select to_regclass('migrations') is not null as found`.execute(db)
  if (!found[0]?.found) return false
  const { rows } = await sql<{ name: string }>`select name from migrations`.execute(db)
  const applied = new Set(rows.map(({ name }) => name))
  return migrationNames.every((name) => applied.has(name))
}

/** Number of the lock that a process holds while it migrates. Chosen at random. */
const advisoryLock = 7_204_531

/**
 * Brings a database up to date. Safe when many processes start at once: everything happens in one
 * transaction that only one of them holds (SQLite: the transaction begins IMMEDIATE; PostgreSQL: an
 * advisory lock). The others then find nothing to do.
 */
export async function migrate(db: Kysely<Tables>, dialect: Dialect): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    if (dialect === 'postgres')
      await sql`select pg_advisory_xact_lock(${advisoryLock})`.execute(transaction)
    await transaction.schema
      .createTable('migrations')
      .ifNotExists()
      .addColumn('name', 'text', asKey)
      .addColumn('at', 'bigint', (column) => column.notNull())
      .execute()
    const { rows } = await sql<{ name: string }>`select name from migrations`.execute(transaction)
    const applied = new Set(rows.map((row) => row.name))
    for (const { name, up } of migrations) {
      if (applied.has(name)) continue
      await up(transaction, dialect)
      await sql`insert into migrations (name, at) values (${name}, ${Date.now()})`.execute(
        transaction,
      )
    }
  })
}
