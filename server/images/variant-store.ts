import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { LRUCache } from 'lru-cache'
import type { Logger } from '../telemetry/logger'
import type { ImageDatabase } from './image-database'

type VariantStoreOptions = {
  db: ImageDatabase
  folder: string
  /** Variants that the build encoded, under the same names; read only. Null = none. */
  prebuiltFolder: string | null
  /** Limits on disk, and in the memory of this process. */
  maxDiskBytes: number
  maxMemoryBytes: number
  log: Logger
}
export type VariantStore = ReturnType<typeof createVariantStore>

/**
 * The last use of a key is recorded at most this often. A file that is older and has no row in the
 * database was left by a killed process.
 */
const useIntervalMs = 60_000
/** Bytes that an entry of the memory cache takes besides its image. */
const entryOverheadBytes = 200
/** Folders of variants: the first two digits of their keys. */
const shardName = /^[0-9a-f]{2}$/

/** Path of a variant. The first two digits of the key are a folder, which keeps folders small. */
export const variantPath = (folder: string, key: string): string =>
  join(folder, key.slice(0, 2), key)

/** Records which variants are on disk, and chooses which to evict: those unused the longest. */
function createIndex(db: ImageDatabase, maxDiskBytes: number) {
  const upsert = db.prepare(
    'INSERT INTO variants VALUES (@key, @bytes, @used) ON CONFLICT (key) DO UPDATE SET used = @used, bytes = @bytes',
  )
  const total = db.prepare<[], { bytes: number | null }>('SELECT sum(bytes) AS bytes FROM variants')
  const oldest = db.prepare<[string], { key: string; bytes: number }>(
    'SELECT key, bytes FROM variants WHERE key <> ? ORDER BY used LIMIT 32',
  )
  const remove = db.prepare('DELETE FROM variants WHERE key = ?')
  const find = db.prepare<[string], { key: string }>('SELECT key FROM variants WHERE key = ?')
  const touch = (key: string, bytes: number): void => {
    upsert.run({ key, bytes, used: Date.now() })
  }
  const add = db.transaction((key: string, bytes: number): string[] => {
    touch(key, bytes)
    const evicted: string[] = []
    for (let sum = total.get()?.bytes ?? 0; sum > maxDiskBytes;) {
      const batch = oldest.all(key)
      if (batch.length === 0) break
      for (const row of batch) {
        if (sum <= maxDiskBytes) break
        remove.run(row.key)
        evicted.push(row.key)
        sum -= row.bytes
      }
    }
    return evicted
  })
  return {
    has: (key: string): boolean => find.get(key) !== undefined,
    touch,
    /** Adds a variant and returns the keys whose files must be deleted to stay within the limit. */
    add: (key: string, bytes: number): string[] => add.immediate(key, bytes),
  }
}

/** Writes a file under a temporary name, flushes it and renames it, so that it is never partial. */
async function writeAtomically(path: string, temporary: string, bytes: Buffer): Promise<void> {
  const file = await open(temporary, 'wx', 0o600)
  try {
    await file.writeFile(bytes)
    // Without the flush, a power cut could leave the name without the content.
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(temporary, path)
}

async function deleteIfOld(path: string): Promise<void> {
  const stats = await stat(path).catch(() => null)
  if (stats && stats.mtimeMs < Date.now() - useIntervalMs) await rm(path, { force: true })
}

/** Deletes temporary files and variants without a row that are older than `useIntervalMs`. */
async function deleteLeftovers(folder: string, hasRow: (key: string) => boolean): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    if (name.endsWith('.tmp')) await deleteIfOld(join(folder, name))
    if (!shardName.test(name)) continue
    for (const key of await readdir(join(folder, name)).catch(() => []))
      if (!hasRow(key)) await deleteIfOld(variantPath(folder, key))
  }
}

/**
 * The keys used lately. Limited by `maxSize`: `max` allocates the memory of all entries at once.
 */
const createRecentKeys = () =>
  new LRUCache<string, true>({ maxSize: 20_000, sizeCalculation: () => 1, ttl: useIntervalMs })

/**
 * Encoded images on disk by key, shared by all processes of the machine and limited in bytes; the
 * ones unused the longest are evicted. When the disk is full or read-only, images are served but
 * not stored.
 */
export function createVariantStore({
  db,
  folder,
  prebuiltFolder,
  maxDiskBytes,
  maxMemoryBytes,
  log,
}: VariantStoreOptions) {
  const memory = new LRUCache<string, Buffer>({
    maxSize: maxMemoryBytes,
    maxEntrySize: Math.ceil(maxMemoryBytes / 16),
    sizeCalculation: (bytes) => bytes.length + entryOverheadBytes,
  })
  const recentlyUsed = createRecentKeys()
  const index = createIndex(db, maxDiskBytes)

  function recordUse(key: string, bytes: number): void {
    if (recentlyUsed.has(key)) return
    recentlyUsed.set(key, true)
    try {
      index.touch(key, bytes)
    } catch (error) {
      log.warn({ err: error }, 'the use of an image could not be recorded')
    }
  }

  async function writeToDisk(key: string, bytes: Buffer): Promise<void> {
    if (bytes.length > maxDiskBytes) return
    const path = variantPath(folder, key)
    const temporary = join(folder, `${key}.${randomUUID()}.tmp`)
    try {
      await mkdir(dirname(path), { recursive: true })
      // Evict first: the folder then holds at most its limit and the files that are being written.
      const evicted = index.add(key, bytes.length)
      await Promise.all(evicted.map((old) => rm(variantPath(folder, old), { force: true })))
      await writeAtomically(path, temporary, bytes)
      recentlyUsed.set(key, true)
    } catch (error) {
      await rm(temporary, { force: true }).catch(() => undefined)
      log.warn({ err: error }, 'an image could not be stored')
    }
  }

  return {
    /** The bytes of a key, or null when they have to be encoded. */
    async read(key: string): Promise<Buffer | null> {
      const cached = memory.get(key)
      if (cached) return cached
      for (const place of prebuiltFolder ? [folder, prebuiltFolder] : [folder]) {
        const bytes = await readFile(variantPath(place, key)).catch(() => null)
        if (!bytes) continue
        memory.set(key, bytes)
        if (place === folder) recordUse(key, bytes.length)
        return bytes
      }
      return null
    },
    async write(key: string, bytes: Buffer): Promise<void> {
      memory.set(key, bytes)
      await writeToDisk(key, bytes)
    },
    /** Deletes what a killed process left: temporary files, and variants without a row. */
    removeLeftovers: (): Promise<void> => deleteLeftovers(folder, index.has),
  }
}
