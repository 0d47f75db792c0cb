import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { purgeRequest, type PurgeRequest } from '../../shared/console/system'
import { pages } from '../../shared/constants'
import type { Origins } from '../../shared/routes/href'
import { enableWriteAheadLog } from '../write-ahead-log'
import type { PurgeMatcher } from './answer-cache'
import { addressOfKey } from './cache-keys'

/** Tells which entries a purge request concerns. */
export function purgeMatcher(request: PurgeRequest, origins: Origins): PurgeMatcher {
  if ('all' in request) return () => true
  if ('tags' in request) {
    const tags = new Set(request.tags)
    return (_key, answer) => answer.tags.some((tag) => tags.has(tag))
  }
  const paths = new Set(
    request.paths.map((path) => path.replace(/[?#].*/s, '').replace(/(.)\/$/, '$1')),
  )
  return (key) => {
    const address = addressOfKey(key)
    if (!address) return false
    const origin = origins[address.host]
    return (
      paths.has(address.path) ||
      paths.has(origin + address.path) ||
      (address.path === '/' && paths.has(origin))
    )
  }
}

type PurgeChannel = { announce: (request: PurgeRequest) => void; stop: () => void }

/** After this time every running process has seen a purge. */
const retentionMs = 3600 * 1000

/**
 * Tells the other processes of the machine about purges: rows of a small database in the data
 * folder, polled with a cheap pragma every 40 ms. A process starts reading at the newest row,
 * because its cache was empty when earlier purges happened. When the folder cannot be written,
 * `onError` is called and each process purges only its own cache.
 */
export function openPurgeChannel(
  folder: string,
  onPurge: (request: PurgeRequest) => void,
  onError: (error: unknown) => void,
): PurgeChannel {
  try {
    return openChannel(folder, onPurge, onError)
  } catch (error) {
    onError(error)
    return { announce: () => undefined, stop: () => undefined }
  }
}

function openDatabase(folder: string): Database.Database {
  mkdirSync(folder, { recursive: true })
  const db = new Database(join(folder, 'purges.db'), { timeout: 1000 })
  enableWriteAheadLog(db)
  db.pragma('synchronous = OFF')
  db.exec(
    `CREATE TABLE IF NOT EXISTS purges (
      number INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, request TEXT NOT NULL
    )`,
  )
  return db
}

function openChannel(
  folder: string,
  onPurge: (request: PurgeRequest) => void,
  onError: (error: unknown) => void,
): PurgeChannel {
  const db = openDatabase(folder)
  const insert = db.prepare<[number, string]>('INSERT INTO purges (at, request) VALUES (?, ?)')
  const deleteOld = db.prepare<[number]>('DELETE FROM purges WHERE at < ?')
  const selectAfter = db.prepare<[number], { number: number; request: string }>(
    'SELECT number, request FROM purges WHERE number > ? ORDER BY number',
  )
  const selectNewest = db.prepare<[], { number: number | null }>(
    'SELECT max(number) AS number FROM purges',
  )
  let lastNumber = selectNewest.get()?.number ?? 0
  let lastVersion = -1
  /** The last poll failed: an error that lasts is reported once, not at each poll. */
  let hasFailed = false
  /** Own purges to skip at the next poll: it reads them with an earlier one of another process. */
  const ownNumbers = new Set<number>()

  function poll(): void {
    try {
      // With `simple` the pragma returns its one value, an integer.
      const version = db.pragma('data_version', { simple: true }) as number
      if (version === lastVersion) return
      for (const { number, request } of selectAfter.all(lastNumber)) {
        lastNumber = number
        if (ownNumbers.delete(number)) continue
        const parsed = purgeRequest.safeParse(JSON.parse(request))
        // An unreadable row may have meant any entry, so everything is purged.
        onPurge(parsed.success ? parsed.data : { all: true })
      }
      // Only now: when the rows cannot be read, the next poll tries again.
      lastVersion = version
      hasFailed = false
    } catch (error) {
      if (!hasFailed) onError(error)
      hasFailed = true
    }
  }
  const timer = setInterval(poll, pages.purgePollIntervalMs)
  timer.unref()

  return {
    announce(request) {
      try {
        const number = Number(insert.run(Date.now(), JSON.stringify(request)).lastInsertRowid)
        if (number === lastNumber + 1) lastNumber = number
        else ownNumbers.add(number)
        deleteOld.run(Date.now() - retentionMs)
      } catch (error) {
        onError(error)
      }
    },
    stop() {
      clearInterval(timer)
      db.close()
    },
  }
}
