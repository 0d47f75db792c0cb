import type { Insertable } from 'kysely'
import type { Database } from './database'
import type { Tables } from './tables'

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
