/**
 * The database is unavailable: the disk is full, the file is locked or the server is unreachable.
 * Not a defect of the program.
 */
export class StoreFailure extends Error {
  readonly name = 'StoreFailure'
}

/**
 * Codes of SQLite, of PostgreSQL (connection, resources, shutdown, read-only, lock and statement
 * timeouts) and of the operating system.
 */
const codes =
  /^SQLITE_(?:FULL|IOERR|BUSY|LOCKED|READONLY|CORRUPT|NOTADB|CANTOPEN|NOMEM|PROTOCOL)|^(?:08|53|57|58)|^25006$|^55P03$|^40P01$|^E(?:CONN|PIPE|HOST|NET|TIMEDOUT|AI_AGAIN|NOTFOUND|NOSPC|ROFS|IO)/

const messages =
  /timeout exceeded when trying to connect|Connection terminated|not queryable|Client was closed|Query read timeout/

/** Whether an error of a database library means that the database is unavailable. */
export function isStoreFailure(error: unknown): boolean {
  if (error instanceof StoreFailure) return true
  if (!(error instanceof Error)) return false
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return (
    codes.test(code) ||
    messages.test(error.message) ||
    (error instanceof AggregateError && error.errors.some(isStoreFailure))
  )
}
