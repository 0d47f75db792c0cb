/** Measures how long a running site takes to count all events of a database. */
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database } from '../server/db/database'
import { openTestDatabase } from '../testing/console-data'
import { allCores, startSite } from './servers'

const countTables = [
  'event_hours',
  'event_days',
  'event_keys',
  'error_groups',
  'visitor_days',
  'count_cursors',
]

async function deleteCounts(database: Database): Promise<void> {
  // Deleting millions of rows would take PostgreSQL longer than the site lets a statement run.
  const statement = database.dialect === 'sqlite' ? 'delete from' : 'truncate'
  for (const table of countTables)
    await database.run((db) => sql.raw(`${statement} ${table}`).execute(db))
}

/** Waits until the site has counted the last row of `events` and of `sources`. */
async function untilAllCounted(database: Database): Promise<void> {
  const last = await database.run(async (db) => ({
    events: await db
      .selectFrom('events')
      .select('id')
      .orderBy('received_at', 'desc')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow(),
    sources: await db
      .selectFrom('sources')
      .select('id')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow(),
  }))
  for (;;) {
    const cursors = await database.run((db) =>
      db.selectFrom('count_cursors').select(['name', 'id']).execute(),
    )
    const idOf = (name: string): string | undefined =>
      cursors.find((cursor) => cursor.name === name)?.id
    if (idOf('events') === last.events.id && idOf('sources') === String(last.sources.id)) return
    await sleep(500)
  }
}

/** Runs the site until it has counted everything. Returns the seconds from its start. */
export async function countEvents(url: string): Promise<number> {
  const database = openTestDatabase(url)
  try {
    await deleteCounts(database)
    console.error('counting the events')
    const site = await startSite({ DATABASE_URL: url, LOG_LEVEL: 'warn' }, [], allCores)
    const startedAt = performance.now()
    await untilAllCounted(database).finally(() => site.stop())
    return (performance.now() - startedAt) / 1000
  } finally {
    await database.close()
  }
}
