import Database from 'better-sqlite3'
import { migrationNames } from '../../db/migrations'
import { OperatorError } from '../../errors'

/** Looks through a whole SQLite file of a site. Throws a Complaint when it is damaged, none of ours, or of a newer program than this one. */
export function checkSqliteFile(file: string): void {
  let db: Database.Database
  try {
    db = new Database(file, { readonly: true, fileMustExist: true })
  } catch {
    throw new OperatorError(`${file} cannot be read`)
  }
  try {
    const result = db.pragma('integrity_check', { simple: true })
    if (result !== 'ok') throw new OperatorError(`${file} is damaged: ${String(result)}`)
    const broken = db.pragma('foreign_key_check') as unknown[]
    if (broken.length > 0)
      throw new OperatorError(
        `${file} is damaged: ${broken.length} rows refer to rows that are not there`,
      )
    const done = (db.prepare('SELECT name FROM migrations').all() as Array<{ name: string }>).map(
      ({ name }) => name,
    )
    const unknown = done.filter((name) => !migrationNames.includes(name))
    if (unknown.length > 0)
      throw new OperatorError(
        `${file} was written by a newer program (${unknown.join(', ')}): update this one first`,
      )
  } catch (error) {
    if (error instanceof OperatorError) throw error
    throw new OperatorError(
      `${file} is no store of this site: ${error instanceof Error ? error.message : String(error)}`,
    )
  } finally {
    db.close()
  }
}
