// `npm run db:prune|backup|restore|copy` and `npm run keys -- list|add|remove`: runs
// `server/store.js` of the build that the site uses. That is the build that `deploy:reload` chose,
// else the build of the sources (`npm start` uses it), else the newest. A build is made only if the
// project has no build at all: a newer one could change the database in a way that the running site
// cannot read, and the upkeep service is not allowed to write one.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildId } from './build-id.mjs'
import { listBuilds, namedBuild } from './deployed-build.mjs'
import { build } from './prepare.mjs'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
// A container image has no sources.
const sourceId = existsSync(join(root, 'client')) ? buildId(root) : ''
const builds = listBuilds(root)
const [id] = [namedBuild(root), sourceId, ...builds].filter((one) => builds.includes(one))
const buildFolder = id === undefined ? build(root) : join(root, 'dist', id)
const script = join(buildFolder, 'server', 'store.js')
const { status } = spawnSync(process.execPath, [script, ...process.argv.slice(2)], {
  stdio: 'inherit',
  // npm changes to the project's folder. Relative file names refer to the operator's folder.
  cwd: process.env.INIT_CWD ?? process.cwd(),
})
process.exitCode = status ?? 1
