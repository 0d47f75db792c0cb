// Which build to serve when nothing is built at start: the one that `dist/.current` names (written
// by
// `npm run deploy:reload`), else the newest.
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

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

/** Id of the build to serve, or null if there is none. */
export function deployedBuild(root) {
  const pointer = pointerFile(root)
  const id = existsSync(pointer) ? readFileSync(pointer, 'utf8').trim() : ''
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
