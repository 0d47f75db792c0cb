import { mkdir, readdir, readFile, rename, stat, unlink, writeFile, utimes } from 'node:fs/promises'
import { join } from 'node:path'

const name = /^[0-9a-f]{16}\.png$/

/** Pictures on disk by their hash, bounded by bytes: when there are too many, those asked for longest ago go first. */
export function createPictureStore(folder: string, maxBytes: number) {
  let bytes: number | null = null
  const fileOf = (hash: string): string => join(folder, `${hash}.png`)

  async function present(): Promise<Array<{ path: string; size: number; used: number }>> {
    const names = (await readdir(folder).catch(() => [])).filter((file) => name.test(file))
    return (
      await Promise.all(
        names.map(async (file) => {
          const path = join(folder, file)
          const info = await stat(path).catch(() => null)
          return info ? [{ path, size: info.size, used: info.mtimeMs }] : []
        }),
      )
    ).flat()
  }

  /** Makes room down to three quarters, so that it is seldom done. */
  async function shrink(): Promise<void> {
    const files = (await present()).sort((a, b) => a.used - b.used)
    bytes = files.reduce((sum, { size }) => sum + size, 0)
    for (const { path, size } of files) {
      if (bytes <= maxBytes * 0.75) return
      await unlink(path).catch(() => undefined)
      bytes -= size
    }
  }

  return {
    async get(hash: string): Promise<Buffer | null> {
      const file = await readFile(fileOf(hash)).catch(() => null)
      // The time of the file is when it was last wanted.
      if (file) void utimes(fileOf(hash), new Date(), new Date()).catch(() => undefined)
      return file
    },
    /** Keeps a picture. A full or read-only disk keeps none, and pictures are made anew: never an error. */
    async put(hash: string, picture: Buffer): Promise<void> {
      try {
        await mkdir(folder, { recursive: true })
        bytes ??= (await present()).reduce((sum, { size }) => sum + size, 0)
        const temporary = join(folder, `${hash}.${process.pid}.tmp`)
        await writeFile(temporary, picture)
        await rename(temporary, fileOf(hash))
        bytes += picture.length
        if (bytes > maxBytes) await shrink()
      } catch {
        bytes = null
      }
    },
  }
}
