import { chmodSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { errorCode } from '../errors'

/**
 * From now on this process and its child processes create files that only their user can read.
 * DATA_DIR holds keys, addresses of visitors, drafts and logs.
 */
export const restrictNewFiles = (): void => void process.umask(0o077)

function chmodIfOwner(path: string, mode: number): void {
  try {
    chmodSync(path, mode)
  } catch (error) {
    // A temporary file may be gone. A mounted folder may belong to another user or be read-only; the
    // files in it are still created for this user alone.
    if (!['ENOENT', 'EPERM', 'EROFS'].includes(String(errorCode(error)))) throw error
  }
}

/**
 * Creates the data folder. One that exists, and what is directly in it, becomes readable only by
 * its owner: earlier versions left it open. Deeper files are then out of reach of others.
 */
export function openDataFolder(dataDir: string): void {
  mkdirSync(dataDir, { recursive: true })
  chmodIfOwner(dataDir, 0o700)
  for (const entry of readdirSync(dataDir, { withFileTypes: true }))
    if (entry.isDirectory() || entry.isFile())
      chmodIfOwner(join(dataDir, entry.name), entry.isDirectory() ? 0o700 : 0o600)
}
