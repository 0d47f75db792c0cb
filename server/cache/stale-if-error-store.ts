import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { packAnswer, shortHash, unpackAnswer } from './packed-answer'
import type { StoredAnswer } from './stored-answer'

/** `stamp`: build and settings that the copies belong to. `lifetime` in ms, from when an answer was made. */
export type FrozenOptions = {
  folder: string
  stamp: string
  maxBytes: number
  lifetime: number
  now?: () => number
  onError: (error: unknown) => void
}
export type StaleIfErrorStore = ReturnType<typeof createStaleIfErrorStore>

/** Writes that may wait; and writes after which the folder is looked through. */
const maxWaiting = 500
const pruneEvery = 500

/**
 * Last good answers on disk ("frozen"), for when one cannot be made: also right after a restart. Written one at a time
 * and whole or not at all, so that processes may share the folder; bounded, oldest out first. A full disk costs nothing
 * but the copies.
 */
export function createStaleIfErrorStore({
  folder,
  stamp,
  maxBytes,
  lifetime,
  now = Date.now,
  onError,
}: FrozenOptions) {
  const waiting = new Map<string, StoredAnswer>()
  /** What this process has written, so that an unchanged renewal writes nothing. */
  const written = new Map<string, string>()
  let writes = 0
  let working: Promise<void> | null = null
  const fileOf = (key: string): string => join(folder, shortHash(`${stamp} ${key}`))

  async function write(key: string, answer: StoredAnswer): Promise<void> {
    const bytes = packAnswer({ key, stamp, generation: 0 }, answer)
    if (!bytes) return
    const file = fileOf(key)
    const work = `${file}.${process.pid}.tmp`
    await mkdir(folder, { recursive: true })
    await writeFile(work, bytes, { mode: 0o600 })
    await rename(work, file)
    written.set(key, answer.etag)
    if (written.size > 20_000) written.clear()
    if ((writes += 1) % pruneEvery === 1) await prune()
  }

  async function work(): Promise<void> {
    for (let next = waiting.entries().next(); !next.done; next = waiting.entries().next()) {
      const [key, answer] = next.value
      waiting.delete(key)
      await write(key, answer).catch(onError)
    }
    working = null
  }

  /** Removes what is too old, and the oldest beyond the bound. */
  async function prune(): Promise<void> {
    const names = await readdir(folder).catch(() => [])
    const files = (
      await Promise.all(
        names.map(async (name) => {
          const found = await stat(join(folder, name)).catch(() => null)
          return found ? [{ file: join(folder, name), at: found.mtimeMs, size: found.size }] : []
        }),
      )
    )
      .flat()
      .sort((a, b) => b.at - a.at)
    let bytes = 0
    for (const { file, at, size } of files) {
      bytes += size
      if (bytes > maxBytes || at < now() - lifetime) await rm(file, { force: true })
    }
  }

  return {
    /** Takes an answer to be written in its turn. */
    keep(key: string, answer: StoredAnswer): void {
      if (written.get(key) === answer.etag || waiting.size >= maxWaiting) return
      waiting.set(key, answer)
      working ??= work()
    },
    /** The last good copy of a key, or null: none, too old, of another build or other settings, or damaged. */
    async read(key: string): Promise<StoredAnswer | null> {
      const bytes = await readFile(fileOf(key)).catch(() => null)
      if (!bytes) return null
      try {
        const found = await unpackAnswer(bytes, { key, stamp })
        return found && found.answer.storedAt >= now() - lifetime ? found.answer : null
      } catch (error) {
        onError(error)
        return null
      }
    },
    /** The page is gone, not broken: no copy of it may come back. */
    async forget(key: string): Promise<void> {
      waiting.delete(key)
      written.delete(key)
      await rm(fileOf(key), { force: true }).catch(onError)
    },
    /** Resolves when nothing waits to be written. */
    settled: async (): Promise<void> => void (await working),
    prune,
  }
}
