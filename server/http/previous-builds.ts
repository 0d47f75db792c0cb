import { randomUUID } from 'node:crypto'
import {
  chmod,
  copyFile,
  mkdir,
  readdir,
  rename,
  rm,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import type { Build } from '../build-info'
import type { Logger } from '../telemetry/logger'

/**
 * The builds whose assets stay available, including this one: open tabs and a rollback need those
 * of earlier builds.
 */
const buildsToKeep = 3
const manifest = 'build.json'
/** A copy takes less time than this. */
const abandonedAfterMs = 60 * 60 * 1000

/** Whether a name may be a build id. Unfinished copies begin with a dot. */
export const isBuildFolder = (name: string): boolean => /^[\w-]{1,64}$/.test(name)

export const previousBuildsFolder = (dataDir: string): string => join(dataDir, 'assets')

/**
 * Copies the hashed files of this build to `DATA_DIR/assets/{build id}`, so that they outlive the
 * image that they came with, and deletes all but the last three builds that were started. Each
 * start updates the time of the build's manifest, so after a rollback the older build counts as the
 * newest. Any number of processes may do this at the same time: a copy is made in its own folder
 * and renamed, and a process that finishes later finds it there. When the disk is full, open tabs
 * lose the chunks of this build later, but the site starts.
 */
export async function keepBuildAssets(
  { id, timestamp, folder }: Build,
  dataDir: string,
  log: Logger,
): Promise<void> {
  const buildsFolder = previousBuildsFolder(dataDir)
  const buildManifest = join(buildsFolder, id, manifest)
  const assets = join(folder, 'client', 'assets')
  try {
    // With `npm run dev` the folder is empty.
    if ((await readdir(assets)).length === 0) return
    if (!(await exists(buildManifest))) await copyBuild(assets, buildsFolder, { id, timestamp })
    const now = new Date()
    await utimes(buildManifest, now, now)
    await removeAbandonedCopies(buildsFolder)
    await removeOldBuilds(buildsFolder, id)
  } catch (error) {
    log.warn({ err: error }, 'the files of this build could not be kept for later')
  }
}

async function copyBuild(
  assets: string,
  buildsFolder: string,
  info: { id: string; timestamp: number },
): Promise<void> {
  // The process id is not unique: in containers every process may have id 1.
  const temporary = join(buildsFolder, `.${info.id}.${randomUUID()}`)
  const target = join(buildsFolder, info.id)
  try {
    await mkdir(temporary, { recursive: true })
    for (const name of await readdir(assets))
      await copyAsset(join(assets, name), join(temporary, name))
    await chmod(temporary, 0o700)
    await writeFile(join(temporary, manifest), JSON.stringify(info))
    // Fails when another process was faster; its copy is equal.
    await rename(temporary, target).catch(async (error: unknown) => {
      if (!(await exists(join(target, manifest)))) throw error
    })
  } finally {
    await rm(temporary, { recursive: true, force: true }).catch(() => undefined)
  }
}

/**
 * Copies a file with its modification time, because `Last-Modified` and `ETag` are made of it. Only
 * the site's user may read the copy.
 */
async function copyAsset(from: string, to: string): Promise<void> {
  const { atime, mtime } = await stat(from)
  await copyFile(from, to)
  await utimes(to, atime, mtime)
  await chmod(to, 0o600)
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )

const modifiedMs = (path: string, fallback: number): Promise<number> =>
  stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => fallback,
  )

/** Copies of processes that were killed while they copied. */
async function removeAbandonedCopies(buildsFolder: string): Promise<void> {
  for (const name of (await readdir(buildsFolder)).filter((entry) => entry.startsWith('.'))) {
    const copy = join(buildsFolder, name)
    if (Date.now() - (await modifiedMs(copy, Date.now())) > abandonedAfterMs)
      await rm(copy, { recursive: true, force: true })
  }
}

async function removeOldBuilds(buildsFolder: string, currentId: string): Promise<void> {
  const names = (await readdir(buildsFolder)).filter(
    (name) => isBuildFolder(name) && name !== currentId,
  )
  const builds = await Promise.all(
    names.map(async (name) => ({
      folder: join(buildsFolder, name),
      startedMs: await modifiedMs(join(buildsFolder, name, manifest), 0),
    })),
  )
  const oldBuilds = builds.sort((a, b) => b.startedMs - a.startedMs).slice(buildsToKeep - 1)
  for (const { folder } of oldBuilds) await rm(folder, { recursive: true, force: true })
}
