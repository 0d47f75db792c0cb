// `npm run db:prune|backup|restore|copy`, `npm run keys -- list|add|remove`: hands the command to the built `server/store.js`.
import { spawnSync } from 'node:child_process'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from './prepare.mjs'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const { status } = spawnSync(
  process.execPath,
  [join(build(root), 'server', 'store.js'), ...process.argv.slice(2)],
  {
    stdio: 'inherit',
    // Files are named from where the operator stands; npm itself stands in the project.
    cwd: process.env.INIT_CWD ?? process.cwd(),
  },
)
process.exitCode = status ?? 1
