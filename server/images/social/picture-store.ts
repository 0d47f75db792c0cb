import { mkdir, readdir, readFile, rename, stat, unlink, writeFile, utimes } from 'node:fs/promises'
import { join } from 'node:path'

const fileName = /^[0-9a-f]{16}\.png$/
/** Eviction frees this share of the limit, so that it does not run for every new picture. */
const shareAfterEviction = 0.75

type PictureFile = { path: string; size: number; usedAt: number }

async function listPictures(folder: string): Promise<PictureFile[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => fileName.test(name))
  const files = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name)
      const stats = await stat(path).catch(() => null)
      return stats ? [{ path, size: stats.size, usedAt: stats.mtimeMs }] : []
    }),
  )
  return files.flat()
}

const sizeOf = (files: readonly PictureFile[]): number =>
  files.reduce((sum, { size }) => sum + size, 0)

/** Deletes the pictures unused the longest until `targetBytes` are left. Returns what is left. */
async function evict(folder: string, targetBytes: number): Promise<number> {
  const files = (await listPictures(folder)).sort((a, b) => a.usedAt - b.usedAt)
  let bytes = sizeOf(files)
  for (const { path, size } of files) {
    if (bytes <= targetBytes) break
    await unlink(path).catch(() => undefined)
    bytes -= size
  }
  return bytes
}

/** Sharing pictures on disk by their hash, limited to `maxBytes`. */
export function createPictureStore(folder: string, maxBytes: number) {
  /** Bytes on disk; null = not known yet. */
  let bytes: number | null = null
  const pathOf = (hash: string): string => join(folder, `${hash}.png`)

  return {
    async read(hash: string): Promise<Buffer | null> {
      const picture = await readFile(pathOf(hash)).catch(() => null)
      // The modification time of a file is the time of its last use.
      if (picture) void utimes(pathOf(hash), new Date(), new Date()).catch(() => undefined)
      return picture
    },
    /**
     * Stores a picture. Never fails: on a full or read-only disk the next request draws it again.
     */
    async write(hash: string, picture: Buffer): Promise<void> {
      try {
        await mkdir(folder, { recursive: true })
        bytes ??= sizeOf(await listPictures(folder))
        const temporary = join(folder, `${hash}.${process.pid}.tmp`)
        await writeFile(temporary, picture)
        await rename(temporary, pathOf(hash))
        bytes += picture.length
        if (bytes > maxBytes) bytes = await evict(folder, maxBytes * shareAfterEviction)
      } catch {
        bytes = null
      }
    },
  }
}
