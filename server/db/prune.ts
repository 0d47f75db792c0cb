import { retention } from '../../shared/constants'
import type { Database } from './database'

const day = 24 * 60 * 60 * 1000

/** Deletes what is older than the site keeps it. Answers how many rows of each table went. In portions, so that nobody waits long for the lock. */
export async function prune(database: Database, now = Date.now()): Promise<Record<string, number>> {
  const raw = now - retention.eventDays * day
  const fingerprints = now - retention.fingerprintDays * day
  const count = (rows: readonly { numDeletedRows: bigint }[]): number =>
    Number(rows[0]?.numDeletedRows ?? 0)
  const all = async (step: () => Promise<number>): Promise<number> => {
    let total = 0
    for (let gone = await step(); gone > 0; gone = await step()) total += gone
    return total
  }
  return {
    events: await all(() =>
      database.run(async (db) =>
        count(
          await db
            .deleteFrom('events')
            .where(
              'id',
              'in',
              db
                .selectFrom('events')
                .select('id')
                .where('received_at', '<', raw)
                .limit(retention.portion),
            )
            .execute(),
        ),
      ),
    ),
    // A context is shared by the events of one day: it may go when the day after it has gone.
    event_contexts: await all(() =>
      database.run(async (db) =>
        count(
          await db
            .deleteFrom('event_contexts')
            .where(
              'id',
              'in',
              db
                .selectFrom('event_contexts')
                .select('id')
                .where('received_at', '<', raw - day)
                .limit(retention.portion),
            )
            .execute(),
        ),
      ),
    ),
    fingerprints: await all(() =>
      database.run(async (db) =>
        count(
          await db
            .deleteFrom('fingerprints')
            .where(
              'hash',
              'in',
              db
                .selectFrom('fingerprints')
                .select('hash')
                .where('at', '<', fingerprints)
                .limit(retention.portion),
            )
            .where('at', '<', fingerprints)
            .execute(),
        ),
      ),
    ),
    tokens: await database.run(async (db) =>
      count(await db.deleteFrom('tokens').where('expires_at', '<', now).execute()),
    ),
    used_nonces: await database.run(async (db) =>
      count(await db.deleteFrom('used_nonces').where('expires_at', '<', now).execute()),
    ),
  }
}
