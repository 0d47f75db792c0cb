import { sql, type ColumnDefinitionBuilder, type Kysely, type Transaction } from 'kysely'
import type { Tables } from './tables'

export type Dialect = 'sqlite' | 'postgres'
type Migration = { name: string; up: (db: Transaction<Tables>, dialect: Dialect) => Promise<void> }

const required = (column: ColumnDefinitionBuilder): ColumnDefinitionBuilder => column.notNull()
const key = (column: ColumnDefinitionBuilder): ColumnDefinitionBuilder =>
  column.primaryKey().notNull()

/** A number that counts up by itself. */
async function addCounted(
  db: Transaction<Tables>,
  dialect: Dialect,
  table: string,
  columns: Readonly<Record<string, 'text' | 'bigint' | 'integer'>>,
): Promise<void> {
  let builder = db.schema.createTable(table)
  builder =
    dialect === 'sqlite'
      ? builder.addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
      : builder.addColumn('id', 'bigserial', (column) => column.primaryKey())
  for (const [name, type] of Object.entries(columns))
    builder = builder.addColumn(name, type, required)
  await builder.execute()
}

/** In this order, each once; a migration that is released is never changed, the next change is a further row. */
const migrations: readonly Migration[] = [
  {
    name: '0001-first-tables',
    async up(db, dialect) {
      const { schema } = db
      await schema
        .createTable('secrets')
        .addColumn('name', 'text', key)
        .addColumn('kind', 'text', required)
        .addColumn('value', 'text', required)
        .addColumn('created_at', 'bigint', required)
        .execute()
      await schema
        .createTable('accounts')
        .addColumn('id', 'text', key)
        .addColumn('provider', 'text', required)
        .addColumn('subject', 'text', required)
        .addColumn('email', 'text', required)
        .addColumn('name', 'text', required)
        .addColumn('picture', 'text', required)
        .addColumn('language', 'text', required)
        .addColumn('invite_code', 'text', required)
        .addColumn('source', 'text', required)
        .addColumn('referer', 'text', required)
        .addColumn('created_at', 'bigint', required)
        .addColumn('signed_in_at', 'bigint', required)
        .addUniqueConstraint('accounts_subject', ['provider', 'subject'])
        .execute()
      await schema
        .createTable('tokens')
        .addColumn('hash', 'text', key)
        .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
        .addColumn('expires_at', 'bigint', required)
        .addColumn('redeemed_at', 'bigint')
        .execute()
      await schema.createIndex('tokens_expiry').on('tokens').column('expires_at').execute()
      await schema
        .createTable('used_nonces')
        .addColumn('hash', 'text', key)
        .addColumn('expires_at', 'bigint', required)
        .execute()
      await schema
        .createIndex('used_nonces_expiry')
        .on('used_nonces')
        .column('expires_at')
        .execute()
      await schema
        .createTable('events')
        .addColumn('id', dialect === 'sqlite' ? 'text' : 'uuid', key)
        .addColumn('received_at', 'bigint', required)
        .addColumn('ts', 'bigint', required)
        .addColumn('kind', 'text', required)
        .addColumn('op', 'integer', required)
        .addColumn('locale', 'text', required)
        .addColumn('device_id', 'text', required)
        .addColumn('url', 'text', required)
        .addColumn('data', 'text', required)
        .addColumn('context_id', 'text', required)
        .execute()
      await schema.createIndex('events_received').on('events').column('received_at').execute()
      await schema
        .createTable('event_contexts')
        .addColumn('id', 'text', key)
        .addColumn('received_at', 'bigint', required)
        .addColumn('data', 'text', required)
        .execute()
      await schema
        .createTable('referrals')
        .addColumn('device_id', 'text', required)
        .addColumn('code', 'text', required)
        .addColumn('at', 'bigint', required)
        .addPrimaryKeyConstraint('referrals_once', ['device_id', 'code'])
        .execute()
      await schema
        .createTable('fingerprints')
        .addColumn('device_id', 'text', required)
        .addColumn('log_type', 'text', required)
        .addColumn('hash', 'text', required)
        .addColumn('at', 'bigint', required)
        .addColumn('data', 'text', required)
        .addColumn('base', 'text', required)
        .addPrimaryKeyConstraint('fingerprints_once', ['device_id', 'log_type', 'hash'])
        .execute()
      await schema.createIndex('fingerprints_at').on('fingerprints').column('at').execute()
      await schema
        .createTable('search_misses')
        .addColumn('day', 'text', required)
        .addColumn('locale', 'text', required)
        .addColumn('query', 'text', required)
        .addColumn('count', 'integer', required)
        .addPrimaryKeyConstraint('search_misses_once', ['day', 'locale', 'query'])
        .execute()
      await addCounted(db, dialect, 'sources', {
        at: 'bigint',
        device_id: 'text',
        referer: 'text',
        page_url: 'text',
        source: 'text',
        callback: 'text',
        utm_source: 'text',
        utm_medium: 'text',
        utm_term: 'text',
        utm_content: 'text',
        utm_campaign: 'text',
        bd_vid: 'text',
      })
      await addCounted(db, dialect, 'messages', {
        at: 'bigint',
        name: 'text',
        email: 'text',
        message: 'text',
        locale: 'text',
        page: 'text',
      })
      await addCounted(db, dialect, 'helpful_votes', {
        at: 'bigint',
        page: 'text',
        locale: 'text',
        helpful: 'integer',
      })
    },
  },
]

/** Names of all that this program knows. */
export const migrationNames: readonly string[] = migrations.map(({ name }) => name)

/** Any number that only this program uses: PostgreSQL's advisory locks are numbered. */
const advisoryLock = 7_204_531

/**
 * Brings a database up to date. Safe when many processes start at once: all of it happens in one transaction that only one of them
 * holds (SQLite: the transaction begins IMMEDIATE; PostgreSQL: an advisory lock), the others then find nothing to do.
 */
export async function migrate(db: Kysely<Tables>, dialect: Dialect): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    if (dialect === 'postgres')
      await sql`select pg_advisory_xact_lock(${advisoryLock})`.execute(transaction)
    await transaction.schema
      .createTable('migrations')
      .ifNotExists()
      .addColumn('name', 'text', key)
      .addColumn('at', 'bigint', required)
      .execute()
    const { rows } = await sql<{ name: string }>`select name from migrations`.execute(transaction)
    const done = new Set(rows.map((row) => row.name))
    for (const { name, up } of migrations) {
      if (done.has(name)) continue
      await up(transaction, dialect)
      await sql`insert into migrations (name, at) values (${name}, ${Date.now()})`.execute(
        transaction,
      )
    }
  })
}
