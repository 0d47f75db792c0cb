import Database from 'better-sqlite3'
import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { family, type Family } from './metric-families'
import { sumOfEnded } from './sum-of-ended'

/** A snapshot of another process, and how old it is (ms). */
export type OtherSnapshot = { pid: number; age: number; families: Family[] }
export type SnapshotFile = {
  publish: (families: readonly Family[]) => void
  /** What the other processes published last, and the sums of those that have ended. */
  others: () => { running: OtherSnapshot[]; ended: Family[] }
  /** Leaves the last counts to those that stay. */
  close: (families: readonly Family[]) => void
}

type Row = { id: string; host: string; pid: number; at: number; families: string }

/** Row that holds the sums of processes that have ended. */
const endedId = 'ended'
/** Of a process that cannot be asked whether it lives (another container on the same folder); and of any, because numbers of processes come again (ms). */
const silentElsewhere = 60 * 1000
const silentAnywhere = 10 * 60 * 1000

function lives(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // Not ours to signal, but there.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Where the processes of a machine exchange their counts. */
export const metricsFile = (folder: string): string => join(folder, 'metrics.db')

/** Whether a process that published itself is still there. One of another host cannot be asked: it counts as gone after a minute of silence. */
export function runsHere(
  { host, pid, at }: { host: string; pid: number; at: number },
  now = Date.now(),
): boolean {
  if (now - at > silentAnywhere) return false
  return host === hostname() ? lives(pid) : now - at <= silentElsewhere
}

const parse = (text: string): Family[] => {
  const parsed = z.array(family).safeParse(JSON.parse(text))
  // Written by another version: it counts no more.
  return parsed.success ? parsed.data : []
}

/**
 * `DATA_DIR/metrics.db`: where the processes of a machine leave their counts for whichever of them is asked. Counts of a process that has ended are
 * added up in one row, so that a sum never falls: Prometheus would take that for a restart and see requests that never were. May be deleted at any time.
 */
export function openSnapshotFile(folder: string, now: () => number = Date.now): SnapshotFile {
  mkdirSync(folder, { recursive: true })
  const db = new Database(metricsFile(folder), { timeout: 250 })
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = OFF')
  db.exec(
    'CREATE TABLE IF NOT EXISTS snapshots (id TEXT PRIMARY KEY, host TEXT NOT NULL, pid INTEGER NOT NULL, at INTEGER NOT NULL, families TEXT NOT NULL)',
  )
  const id = randomUUID()
  const host = hostname()
  const put = db.prepare<[string, string, number, number, string]>(
    'INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?, ?, ?)',
  )
  const all = db.prepare<[], Row>('SELECT * FROM snapshots ORDER BY id')
  const drop = db.prepare<[string]>('DELETE FROM snapshots WHERE id = ?')

  function add(rows: readonly Row[], sums: Family[]): Family[] {
    const ended = sumOfEnded([sums, ...rows.map((row) => parse(row.families))])
    for (const row of rows) drop.run(row.id)
    put.run(endedId, host, 0, now(), JSON.stringify(ended))
    return ended
  }

  const look = db.transaction((): ReturnType<SnapshotFile['others']> => {
    const rows = all.all()
    const sums = rows.filter((row) => row.id === endedId).flatMap((row) => parse(row.families))
    const processes = rows.filter((row) => row.id !== endedId && row.id !== id)
    const gone = processes.filter((row) => !runsHere(row, now()))
    return {
      running: processes
        .filter((row) => !gone.includes(row))
        .map((row) => ({ pid: row.pid, age: now() - row.at, families: parse(row.families) })),
      ended: gone.length > 0 ? add(gone, sums) : sums,
    }
  })
  const leave = db.transaction((families: readonly Family[]): void => {
    const sums = all
      .all()
      .filter((row) => row.id === endedId)
      .flatMap((row) => parse(row.families))
    add([{ id, host, pid: process.pid, at: now(), families: JSON.stringify(families) }], sums)
  })

  return {
    publish: (families) => void put.run(id, host, process.pid, now(), JSON.stringify(families)),
    others: () => look.immediate(),
    close(families) {
      try {
        leave.immediate(families)
      } finally {
        db.close()
      }
    },
  }
}
