import Database from 'better-sqlite3'
import { existsSync } from 'node:fs'
import { parseFamilies } from './metric-family'
import { isRunning, snapshotPath } from './snapshot-file'

/** A process of the running site and its version of Node. */
export type RunningNode = { process: string; role: string; version: string }

/**
 * The processes of this machine's site, read from `DATA_DIR/metrics.db`. Empty without OPS_TOKEN:
 * then nothing is published.
 */
export function readRunningNodes(folder: string): RunningNode[] {
  const path = snapshotPath(folder)
  if (!existsSync(path)) return []
  const db = new Database(path, { readonly: true, timeout: 250 })
  try {
    return db
      .prepare<[], { host: string; pid: number; at: number; families: string }>(
        "SELECT host, pid, at, families FROM snapshots WHERE id <> 'ended'",
      )
      .all()
      .filter((row) => isRunning(row))
      .flatMap(({ families }) => {
        const info = parseFamilies(families)?.find(({ name }) => name === 'site_node_info')
        return (info?.values ?? []).map(({ labels }) => ({
          process: String(labels['process']),
          role: String(labels['role']),
          version: String(labels['version']),
        }))
      })
  } finally {
    db.close()
  }
}
