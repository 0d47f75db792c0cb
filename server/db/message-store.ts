import type { Insertable, Selectable } from 'kysely'
import type { Database } from './database'
import type { MessageState, Tables } from './tables'

/** Stores a visitor's message. */
export async function storeMessage(
  database: Database,
  message: Omit<Insertable<Tables['messages']>, 'id' | 'at'>,
): Promise<void> {
  await database.run((db) =>
    db
      .insertInto('messages')
      .values({ ...message, at: Date.now() })
      .execute(),
  )
}

/** Stores one answer to "was this helpful?". */
export async function storeVote(
  database: Database,
  { page, locale, helpful }: { page: string; locale: string; helpful: boolean },
): Promise<void> {
  await database.run((db) =>
    db
      .insertInto('helpful_votes')
      .values({ page, locale, helpful: Number(helpful), at: Date.now() })
      .execute(),
  )
}

export type StoredMessage = Selectable<Tables['messages']>

/** Messages of a state (all: null), newest first, older than the one with the id `before`. */
export const listStoredMessages = (
  database: Database,
  state: MessageState | null,
  before: number | null,
  maxRows: number,
): Promise<StoredMessage[]> =>
  database.run((db) => {
    let query = db.selectFrom('messages').selectAll()
    if (state !== null) query = query.where('state', '=', state)
    if (before !== null) query = query.where('id', '<', before)
    return query.orderBy('id', 'desc').limit(maxRows).execute()
  })

/** Number of messages by state. */
export async function countMessages(database: Database): Promise<Record<MessageState, number>> {
  const rows = await database.run((db) =>
    db
      .selectFrom('messages')
      .select(({ fn }) => ['state', fn.countAll<number | string>().as('count')])
      .groupBy('state')
      .execute(),
  )
  const counts = { new: 0, answered: 0, closed: 0 }
  for (const { state, count } of rows) counts[state] = Number(count)
  return counts
}

/** Sets state and note of a message. Returns false when it does not exist. */
export async function changeStoredMessage(
  database: Database,
  { id, state, note }: { id: number; state: MessageState; note: string },
): Promise<boolean> {
  const { numUpdatedRows } = await database.run((db) =>
    db.updateTable('messages').set({ state, note }).where('id', '=', id).executeTakeFirstOrThrow(),
  )
  return numUpdatedRows > 0n
}

/** Deletes a message. Returns false when it does not exist. */
export async function deleteStoredMessage(database: Database, id: number): Promise<boolean> {
  const { numDeletedRows } = await database.run((db) =>
    db.deleteFrom('messages').where('id', '=', id).executeTakeFirstOrThrow(),
  )
  return numDeletedRows > 0n
}
