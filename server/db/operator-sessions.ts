import type { Database } from './database'
import type { Tables } from './tables'

/** A session of an operator in the console. */
type OperatorSession = Tables['operator_sessions']

/** Stores a new session, and deletes those that have expired. */
export async function addOperatorSession(
  database: Database,
  session: OperatorSession,
): Promise<void> {
  await database.run(async (db) => {
    await db.deleteFrom('operator_sessions').where('expires_at', '<', session.created_at).execute()
    await db.insertInto('operator_sessions').values(session).execute()
  })
}

/** The session with this id; null when there is none, or when it has expired. */
export async function findOperatorSession(
  database: Database,
  id: string,
  now: number,
): Promise<OperatorSession | null> {
  const session = await database.run((db) =>
    db
      .selectFrom('operator_sessions')
      .selectAll()
      .where('id', '=', id)
      .where('expires_at', '>', now)
      .executeTakeFirst(),
  )
  return session ?? null
}

const maxListed = 200

/** Sessions that have not expired, newest first. */
export const listOperatorSessions = (database: Database, now: number): Promise<OperatorSession[]> =>
  database.run((db) =>
    db
      .selectFrom('operator_sessions')
      .selectAll()
      .where('expires_at', '>', now)
      .orderBy('created_at', 'desc')
      .limit(maxListed)
      .execute(),
  )

/** Ends a session at once, on all machines. Returns false when there was none. */
export async function deleteOperatorSession(database: Database, id: string): Promise<boolean> {
  const { numDeletedRows } = await database.run((db) =>
    db.deleteFrom('operator_sessions').where('id', '=', id).executeTakeFirstOrThrow(),
  )
  return numDeletedRows > 0n
}
