// Which build to serve when nothing is built at start: the one that `dist/.current` names (written
// by `npm run deploy:reload`), else the newest.
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Older builds are kept for open tabs, and to switch back to one of them. */
const maxOlderBuilds = 3
const pointerFile = (root) => join(root, 'dist', '.current')
const isBuild = (root, id) =>
  /^[\w-]{1,64}$/.test(id) && existsSync(join(root, 'dist', id, 'build.json'))
const timestampOf = (root, id) =>
  JSON.parse(readFileSync(join(root, 'dist', id, 'build.json'), 'utf8')).timestamp

/** Ids of the complete builds, newest first. */
export const listBuilds = (root) =>
  existsSync(join(root, 'dist'))
    ? readdirSync(join(root, 'dist'))
        .filter((id) => isBuild(root, id))
        .sort((a, b) => timestampOf(root, b) - timestampOf(root, a))
    : []

/** The error text for a build id that does not exist. */
export const unknownBuild = (root, id) =>
  `there is no build ${id || '(no id given)'}; builds: ${listBuilds(root).join(', ') || 'none'}`

/** Id that `dist/.current` names, of a build that may be missing; empty without that file. */
export function namedBuild(root) {
  const pointer = pointerFile(root)
  return existsSync(pointer) ? readFileSync(pointer, 'utf8').trim() : ''
}

/** Id of the build to serve, or null if there is none. */
export function deployedBuild(root) {
  const id = namedBuild(root)
  return isBuild(root, id) ? id : (listBuilds(root)[0] ?? null)
}

/** Selects the build that processes serve from now on. Throws if there is no such build. */
export function deploy(root, id) {
  if (!isBuild(root, id)) throw new Error(unknownBuild(root, id))
  // Renamed into place, because a process may read the file at the same moment.
  const temporary = `${pointerFile(root)}.${process.pid}`
  writeFileSync(temporary, `${id}\n`)
  renameSync(temporary, pointerFile(root))
}

/**
 * Deletes all builds but `id`, the next older ones, and the deployed one: PM2 starts processes with
 * that at any time.
 */
export function deleteOldBuilds(root, id) {
  const deployed = deployedBuild(root)
  const old = listBuilds(root)
    .filter((one) => one !== id && one !== deployed)
    .slice(maxOlderBuilds)
  for (const one of old) rmSync(join(root, 'dist', one), { recursive: true, force: true })
}
