/** Checks the database files of a stopped site: their integrity and the acknowledged writes. */
import Database from 'better-sqlite3'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Acknowledged } from './mixed-requests'

/** Result of `PRAGMA integrity_check` by file: `ok` or an error text. */
export function integrityOf(dataDir: string): Record<string, string> {
  const files = readdirSync(dataDir, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.db'),
  )
  return Object.fromEntries(
    files.sort().map((name) => {
      try {
        const db = new Database(join(dataDir, name), { fileMustExist: true })
        const found = String(db.pragma('integrity_check', { simple: true }))
        db.close()
        return [name, found]
      } catch (error) {
        return [name, error instanceof Error ? error.message : String(error)]
      }
    }),
  )
}

export type StoredWrites = { votes: number; missingEvents: number }

/** Counts the stored votes, and the acknowledged events that are not stored. */
export function storedWrites(dataDir: string, { eventIds }: Acknowledged): StoredWrites {
  const db = new Database(join(dataDir, 'site.db'), { fileMustExist: true })
  try {
    const votes = Number(db.prepare('SELECT count(*) FROM helpful_votes').pluck().get())
    const stored = new Set(db.prepare('SELECT id FROM events').pluck().all())
    return { votes, missingEvents: [...eventIds].filter((id) => !stored.has(id)).length }
  } finally {
    db.close()
  }
}
