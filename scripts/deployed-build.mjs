// Which build is served where nothing is built at start: `dist/.current` names it (written by `npm run deploy:reload`), else it is the newest.
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const pointer = (root) => join(root, 'dist', '.current')
const isBuild = (root, id) =>
  /^[\w-]{1,64}$/.test(id) && existsSync(join(root, 'dist', id, 'build.json'))
const timestampOf = (root, id) =>
  JSON.parse(readFileSync(join(root, 'dist', id, 'build.json'), 'utf8')).timestamp

/** Ids of complete builds, newest first. */
export const builds = (root) =>
  existsSync(join(root, 'dist'))
    ? readdirSync(join(root, 'dist'))
        .filter((id) => isBuild(root, id))
        .sort((a, b) => timestampOf(root, b) - timestampOf(root, a))
    : []

/** Id of the build to serve; null where there is none. */
export function deployedBuild(root) {
  const named = existsSync(pointer(root)) ? readFileSync(pointer(root), 'utf8').trim() : ''
  return isBuild(root, named) ? named : (builds(root)[0] ?? null)
}

/** Processes that start from now on serve this build. Whole or not at all: one may start at this very moment. */
export function deploy(root, id) {
  if (!isBuild(root, id))
    throw new Error(`there is no build ${id}; there are ${builds(root).join(', ') || 'none'}`)
  const work = `${pointer(root)}.${process.pid}`
  writeFileSync(work, `${id}\n`)
  renameSync(work, pointer(root))
}
