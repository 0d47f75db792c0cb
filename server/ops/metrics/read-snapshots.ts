import Database from 'better-sqlite3'
import { existsSync } from 'node:fs'
import { z } from 'zod'
import type { RecentError } from '../../telemetry/recent-errors'
import { parseFamilies, type MetricFamily } from './metric-family'
import { isRunning, snapshotPath } from './snapshot-file'

/** What a running process of this machine published last. */
export type ProcessSnapshot = {
  pid: number
  families: MetricFamily[]
  /** Its last failed requests, newest first. */
  failed: RecentError[]
}

const failedSchema = z.array(
  z.object({ at: z.number(), id: z.string(), path: z.string(), message: z.string() }),
)

/** Another version of the site may have written another form. */
function parseFailed(json: string | null): RecentError[] {
  if (json === null) return []
  const parsed = failedSchema.safeParse(JSON.parse(json))
  return parsed.success ? parsed.data : []
}

/**
 * The running processes of this machine's site, read from `DATA_DIR/metrics.db`. Empty without
 * OPS_TOKEN: then nothing is published.
 */
export function readSnapshots(folder: string): ProcessSnapshot[] {
  const path = snapshotPath(folder)
  if (!existsSync(path)) return []
  const db = new Database(path, { readonly: true, timeout: 250 })
  try {
    const hasFailures =
      db.prepare("SELECT 1 FROM sqlite_master WHERE name = 'failures'").get() !== undefined
    const failed = hasFailures
      ? '(SELECT failed FROM failures WHERE failures.id = snapshots.id)'
      : 'NULL'
    type Row = { host: string; pid: number; at: number; families: string; failed: string | null }
    return db
      .prepare<[], Row>(
        `SELECT host, pid, at, families, ${failed} AS failed FROM snapshots WHERE id <> 'ended' ORDER BY pid`,
      )
      .all()
      .filter((row) => isRunning(row))
      .map((row) => ({
        pid: row.pid,
        families: parseFamilies(row.families) ?? [],
        failed: parseFailed(row.failed),
      }))
  } finally {
    db.close()
  }
}
