import {
  sql,
  type ColumnDataType,
  type ColumnDefinitionBuilder,
  type CreateTableBuilder,
  type Transaction,
} from 'kysely'
import type { Tables } from './tables'

export type Dialect = 'sqlite' | 'postgres'

type TableBuilder = CreateTableBuilder<string, string>
/** Adds a column of one kind to a table. */
type Column = (table: TableBuilder, name: string, dialect: Dialect) => TableBuilder
export type Migration = { name: string; up: Step }
type Constraint = { name: string; columns: string[] }
type TableDefinition = {
  columns: Readonly<Record<string, Column>>
  unique?: Constraint
  /** Where the key consists of several columns. */
  primaryKey?: Constraint
  index?: { name: string; column: string }
}
/** One step of a migration. */
export type Step = (db: Transaction<Tables>, dialect: Dialect) => Promise<void>

export const asKey = (column: ColumnDefinitionBuilder): ColumnDefinitionBuilder =>
  column.primaryKey().notNull()
const required =
  (type: ColumnDataType): Column =>
  (table, name) =>
    table.addColumn(name, type, (column) => column.notNull())
export const text = required('text')
export const integer = required('integer')
export const bigint = required('bigint')
export const optionalBigint: Column = (table, name) => table.addColumn(name, 'bigint')
export const optionalNumber: Column = (table, name) => table.addColumn(name, 'double precision')
export const textKey: Column = (table, name) => table.addColumn(name, 'text', asKey)
export const uuidKey: Column = (table, name, dialect) =>
  table.addColumn(name, dialect === 'sqlite' ? 'text' : 'uuid', asKey)
/** A row number that the database assigns. */
export const serialKey: Column = (table, name, dialect) =>
  dialect === 'sqlite'
    ? table.addColumn(name, 'integer', (column) => column.primaryKey().autoIncrement())
    : table.addColumn(name, 'bigserial', (column) => column.primaryKey())
export const textReference =
  (target: `${string}.${string}`): Column =>
  (table, name) =>
    table.addColumn(name, 'text', (column) => column.notNull().references(target))

/** A step that creates tables, in the given order. */
export function createTables(definitions: Readonly<Record<string, TableDefinition>>): Step {
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

/**
 * A step that stores the rows of tables within their primary keys. Otherwise SQLite keeps the key
 * and the row in two places, and a query by the key reads both (decision 113). PostgreSQL has no
 * such tables.
 */
export function storeWithinPrimaryKeys(tables: readonly string[]): Step {
  return async (db, dialect) => {
    if (dialect === 'postgres') return
    for (const table of tables) {
      const copy = `${table}_copy`
      const { rows: definitions } = await sql<{ type: 'table' | 'index'; sql: string }>`
        select type, sql from sqlite_master where tbl_name = ${table} and sql is not null`.execute(
        db,
      )
      const create = definitions
        .find(({ type }) => type === 'table')
        ?.sql.replace(`"${table}"`, `"${copy}"`)
      await sql.raw(`${create} without rowid`).execute(db)
      await sql`insert into ${sql.table(copy)} select * from ${sql.table(table)}`.execute(db)
      await sql`drop table ${sql.table(table)}`.execute(db)
      await sql`alter table ${sql.table(copy)} rename to ${sql.ref(table)}`.execute(db)
      for (const index of definitions)
        if (index.type === 'index') await sql.raw(index.sql).execute(db)
    }
  }
}
