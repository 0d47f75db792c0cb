/**
 * A database with a month of generated events, counted by a running site. Making it takes minutes,
 * so it is kept in the folder for temporary files and used again for a week; the site migrates it.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { openTestDatabase } from '../testing/console-data'
import { fillMonth } from './console-events'
import { allCores, sleep, startSite } from './servers'

export type ConsoleSet = {
  /** `DATABASE_URL` of the set. */
  url: string
  bytes: number
  events: number
  /** Time in which the site counted all events (s). */
  countSeconds: number
  /** A device with many events. */
  device: string
}
type Made = { end: number; events: number; device: string }

const hourMs = 60 * 60 * 1000
/** The views show the last 30 days, so an older month would leave them half empty. */
const maxAgeMs = 7 * 24 * hourMs
const countTables = [
  'event_hours',
  'event_days',
  'event_keys',
  'error_groups',
  'visitor_days',
  'count_cursors',
]

const readRecord = <T>(file: string): T | null =>
  existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as T) : null

async function makeEvents(folder: string, count: number): Promise<Made> {
  console.error(`making ${count.toLocaleString('en')} events`)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'site.db')
  const database = openTestDatabase(`file:${file}`)
  // The first query creates the tables.
  await database.run((db) => db.selectFrom('events').select('id').limit(1).execute())
  await database.close()
  const end = Date.now() - (Date.now() % hourMs)
  fillMonth(file, count, end)
  const db = new Sqlite(file, { readonly: true })
  const { events } = db.prepare('SELECT count(*) AS events FROM events').get() as Pick<
    Made,
    'events'
  >
  const { device } = db
    .prepare(
      'SELECT device_id AS device FROM sources GROUP BY device_id ORDER BY count(*) DESC LIMIT 1',
    )
    .get() as Pick<Made, 'device'>
  db.close()
  return { end, events, device }
}

/** Whether the site has counted the last row of `events` and of `sources`. */
function createProgress(file: string): { isDone: () => boolean; close: () => void } {
  const db = new Sqlite(file, { readonly: true })
  const last = {
    events: db
      .prepare('SELECT id FROM events ORDER BY received_at DESC, id DESC LIMIT 1')
      .get() as { id: string },
    sources: db.prepare('SELECT max(id) AS id FROM sources').get() as { id: number },
  }
  const cursor = db.prepare('SELECT id FROM count_cursors WHERE name = ?').pluck()
  return {
    isDone: () =>
      cursor.get('events') === last.events.id && cursor.get('sources') === String(last.sources.id),
    close: () => db.close(),
  }
}

/** Runs the site until it has counted everything. Returns the seconds from its start. */
async function countEvents(file: string): Promise<number> {
  const db = new Sqlite(file)
  for (const table of countTables) db.exec(`DELETE FROM ${table}`)
  const progress = createProgress(file)
  db.close()
  console.error('counting them')
  const site = await startSite({ DATABASE_URL: `file:${file}`, LOG_LEVEL: 'warn' }, [], allCores)
  const startedAt = performance.now()
  try {
    while (!progress.isDone()) await sleep(500)
    return (performance.now() - startedAt) / 1000
  } finally {
    progress.close()
    await site.stop()
  }
}

/** Returns the set of `count` events. `isCountedAnew`: with the counting measured again. */
export async function consoleSet(count: number, isCountedAnew: boolean): Promise<ConsoleSet> {
  const folder = join(tmpdir(), `site-bench-console-${count}`)
  const [file, madeRecord, countedRecord] = ['site.db', 'made.json', 'counted.json'].map((name) =>
    join(folder, name),
  ) as [string, string, string]
  let made = readRecord<Made>(madeRecord)
  if (!made || made.end < Date.now() - maxAgeMs) {
    made = await makeEvents(folder, count)
    writeFileSync(madeRecord, JSON.stringify(made))
  }
  let counted = isCountedAnew ? null : readRecord<{ countSeconds: number }>(countedRecord)
  if (!counted) {
    rmSync(countedRecord, { force: true })
    counted = { countSeconds: await countEvents(file) }
    writeFileSync(countedRecord, JSON.stringify(counted))
  }
  return { url: `file:${file}`, bytes: statSync(file).size, ...made, ...counted }
}
