// Every npm script starts here: `node scripts/run.mjs [OPTION …] SCRIPT [ARGUMENT …]` runs SCRIPT
// under the Node that is one of the packages.
//   --install       first installs the packages that are missing
//   --install-site  first installs those that build and run the site, if they are missing
// Every other option is passed to Node. Where there are no packages and no option installs them, it
// only prints what to do. The Node of the machine may be as old as 20, so this file and its imports
// run on that too.
import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { install } from './prepare.mjs'
import { nodePackage, noNodeMessage, projectNode, runScript } from './project-node.mjs'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const args = process.argv.slice(2)
const scriptAt = args.findIndex((arg) => !arg.startsWith('--'))
const options = args.slice(0, scriptAt)
const [script, ...scriptArgs] = args.slice(scriptAt)
const isForDevelopment = options.includes('--install')
const shouldInstall = isForDevelopment || options.includes('--install-site')
const nodeOptions = options.filter((option) => !option.startsWith('--install'))

function stop(message) {
  console.error(message)
  process.exit(1)
}

// Checked before the install: without a package of Node, the machine needs a supported Node.
if (!nodePackage(root) && !projectNode(root)) stop(noNodeMessage(root))
const wasInstalled = shouldInstall && install(root, isForDevelopment)
if (!existsSync(join(root, 'node_modules', '.package-lock.json')))
  stop('packages are not installed: run "npm ci", then this command again')
const node = projectNode(root)
if (!node) stop(noNodeMessage(root))
await runScript(root, node, script, scriptArgs, { nodeOptions, wasInstalled })
