import { chmodSync, closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'

function flush(path: string): void {
  const handle = openSync(path, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/**
 * Creates a SQLite file under a temporary name, flushes it to disk and renames it: even after a
 * power cut, the file is either complete or absent. `write` gets the temporary path. The file can
 * only be read by its owner, because it holds keys.
 */
export async function writeAtomically(
  file: string,
  write: (temporary: string) => void | Promise<void>,
): Promise<void> {
  const temporary = `${file}.part`
  const remove = (): void => {
    for (const suffix of ['', '-wal', '-shm', '-journal'])
      rmSync(temporary + suffix, { force: true })
  }
  remove()
  try {
    closeSync(openSync(temporary, 'wx', 0o600))
    await write(temporary)
    // A copied file has the mode of its source.
    chmodSync(temporary, 0o600)
    flush(temporary)
    renameSync(temporary, file)
    flush(dirname(file))
  } finally {
    remove()
  }
}
