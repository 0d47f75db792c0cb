import Database from 'better-sqlite3'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { pages } from '../../shared/constants'
import type { Origins } from '../../shared/routes/href'
import { addressOfKey } from './answer-keys'
import type { StoredAnswer } from './stored-answer'

const names = z.array(z.string().min(1).max(2048)).min(1).max(1000)

/** What an operator may purge (decisions 8): by surrogate tag, by path (on every host) or address (on its own), or everything. */
export const purgeRequest = z.union([
  z.strictObject({ tags: names }),
  z.strictObject({ paths: names }),
  z.strictObject({ all: z.literal(true) }),
])
export type PurgeRequest = z.infer<typeof purgeRequest>

/** Which entries a request means. */
export function fitsPurge(
  request: PurgeRequest,
  origins: Origins,
): (key: string, answer: StoredAnswer) => boolean {
  if ('all' in request) return () => true
  if ('tags' in request) {
    const tags = new Set(request.tags)
    return (_key, answer) => answer.tags.some((tag) => tags.has(tag))
  }
  const paths = new Set(
    request.paths.map((path) => path.replace(/[?#].*$/, '').replace(/(.)\/$/, '$1')),
  )
  const byHost: Readonly<Record<string, string>> = origins
  return (key) => {
    const address = addressOfKey(key)
    if (!address) return false
    const origin = byHost[address.host] ?? ''
    return (
      paths.has(address.path) ||
      paths.has(origin + address.path) ||
      (address.path === '/' && paths.has(origin))
    )
  }
}

export type PurgeChannel = { announce: (request: PurgeRequest) => void; stop: () => void }

/** Purges older than this are known to every process, or it has started since (ms). */
const kept = 3600 * 1000

/**
 * How processes of one machine hear of each other's purges: rows of a small database in the data folder, looked at by one
 * cheap pragma every 40 ms, as content is. A process begins at the last row: what was purged before it was born it never
 * had. Without a folder that can be written, each process purges for itself and `onError` hears of it.
 */
export function openPurgeChannel(
  folder: string,
  heard: (request: PurgeRequest) => void,
  onError: (error: unknown) => void,
): PurgeChannel {
  try {
    return open(folder, heard, onError)
  } catch (error) {
    onError(error)
    return { announce: () => undefined, stop: () => undefined }
  }
}

function open(
  folder: string,
  heard: (request: PurgeRequest) => void,
  onError: (error: unknown) => void,
): PurgeChannel {
  mkdirSync(folder, { recursive: true })
  const db = new Database(join(folder, 'purges.db'), { timeout: 1000 })
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = OFF')
  db.exec(
    'CREATE TABLE IF NOT EXISTS purges (number INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, request TEXT NOT NULL)',
  )
  const insert = db.prepare<[number, string]>('INSERT INTO purges (at, request) VALUES (?, ?)')
  const trim = db.prepare<[number]>('DELETE FROM purges WHERE at < ?')
  const since = db.prepare<[number], { number: number; request: string }>(
    'SELECT number, request FROM purges WHERE number > ? ORDER BY number',
  )
  const newest = db.prepare<[], { number: number | null }>(
    'SELECT max(number) AS number FROM purges',
  )
  let last = newest.get()?.number ?? 0
  let version = -1
  const own = new Set<number>()

  function look(): void {
    try {
      const now = db.pragma('data_version', { simple: true }) as number
      if (now === version) return
      version = now
      for (const { number, request } of since.all(last)) {
        last = number
        if (own.delete(number)) continue
        const parsed = purgeRequest.safeParse(JSON.parse(request))
        // What cannot be read may have meant anything: nothing that was purged is ever served.
        heard(parsed.success ? parsed.data : { all: true })
      }
    } catch (error) {
      onError(error)
    }
  }
  const timer = setInterval(look, pages.purgePoll)
  timer.unref()

  return {
    announce(request) {
      try {
        own.add(Number(insert.run(Date.now(), JSON.stringify(request)).lastInsertRowid))
        trim.run(Date.now() - kept)
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
