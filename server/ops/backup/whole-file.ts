import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'

function flush(path: string): void {
  const handle = openSync(path, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** Makes a file under another name, brings it to disk and gives it its own name then: it is there whole or not at all, a power cut included. */
export async function wholeFile(
  file: string,
  make: (work: string) => Promise<void>,
): Promise<void> {
  const work = `${file}.part`
  const remove = (): void =>
    ['', '-wal', '-shm', '-journal'].forEach((suffix) => rmSync(work + suffix, { force: true }))
  remove()
  try {
    // Made with its final mode, as it holds keys.
    closeSync(openSync(work, 'wx', 0o600))
    await make(work)
    flush(work)
    renameSync(work, file)
    flush(dirname(file))
  } finally {
    remove()
  }
}
