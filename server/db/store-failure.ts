/** The store could not take or give something now: the disk is full, the file locked, the server away. Not a mistake of the program. */
export class StoreFailure extends Error {
  readonly name = 'StoreFailure'
}

/** SQLite's codes, classes of PostgreSQL's (connection, resources, shutdown, read-only, lock and statement timeouts), and the system's. */
const failures =
  /^SQLITE_(?:FULL|IOERR|BUSY|LOCKED|READONLY|CORRUPT|NOTADB|CANTOPEN|NOMEM|PROTOCOL)|^(?:08|53|57|58)|^25006$|^55P03$|^40P01$|^E(?:CONN|PIPE|HOST|NET|TIMEDOUT|AI_AGAIN|NOTFOUND|NOSPC|ROFS|IO)/

const messages =
  /timeout exceeded when trying to connect|Connection terminated|not queryable|Client was closed|Query read timeout/

/** Whether an error of a database's library means that the store failed. */
export function isStoreFailure(error: unknown): boolean {
  if (error instanceof StoreFailure) return true
  if (!(error instanceof Error)) return false
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return (
    failures.test(code) ||
    messages.test(error.message) ||
    (error instanceof AggregateError && error.errors.some(isStoreFailure))
  )
}
