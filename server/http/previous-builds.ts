import { randomUUID } from 'node:crypto'
import { cp, mkdir, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Build } from '../build-info'
import type { Logger } from '../telemetry/logger'

/** Builds whose files stay served, this one included: open tabs and a way back need those before it. */
const keptBuilds = 3
const manifest = 'build.json'
/** A copy takes less than this (ms). */
const abandonedAfter = 60 * 60 * 1000
/** A build id: names of other kinds are none of ours, unfinished copies begin with a dot. */
export const isKeptBuild = (name: string): boolean => /^[\w-]{1,64}$/.test(name)

export const keptAssetsFolder = (dataDir: string): string => join(dataDir, 'assets')

/**
 * Keeps the hashed files of this build in `DATA_DIR/assets/{build id}`, so that they outlive the image that they came
 * with, and drops those of all but the last three builds that were started. A build's manifest is touched at each start:
 * after a way back, the build gone back to counts as the newest. Any number of processes may do this at once: a copy is
 * made under a name of its own and renamed, and whoever comes second finds it there. A disk that is full costs old tabs
 * their chunks, not the start.
 */
export async function keepAssets(
  { id, timestamp, folder }: Build,
  dataDir: string,
  log: Logger,
): Promise<void> {
  const kept = keptAssetsFolder(dataDir)
  const own = join(kept, id)
  const built = join(folder, 'client', 'assets')
  let work: string | null = null
  try {
    // Under `npm run dev` the folder is empty.
    if ((await readdir(built)).length === 0) return
    if (!(await exists(join(own, manifest)))) {
      // A name of its own, also among containers that all run as process 1.
      work = join(kept, `.${id}.${randomUUID()}`)
      await mkdir(work, { recursive: true })
      await cp(built, work, { recursive: true, preserveTimestamps: true })
      await writeFile(join(work, manifest), JSON.stringify({ id, timestamp }))
      // Refused when another process was faster: its copy is as good.
      await rename(work, own).catch(async (error: unknown) => {
        if (!(await exists(join(own, manifest)))) throw error
      })
    }
    const now = new Date()
    await utimes(join(own, manifest), now, now)
    await prune(kept, id)
  } catch (error) {
    log.warn({ err: error }, 'the files of this build could not be kept for later')
  } finally {
    if (work) await rm(work, { recursive: true, force: true }).catch(() => undefined)
  }
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )

async function prune(kept: string, current: string): Promise<void> {
  const all = await readdir(kept)
  // What a process left behind that was killed while it copied.
  for (const name of all.filter((entry) => entry.startsWith('.'))) {
    const made = await stat(join(kept, name)).then(
      ({ mtimeMs }) => mtimeMs,
      () => Date.now(),
    )
    if (Date.now() - made > abandonedAfter)
      await rm(join(kept, name), { recursive: true, force: true })
  }
  const names = all.filter((name) => isKeptBuild(name) && name !== current)
  const builds = await Promise.all(
    names.map(async (name) => ({
      name,
      used: await stat(join(kept, name, manifest)).then(
        ({ mtimeMs }) => mtimeMs,
        () => 0,
      ),
    })),
  )
  const old = builds.sort((a, b) => b.used - a.used).slice(keptBuilds - 1)
  for (const { name } of old) await rm(join(kept, name), { recursive: true, force: true })
}
