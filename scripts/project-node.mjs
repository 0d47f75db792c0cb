// Finds the Node that the project brings along (an optional dependency per platform), and hands a script over to it. Plain JavaScript without
// packages that runs on Node 20 too: a fresh clone has neither packages nor, maybe, a newer Node.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import supported from './supported-node.cjs'

const binFolder = (root) => join(root, 'node_modules', '.bin')

/** Name of the package that holds Node for this machine, or null: no package is made for it. */
export function nodePackage(root, platform = process.platform, arch = process.arch) {
  const { optionalDependencies = {} } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const name = `node-${platform === 'win32' ? 'win' : platform}-${arch}`
  return name in optionalDependencies ? name : null
}

/** Path of the Node that was installed with the packages, or null. */
function installedNode(root) {
  const name = nodePackage(root)
  const path =
    name &&
    join(root, 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  return path && existsSync(path) ? path : null
}

/** The Node that runs the project: the one brought along, else the machine's own where that is new enough, else null. */
export function projectNode(root) {
  return installedNode(root) ?? (supported.isSupported(process.version) ? process.execPath : null)
}

/** The error for a machine on which no Node can run this project: one line, with what to do. */
export function noNode(root) {
  const missing = nodePackage(root)
  const remedy = missing
    ? `run "npm ci --include=optional", which installs ${missing}`
    : `there is no package of Node for ${process.platform} ${process.arch}: install Node 24`
  return `Node ${process.versions.node} cannot run this project (package.json asks for ${supported.supportedRange}); ${remedy}`
}

const isThisProcess = (node) => realpathSync(node) === realpathSync(process.execPath)

/** PATH with the commands of the project first. */
export const projectPath = (root) => [binFolder(root), withoutProjectBin(root)].join(delimiter)

/** PATH without node_modules/.bin: `npm ci` deletes node_modules, so it must run on the machine's own Node. */
export const withoutProjectBin = (root) =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .filter((entry) => entry !== binFolder(root))
    .join(delimiter)

/**
 * Runs a program in place of this process: same input and output, signals passed on, same exit code. Ctrl-C in a terminal reaches both processes,
 * and a second SIGINT would cut the site's shutdown short, so it is passed on only where there is no terminal.
 */
function continueAs(root, command, args) {
  const child = spawn(command, args, {
    stdio: 'inherit',
    env: { ...process.env, PATH: projectPath(root) },
    shell: process.platform === 'win32' && command.endsWith('.cmd'),
  })
  process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'))
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => {
    console.error(`${command} could not be run: ${error.message}`)
    process.exit(1)
  })
  child.on('exit', (code, signal) => {
    if (!signal) return process.exit(code ?? 1)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}

/**
 * Runs a script of the project (`.mjs`, `.ts`) or a command of its packages under `node`. A module that this very process can run is imported into it.
 * `fresh`: packages were installed a moment ago, so this process may run on a file that has been replaced and must hand over.
 */
export async function runScript(root, node, script, args, fresh) {
  const file = join(root, script)
  if (script.endsWith('.mjs') && !fresh && isThisProcess(node)) {
    process.argv = [process.execPath, file, ...args]
    process.env.PATH = projectPath(root)
    await import(pathToFileURL(file).href)
  } else if (script.endsWith('.mjs')) continueAs(root, node, [file, ...args])
  else if (script.endsWith('.ts'))
    continueAs(root, node, [join(root, 'node_modules', 'tsx', 'dist', 'cli.mjs'), file, ...args])
  else
    continueAs(
      root,
      join(binFolder(root), process.platform === 'win32' ? `${script}.cmd` : script),
      args,
    )
}
