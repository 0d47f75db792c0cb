export type Row = Readonly<Record<string, unknown>>

/** One of the two stores between which rows are copied: a SQLite file or a PostgreSQL database. All of it happens in one transaction. */
export type StoreSide = {
  /** Rows of a table in portions; all tables as they were at one moment. */
  read: (table: string) => AsyncIterable<readonly Row[]>
  insert: (table: string, rows: readonly Row[]) => Promise<void>
  clear: (table: string) => Promise<void>
  isEmpty: (table: string) => Promise<boolean>
  /** Numbers that count up by themselves go on after the highest that was copied. */
  continueCounting: (table: string) => Promise<void>
  commit: () => Promise<void>
  /** Leaves everything as it was, unless it was committed. */
  close: () => Promise<void>
}

/** Rows that travel together. */
export const portion = 1000

/** Names of tables and columns come from the database itself; they are quoted all the same. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
