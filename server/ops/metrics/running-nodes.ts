import Database from 'better-sqlite3'
import { existsSync } from 'node:fs'
import { z } from 'zod'
import { family } from './metric-families'
import { metricsFile, runsHere } from './snapshot-file'

/** A process of the site and the version of Node that runs it. */
export type RunningNode = { process: string; role: string; version: string }

/** Processes of this machine's running site, as they published themselves in `DATA_DIR/metrics.db`. Empty where no OPS_TOKEN is set: then nothing is published. */
export function runningNodes(folder: string): RunningNode[] {
  const file = metricsFile(folder)
  if (!existsSync(file)) return []
  const db = new Database(file, { readonly: true, timeout: 250 })
  try {
    const rows = db
      .prepare("SELECT host, pid, at, families FROM snapshots WHERE id <> 'ended'")
      .all() as Array<{ host: string; pid: number; at: number; families: string }>
    return rows
      .filter((row) => runsHere(row))
      .flatMap(({ families }) => {
        const parsed = z.array(family).safeParse(JSON.parse(families))
        const values = parsed.success
          ? (parsed.data.find(({ name }) => name === 'site_node_info')?.values ?? [])
          : []
        return values.map(({ labels }) => ({
          process: String(labels['process']),
          role: String(labels['role']),
          version: String(labels['version']),
        }))
      })
  } finally {
    db.close()
  }
}
