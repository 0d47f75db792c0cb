// Finds the Node that the packages bring along (an optional dependency per platform), and runs
// scripts with it. Plain JavaScript without packages that also runs on Node 20, because a fresh
// clone has no packages and the machine may have no newer Node.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import supported from './supported-node.cjs'

const binFolder = (root) => join(root, 'node_modules', '.bin')

/** Name of the package with Node for this machine, or null if there is no such package. */
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

/**
 * The Node for the project: that of the packages, else the machine's if it is supported, else null.
 */
export function projectNode(root) {
  return installedNode(root) ?? (supported.isSupported(process.version) ? process.execPath : null)
}

/** The error text for a machine without a supported Node: one line that says what to do. */
export function noNodeMessage(root) {
  const missing = nodePackage(root)
  const fix = missing
    ? `run "npm ci --include=optional", which installs ${missing}`
    : `there is no package of Node for ${process.platform} ${process.arch}: install Node 24`
  return `Node ${process.versions.node} cannot run this project (package.json requires ${supported.supportedRange}); ${fix}`
}

const isThisProcess = (node) => realpathSync(node) === realpathSync(process.execPath)

/** PATH that starts with the commands of the project. */
export const pathWithProject = (root) => [binFolder(root), pathWithoutProject(root)].join(delimiter)

/**
 * PATH without node_modules/.bin: `npm ci` deletes node_modules, so it must run on the machine's
 * own Node.
 */
export const pathWithoutProject = (root) =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .filter((entry) => entry !== binFolder(root))
    .join(delimiter)

/**
 * Runs a program in place of this process: same input and output, signals passed on, same exit
 * code. In a terminal, Ctrl-C reaches both processes, and a second SIGINT would cut the graceful
 * shutdown of the site short. SIGINT is therefore passed on only without a terminal.
 */
function runInPlace(root, command, args) {
  const child = spawn(command, args, {
    stdio: 'inherit',
    env: { ...process.env, PATH: pathWithProject(root) },
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
 * Runs a script of the project (`.mjs`, `.ts`) or a command of its packages under `node`. If this
 * process already runs on that Node, a `.mjs` script is imported into it, which saves a process.
 * A new process is necessary for options of Node, and after `npm ci` (`wasInstalled`), which may
 * have replaced the running Node.
 */
export async function runScript(root, node, script, args, { nodeOptions, wasInstalled }) {
  const file = join(root, script)
  const canImport = !wasInstalled && nodeOptions.length === 0 && isThisProcess(node)
  if (script.endsWith('.mjs') && canImport) {
    process.argv = [process.execPath, file, ...args]
    process.env.PATH = pathWithProject(root)
    await import(pathToFileURL(file).href)
  } else if (script.endsWith('.mjs')) runInPlace(root, node, [...nodeOptions, file, ...args])
  else if (script.endsWith('.ts'))
    runInPlace(root, node, [join(root, 'node_modules', 'tsx', 'dist', 'cli.mjs'), file, ...args])
  else {
    const command = join(binFolder(root), process.platform === 'win32' ? `${script}.cmd` : script)
    if (existsSync(command)) return runInPlace(root, command, args)
    console.error(`${script} is not installed: run "npm ci", then this command again`)
    process.exit(1)
  }
}
