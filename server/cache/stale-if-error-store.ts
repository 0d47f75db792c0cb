import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import type { Background } from './background-jobs'
import { packAnswer, shortHash, unpackAnswer } from './packed-answer'
import type { StoredAnswer } from './stored-answer'

type StaleIfErrorOptions = {
  folder: string
  /** A hash of the build and the settings that the copies belong to. */
  stamp: string
  maxBytes: number
  /** From when the answer was made. */
  maxAgeMs: number
  now?: () => number
  background: Pick<Background, 'write'>
  onError: (error: unknown) => void
}
export type StaleIfErrorStore = ReturnType<typeof createStaleIfErrorStore>

const maxWaiting = 500
const writesBetweenPrunes = 500

/**
 * Removes the files that are too old, and the oldest ones beyond the size limit. Resolves to their
 * paths.
 */
async function pruneFolder(folder: string, maxBytes: number, oldestMs: number): Promise<string[]> {
  const names = await readdir(folder).catch(() => [])
  const files = await Promise.all(
    names.map(async (name) => {
      const file = join(folder, name)
      const info = await stat(file).catch(() => null)
      return info ? [{ file, modifiedMs: info.mtimeMs, size: info.size }] : []
    }),
  )
  let bytes = 0
  const removed: string[] = []
  for (const { file, modifiedMs, size } of files
    .flat()
    .sort((a, b) => b.modifiedMs - a.modifiedMs)) {
    bytes += size
    if (bytes <= maxBytes && modifiedMs >= oldestMs) continue
    await rm(file, { force: true })
    removed.push(file)
  }
  return removed
}

/**
 * The files that this process has written: a renewal with the same content writes nothing, unless
 * the copy is older than `rewriteAfterMs`. A file that another process has removed is not noticed.
 */
function createWrittenCopies(rewriteAfterMs: number) {
  // Limited by `maxSize`, because `max` allocates the memory of all entries at once.
  const copies = new LRUCache<string, Pick<StoredAnswer, 'etag' | 'storedAt'>>({
    maxSize: 20_000,
    sizeCalculation: () => 1,
  })
  return {
    add: (file: string, { etag, storedAt }: StoredAnswer): void =>
      void copies.set(file, { etag, storedAt }),
    has(file: string, { etag, storedAt }: StoredAnswer): boolean {
      const copy = copies.get(file)
      return copy?.etag === etag && storedAt - copy.storedAt < rewriteAfterMs
    },
    delete: (file: string): void => void copies.delete(file),
  }
}

/**
 * The last good copies of answers, on disk, for when an answer cannot be made: also right after a
 * restart. They are written one at a time. The size is limited, oldest out first. On a full disk,
 * only the copies are lost.
 */
export function createStaleIfErrorStore({
  folder,
  stamp,
  maxBytes,
  maxAgeMs,
  now = Date.now,
  background,
  onError,
}: StaleIfErrorOptions) {
  /**
   * The copies to be written, or deleted where null. Both wait in one queue: a copy that is being
   * written is deleted afterwards, not before.
   */
  const waiting = new Map<string, StoredAnswer | null>()
  const written = createWrittenCopies(maxAgeMs / 2)
  let writes = 0
  let working: Promise<void> | null = null
  const fileOf = (key: string): string => join(folder, shortHash(`${stamp} ${key}`))

  async function write(key: string, answer: StoredAnswer): Promise<void> {
    const bytes = packAnswer({ key, stamp, generation: 0 }, answer)
    if (!bytes) return
    const file = fileOf(key)
    await background.write({ folder, file, bytes })
    written.add(file, answer)
    if ((writes += 1) % writesBetweenPrunes !== 1) return
    const removed = await pruneFolder(folder, maxBytes, now() - maxAgeMs)
    for (const copy of removed) written.delete(copy)
  }

  async function remove(key: string): Promise<void> {
    written.delete(fileOf(key))
    await rm(fileOf(key), { force: true })
  }

  async function writeWaiting(): Promise<void> {
    for (let next = waiting.entries().next(); !next.done; next = waiting.entries().next()) {
      const [key, answer] = next.value
      waiting.delete(key)
      await (answer ? write(key, answer) : remove(key)).catch(onError)
    }
    working = null
  }

  function add(key: string, answer: StoredAnswer | null): void {
    waiting.set(key, answer)
    working ??= writeWaiting()
  }

  return {
    /** Queues an answer to be written. */
    save: (key: string, answer: StoredAnswer): void => {
      if (!written.has(fileOf(key), answer) && waiting.size < maxWaiting) add(key, answer)
    },
    /**
     * The last good copy of a key. Null: none, too old, of another build or other settings, or
     * damaged.
     */
    async read(key: string): Promise<StoredAnswer | null> {
      const bytes = await readFile(fileOf(key)).catch(() => null)
      if (!bytes) return null
      try {
        const copy = await unpackAnswer(bytes, { key, stamp })
        return copy && copy.answer.storedAt >= now() - maxAgeMs ? copy.answer : null
      } catch (error) {
        onError(error)
        return null
      }
    },
    /** Queues the deletion of the copy of a page that no longer exists. */
    remove: (key: string): void => add(key, null),
    /** Resolves when the queue is empty. */
    whenWritten: async (): Promise<void> => void (await working),
  }
}
