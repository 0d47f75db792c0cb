// `npm run db:prune|backup|restore|copy` and `npm run keys -- list|add|remove`: runs the built
// `server/store.js`. Of the deployed build, because newer sources may change the database in a way
// that the running site cannot read, and the upkeep service may write no build.
import { spawnSync } from 'node:child_process'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { deployedBuild } from './deployed-build.mjs'
import { build } from './prepare.mjs'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const id = deployedBuild(root)
const buildFolder = id === null ? build(root) : join(root, 'dist', id)
const script = join(buildFolder, 'server', 'store.js')
const { status } = spawnSync(process.execPath, [script, ...process.argv.slice(2)], {
  stdio: 'inherit',
  // npm changes to the project's folder. Relative file names refer to the operator's folder.
  cwd: process.env.INIT_CWD ?? process.cwd(),
})
process.exitCode = status ?? 1
