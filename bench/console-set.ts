/**
 * A database with a month of generated events, counted by a running site. Making it takes minutes,
 * so it is kept in the folder for temporary files and used again for a week; the site migrates it.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { openTestDatabase } from '../testing/console-data'
import { countEvents } from './console-counting'
import { fillMonth } from './console-events'

export type ConsoleSet = {
  /** `DATABASE_URL` of the set. */
  url: string
  bytes: number
  events: number
  /** Time in which the site counted all events (s); null where the counts were copied. */
  countSeconds: number | null
  /** A device with many events. */
  device: string
  stop: () => Promise<void>
}
type Made = { end: number; events: number; device: string }

const hourMs = 60 * 60 * 1000
/** The views show the last 30 days, so an older month would leave them half empty. */
const maxAgeMs = 7 * 24 * hourMs

export const setFolder = (count: number): string => join(tmpdir(), `site-bench-console-${count}`)
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

type Counted = { countSeconds: number }
export const readCounted = (file: string): Counted | null => readRecord<Counted>(file)
/** Counts a database, and keeps in `file` how long that took. */
export async function countAnew(url: string, file: string): Promise<Counted> {
  rmSync(file, { force: true })
  const counted = { countSeconds: await countEvents(url) }
  writeFileSync(file, JSON.stringify(counted))
  return counted
}

/** Returns the set of `count` events. `isCountedAnew`: with the counting measured again. */
export async function consoleSet(count: number, isCountedAnew: boolean): Promise<ConsoleSet> {
  const folder = setFolder(count)
  const [file, madeRecord, countedRecord] = ['site.db', 'made.json', 'counted.json'].map((name) =>
    join(folder, name),
  ) as [string, string, string]
  let made = readRecord<Made>(madeRecord)
  if (!made || made.end < Date.now() - maxAgeMs) {
    made = await makeEvents(folder, count)
    writeFileSync(madeRecord, JSON.stringify(made))
  }
  const url = `file:${file}`
  const known = isCountedAnew ? null : readCounted(countedRecord)
  const counted = known ?? (await countAnew(url, countedRecord))
  const { size } = statSync(file)
  return { url, bytes: size, ...made, ...counted, stop: () => Promise.resolve() }
}
