import {
  sql,
  type ColumnDataType,
  type ColumnDefinitionBuilder,
  type CreateTableBuilder,
  type Kysely,
  type Transaction,
} from 'kysely'
import type { Tables } from './tables'

export type Dialect = 'sqlite' | 'postgres'

type TableBuilder = CreateTableBuilder<string, string>
/** Adds a column of one kind to a table. */
type Column = (table: TableBuilder, name: string, dialect: Dialect) => TableBuilder
type Constraint = { name: string; columns: string[] }
type TableDefinition = {
  columns: Readonly<Record<string, Column>>
  unique?: Constraint
  /** Where the key consists of several columns. */
  primaryKey?: Constraint
  index?: { name: string; column: string }
}
type Step = (db: Transaction<Tables>, dialect: Dialect) => Promise<void>
type Migration = { name: string; up: Step }

const asKey = (column: ColumnDefinitionBuilder): ColumnDefinitionBuilder =>
  column.primaryKey().notNull()
const required =
  (type: ColumnDataType): Column =>
  (table, name) =>
    table.addColumn(name, type, (column) => column.notNull())
const text = required('text')
const integer = required('integer')
const bigint = required('bigint')
const optionalBigint: Column = (table, name) => table.addColumn(name, 'bigint')
const textKey: Column = (table, name) => table.addColumn(name, 'text', asKey)
const uuidKey: Column = (table, name, dialect) =>
  table.addColumn(name, dialect === 'sqlite' ? 'text' : 'uuid', asKey)
/** A row number that the database assigns. */
const serialKey: Column = (table, name, dialect) =>
  dialect === 'sqlite'
    ? table.addColumn(name, 'integer', (column) => column.primaryKey().autoIncrement())
    : table.addColumn(name, 'bigserial', (column) => column.primaryKey())
const textReference =
  (target: `${string}.${string}`): Column =>
  (table, name) =>
    table.addColumn(name, 'text', (column) => column.notNull().references(target))

/**
 * Every migration runs once, in this order. A released migration never changes: data folders exist
 * that have run it. The next change of the tables is a further row. `tables.ts` describes the
 * columns.
 */
const migrations: readonly Migration[] = [
  {
    name: '0001-first-tables',
    up: createTables({
      secrets: { columns: { name: textKey, kind: text, value: text, created_at: bigint } },
      accounts: {
        columns: {
          id: textKey,
          provider: text,
          subject: text,
          email: text,
          name: text,
          picture: text,
          language: text,
          invite_code: text,
          source: text,
          referer: text,
          created_at: bigint,
          signed_in_at: bigint,
        },
        unique: { name: 'accounts_subject', columns: ['provider', 'subject'] },
      },
      tokens: {
        columns: {
          hash: textKey,
          account_id: textReference('accounts.id'),
          expires_at: bigint,
          redeemed_at: optionalBigint,
        },
        index: { name: 'tokens_expiry', column: 'expires_at' },
      },
      used_nonces: {
        columns: { hash: textKey, expires_at: bigint },
        index: { name: 'used_nonces_expiry', column: 'expires_at' },
      },
      events: {
        columns: {
          id: uuidKey,
          received_at: bigint,
          ts: bigint,
          kind: text,
          op: integer,
          locale: text,
          device_id: text,
          url: text,
          data: text,
          context_id: text,
        },
        index: { name: 'events_received', column: 'received_at' },
      },
      event_contexts: { columns: { id: textKey, received_at: bigint, data: text } },
      referrals: {
        columns: { device_id: text, code: text, at: bigint },
        primaryKey: { name: 'referrals_once', columns: ['device_id', 'code'] },
      },
      fingerprints: {
        columns: {
          device_id: text,
          log_type: text,
          hash: text,
          at: bigint,
          data: text,
          base: text,
        },
        primaryKey: { name: 'fingerprints_once', columns: ['device_id', 'log_type', 'hash'] },
        index: { name: 'fingerprints_at', column: 'at' },
      },
      search_misses: {
        columns: { day: text, locale: text, query: text, count: integer },
        primaryKey: { name: 'search_misses_once', columns: ['day', 'locale', 'query'] },
      },
      sources: {
        columns: {
          id: serialKey,
          at: bigint,
          device_id: text,
          referer: text,
          page_url: text,
          source: text,
          callback: text,
          utm_source: text,
          utm_medium: text,
          utm_term: text,
          utm_content: text,
          utm_campaign: text,
          bd_vid: text,
        },
      },
      messages: {
        columns: {
          id: serialKey,
          at: bigint,
          name: text,
          email: text,
          message: text,
          locale: text,
          page: text,
        },
      },
      helpful_votes: {
        columns: { id: serialKey, at: bigint, page: text, locale: text, helpful: integer },
      },
    }),
  },
]

/** Names of all migrations that this version knows. */
export const migrationNames: readonly string[] = migrations.map(({ name }) => name)

/**
 * PostgreSQL's advisory locks are numbers; this one is an arbitrary number that only the site uses.
 */
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

/** A step that creates tables, in the given order. */
function createTables(definitions: Readonly<Record<string, TableDefinition>>): Step {
  return async ({ schema }, dialect) => {
    for (const [name, { columns, unique, primaryKey, index }] of Object.entries(definitions)) {
      let table: TableBuilder = schema.createTable(name)
      for (const [column, addTo] of Object.entries(columns)) table = addTo(table, column, dialect)
      if (unique) table = table.addUniqueConstraint(unique.name, unique.columns)
      if (primaryKey) table = table.addPrimaryKeyConstraint(primaryKey.name, primaryKey.columns)
      await table.execute()
      if (index) await schema.createIndex(index.name).on(name).column(index.column).execute()
    }
  }
}
