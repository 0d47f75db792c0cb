import Database from 'better-sqlite3'
import { migrationNames } from '../../db/migrations'
import { OperatorError } from '../../errors'

function openFile(file: string): Database.Database {
  try {
    return new Database(file, { readonly: true, fileMustExist: true })
  } catch {
    throw new OperatorError(`${file} cannot be read`)
  }
}

function checkIntegrity(db: Database.Database, file: string): void {
  const result = db.pragma('integrity_check', { simple: true })
  if (result !== 'ok') throw new OperatorError(`${file} is damaged: ${String(result)}`)
  const dangling = db.prepare('SELECT 1 FROM pragma_foreign_key_check').all().length
  if (dangling > 0)
    throw new OperatorError(`${file} is damaged: ${dangling} rows refer to rows that do not exist`)
}

function checkMigrations(db: Database.Database, file: string): void {
  const unknown = db
    .prepare<[], { name: string }>('SELECT name FROM migrations')
    .all()
    .map(({ name }) => name)
    .filter((name) => !migrationNames.includes(name))
  if (unknown.length > 0)
    throw new OperatorError(
      `${file} was written by a newer program (${unknown.join(', ')}): update this one first`,
    )
}

/**
 * Checks a whole SQLite file of the site. Throws an OperatorError if it is damaged, not a database
 * of this site, or written by a newer version of the site.
 */
export function checkSqliteFile(file: string): void {
  const db = openFile(file)
  try {
    checkIntegrity(db, file)
    checkMigrations(db, file)
  } catch (error) {
    if (error instanceof OperatorError) throw error
    throw new OperatorError(
      `${file} is not a database of this site: ${error instanceof Error ? error.message : String(error)}`,
    )
  } finally {
    db.close()
  }
}
