import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { LRUCache } from 'lru-cache'
import type { Logger } from '../telemetry/logger'
import type { ImageDatabase } from './image-database'

export type VariantStoreOptions = {
  db: ImageDatabase
  folder: string
  /** Pictures that the build has made, read only; same names. */
  builtIn: string | null
  /** Bounds, in bytes: on disk, and in this process's memory. */
  diskBytes: number
  memoryBytes: number
  log: Logger
}
export type VariantStore = ReturnType<typeof createVariantStore>

/** A key's last use is written down at most this often (ms), and a file that no row knows is taken for lost after it. */
const useEvery = 60_000
/** Files of the store, as opposed to its ledger. */
const folderName = /^[0-9a-f]{2}$/

/** Place of a result: two digits of its key as folder, so that no folder holds tens of thousands. */
export const variantPath = (folder: string, key: string): string =>
  join(folder, key.slice(0, 2), key)

/**
 * Results on disk by key, the same for all processes: bounded in bytes, the longest unused go first, and each file
 * appears whole or not at all. A disk that is full or read-only costs the storing, never the answer.
 */
export function createVariantStore({
  db,
  folder,
  builtIn,
  diskBytes,
  memoryBytes,
  log,
}: VariantStoreOptions) {
  const memory = new LRUCache<string, Buffer>({
    maxSize: memoryBytes,
    maxEntrySize: Math.ceil(memoryBytes / 16),
    sizeCalculation: (bytes) => bytes.length + 200,
  })
  const noted = new LRUCache<string, true>({ max: 20_000, ttl: useEvery })
  const upsert = db.prepare(
    'INSERT INTO variants VALUES (@key, @bytes, @used) ON CONFLICT (key) DO UPDATE SET used = @used, bytes = @bytes',
  )
  const total = db.prepare<[], { bytes: number | null }>('SELECT sum(bytes) AS bytes FROM variants')
  const oldest = db.prepare<[string], { key: string; bytes: number }>(
    'SELECT key, bytes FROM variants WHERE key <> ? ORDER BY used LIMIT 32',
  )
  const drop = db.prepare('DELETE FROM variants WHERE key = ?')
  const knows = db.prepare<[string], { key: string }>('SELECT key FROM variants WHERE key = ?')

  /** Enters a result and names those that have to leave for it. */
  const enter = db.transaction((key: string, bytes: number): string[] => {
    upsert.run({ key, bytes, used: Date.now() })
    const leaving: string[] = []
    for (let sum = total.get()?.bytes ?? 0; sum > diskBytes;) {
      const batch = oldest.all(key)
      if (batch.length === 0) break
      for (const row of batch) {
        if (sum <= diskBytes) break
        drop.run(row.key)
        leaving.push(row.key)
        sum -= row.bytes
      }
    }
    return leaving
  })

  function noteUse(key: string, bytes: number): void {
    if (noted.has(key)) return
    noted.set(key, true)
    try {
      upsert.run({ key, bytes, used: Date.now() })
    } catch (error) {
      log.warn({ err: error }, 'the use of a picture was not noted')
    }
  }

  async function write(key: string, bytes: Buffer): Promise<void> {
    if (bytes.length > diskBytes) return
    const path = variantPath(folder, key)
    const draft = join(folder, `${key}.${randomUUID()}.tmp`)
    try {
      await mkdir(dirname(path), { recursive: true })
      // Room first, file after: the folder never holds more than its bound and what is being written.
      await Promise.all(
        enter
          .immediate(key, bytes.length)
          .map((old) => rm(variantPath(folder, old), { force: true })),
      )
      const file = await open(draft, 'wx', 0o600)
      try {
        await file.writeFile(bytes)
        // Else a power cut could leave the name without the content.
        await file.sync()
      } finally {
        await file.close()
      }
      await rename(draft, path)
      noted.set(key, true)
    } catch (error) {
      await rm(draft, { force: true }).catch(() => undefined)
      log.warn({ err: error }, 'a picture was not stored')
    }
  }

  return {
    /** A result, or null when it has to be made. */
    async read(key: string): Promise<Buffer | null> {
      const known = memory.get(key)
      if (known) return known
      for (const place of builtIn ? [folder, builtIn] : [folder]) {
        const bytes = await readFile(variantPath(place, key)).catch(() => null)
        if (!bytes) continue
        memory.set(key, bytes)
        if (place === folder) noteUse(key, bytes.length)
        return bytes
      }
      return null
    },
    async keep(key: string, bytes: Buffer): Promise<void> {
      memory.set(key, bytes)
      await write(key, bytes)
    },
    /** Removes what a killed process left behind: drafts, and files that no row knows. */
    async tidy(): Promise<void> {
      const before = Date.now() - useEvery
      const isOld = async (path: string): Promise<boolean> =>
        ((await stat(path).catch(() => null))?.mtimeMs ?? Infinity) < before
      for (const name of await readdir(folder).catch(() => [])) {
        if (name.endsWith('.tmp') && (await isOld(join(folder, name))))
          await rm(join(folder, name), { force: true })
        if (!folderName.test(name)) continue
        for (const key of await readdir(join(folder, name)).catch(() => [])) {
          if (!knows.get(key) && (await isOld(variantPath(folder, key))))
            await rm(variantPath(folder, key), { force: true })
        }
      }
    },
  }
}
