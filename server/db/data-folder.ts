import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  statSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { errorCode, OperatorError } from '../errors'

/**
 * From now on this process and its child processes create files that only their user can read.
 * DATA_DIR holds keys, addresses of visitors, drafts and logs.
 */
export const restrictNewFiles = (): void => void process.umask(0o077)

function chmodIfOwner(path: string, mode: number): void {
  try {
    chmodSync(path, mode)
  } catch (error) {
    // A temporary file may be gone. A mounted folder may belong to another user or be read-only;
    // the files in it are still created for this user alone.
    if (!['ENOENT', 'EPERM', 'EROFS'].includes(String(errorCode(error)))) throw error
  }
}

const isFolder = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false

/**
 * Creates a folder and its missing parents, one by one: Node's recursive `mkdirSync` never returns
 * when a file system refuses a folder as `/proc` does, with ENOENT although the parent exists.
 */
export function createFolder(path: string): void {
  if (isFolder(path)) return
  const parent = dirname(path)
  if (!existsSync(parent)) createFolder(parent)
  try {
    mkdirSync(path)
  } catch (error) {
    // Another process may have created it at the same time.
    if (!isFolder(path)) throw error
  }
}

/**
 * Creates the data folder. One that exists, and what is directly in it, becomes readable only by
 * its owner: earlier versions left it open. Deeper files are then out of reach of others. Throws
 * an OperatorError when the folder cannot be used.
 */
export function openDataFolder(dataDir: string): void {
  try {
    createFolder(dataDir)
    chmodIfOwner(dataDir, 0o700)
    accessSync(dataDir, constants.R_OK | constants.W_OK)
  } catch (error) {
    throw new OperatorError(
      `DATA_DIR=${JSON.stringify(dataDir)} is not accepted: a folder that the site can create, or read and write (${String(errorCode(error))})`,
    )
  }
  for (const entry of readdirSync(dataDir, { withFileTypes: true }))
    if (entry.isDirectory() || entry.isFile())
      chmodIfOwner(join(dataDir, entry.name), entry.isDirectory() ? 0o700 : 0o600)
}
