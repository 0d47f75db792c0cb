// Every npm script starts here: `node scripts/run.mjs [--install] SCRIPT [ARGUMENT …]` runs SCRIPT under the Node that the project brings along.
// With --install missing packages are installed first; without it a clone that has none says what to do. This file and what it imports run on
// Node 20, the oldest that a machine may have.
import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { install } from './prepare.mjs'
import { nodePackage, noNode, projectNode, runScript } from './project-node.mjs'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const given = process.argv.slice(2)
const installs = given[0] === '--install'
const [script, ...args] = installs ? given.slice(1) : given

function stop(line) {
  console.error(line)
  process.exit(1)
}

// Before anything is installed: where no package of Node exists, the machine itself must have a recent Node.
if (!nodePackage(root) && !projectNode(root)) stop(noNode(root))
const fresh = installs && install(root)
if (!existsSync(join(root, 'node_modules', '.package-lock.json')))
  stop('packages are not installed: run "npm ci", then this command again')
const node = projectNode(root)
if (!node) stop(noNode(root))
await runScript(root, node, script, args, fresh)
