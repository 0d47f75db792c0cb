import Database from 'better-sqlite3'
import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { errorCode } from '../../errors'
import type { RecentError } from '../../telemetry/recent-errors'
import { enableWriteAheadLog } from '../../write-ahead-log'
import { parseFamilies, type MetricFamily } from './metric-family'
import { sumSnapshots } from './sum-snapshots'

/** The metrics that another process published `ageMs` ago. */
export type OtherSnapshot = { pid: number; ageMs: number; families: MetricFamily[] }
export type SnapshotFile = {
  /** `failed`: the last failed requests of this process, for the console. */
  publish: (families: readonly MetricFamily[], failed?: readonly RecentError[]) => void
  /** The latest snapshots of the other processes, and the sums of the processes that have ended. */
  readOthers: () => { running: OtherSnapshot[]; ended: MetricFamily[] }
  /** Adds the last metrics of this process to the sums of ended processes. */
  close: (families: readonly MetricFamily[]) => void
}

/** `at` is the time of publication in ms since 1970, `families` is JSON. */
type Row = { id: string; host: string; pid: number; at: number; families: string }

/** Id of the row with the sums of the processes that have ended. */
const endedId = 'ended'
/**
 * A process on another host (a container that shares the folder) counts as ended after this time
 * without a snapshot, because its process id cannot be checked.
 */
const maxSilenceElsewhereMs = 60 * 1000
/** After this time every process counts as ended: the system may have reused its process id. */
const maxSilenceMs = 10 * 60 * 1000

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // EPERM: the process exists but belongs to another user.
    return errorCode(error) === 'EPERM'
  }
}

/** Path of the file through which the processes of a machine exchange their metrics. */
export const snapshotPath = (folder: string): string => join(folder, 'metrics.db')

/** Whether a process that published metrics still runs. */
export function isRunning(
  { host, pid, at }: { host: string; pid: number; at: number },
  now = Date.now(),
): boolean {
  if (now - at > maxSilenceMs) return false
  return host === hostname() ? isAlive(pid) : now - at <= maxSilenceElsewhereMs
}

/** Snapshots that another version of the site wrote in another form are ignored. */
const familiesOf = (row: Row): MetricFamily[] => parseFamilies(row.families) ?? []

/** The table of snapshots: one row per process, and one for the sums of ended processes. */
function openTable(folder: string, now: () => number) {
  mkdirSync(folder, { recursive: true })
  const db = new Database(snapshotPath(folder), { timeout: 250 })
  enableWriteAheadLog(db)
  db.pragma('synchronous = OFF')
  db.exec(
    'CREATE TABLE IF NOT EXISTS snapshots (id TEXT PRIMARY KEY, host TEXT NOT NULL, pid INTEGER NOT NULL, at INTEGER NOT NULL, families TEXT NOT NULL)',
  )
  const save = db.prepare<[string, string, number, number, string]>(
    'INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?, ?, ?)',
  )
  // A separate table, because older versions of the site write the other one during a deployment.
  db.exec('CREATE TABLE IF NOT EXISTS failures (id TEXT PRIMARY KEY, failed TEXT NOT NULL)')
  const saveFailed = db.prepare<[string, string]>('INSERT OR REPLACE INTO failures VALUES (?, ?)')
  const all = db.prepare<[], Row>('SELECT * FROM snapshots ORDER BY id')
  const remove = db.prepare<[string]>('DELETE FROM snapshots WHERE id = ?')
  const removeFailed = db.prepare<[string]>('DELETE FROM failures WHERE id = ?')
  return {
    db,
    rows: () => all.all(),
    remove(id: string): void {
      remove.run(id)
      removeFailed.run(id)
    },
    saveFailed: (id: string, failed: readonly RecentError[]) =>
      void saveFailed.run(id, JSON.stringify(failed)),
    save: (id: string, pid: number, families: readonly MetricFamily[]) =>
      void save.run(id, hostname(), pid, now(), JSON.stringify(families)),
  }
}

/**
 * Opens `DATA_DIR/metrics.db`, through which any process can answer for all processes of the
 * machine. The counts of ended processes are kept in one row, so that no counter ever decreases:
 * Prometheus would treat that as a restart and report requests that never happened. The file may be
 * deleted at any time.
 */
export function openSnapshotFile(folder: string, now: () => number = Date.now): SnapshotFile {
  const table = openTable(folder, now)
  const id = randomUUID()

  function addToEnded(rows: readonly Row[], snapshots: MetricFamily[][]): MetricFamily[] {
    const ended = rows.filter((row) => row.id === endedId).flatMap(familiesOf)
    if (snapshots.length === 0) return ended
    const sums = sumSnapshots([ended, ...snapshots])
    table.save(endedId, 0, sums)
    return sums
  }

  const readOthers = table.db.transaction((): ReturnType<SnapshotFile['readOthers']> => {
    const rows = table.rows()
    const others = rows.filter((row) => row.id !== endedId && row.id !== id)
    const gone = others.filter((row) => !isRunning(row, now()))
    for (const row of gone) table.remove(row.id)
    const running = others
      .filter((row) => !gone.includes(row))
      .map((row) => ({ pid: row.pid, ageMs: now() - row.at, families: familiesOf(row) }))
    return { running, ended: addToEnded(rows, gone.map(familiesOf)) }
  })
  const leave = table.db.transaction((families: readonly MetricFamily[]): void => {
    addToEnded(table.rows(), [[...families]])
    table.remove(id)
  })

  return {
    publish(families, failed = []) {
      table.save(id, process.pid, families)
      table.saveFailed(id, failed)
    },
    readOthers: () => readOthers.immediate(),
    close(families) {
      try {
        leave.immediate(families)
      } finally {
        table.db.close()
      }
    },
  }
}
