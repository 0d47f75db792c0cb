export type Row = Readonly<Record<string, unknown>>

/**
 * The source or the target of a copy: a SQLite file or a PostgreSQL database. Everything happens in
 * one transaction.
 */
export type CopyEndpoint = {
  /** The rows of a table in batches, as they were when the transaction began. */
  read: (table: string) => Iterable<readonly Row[]> | AsyncIterable<readonly Row[]>
  insert: (table: string, rows: readonly Row[]) => void | Promise<void>
  clear: (table: string) => void | Promise<void>
  isEmpty: (table: string) => boolean | Promise<boolean>
  /** Makes generated ids continue after the highest copied id. */
  resetSequences: (table: string) => void | Promise<void>
  commit: () => void | Promise<void>
  /** Rolls back what was not committed. */
  close: () => void | Promise<void>
}

/** Rows that are read or written together. */
export const batchSize = 1000

/** Quotes the name of a table or column. */
export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`
