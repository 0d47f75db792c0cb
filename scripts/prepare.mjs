// What the two commands share: installing and building, only when needed. Plain JavaScript without packages, because
// a fresh clone has none.
import { spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { buildId } from './build-id.mjs'
import { deployedBuild } from './deployed-build.mjs'

const modified = (path) => (existsSync(path) ? statSync(path).mtimeMs : 0)

/** Runs a command with its output shown; ends this process with its exit code when it fails. */
export function run(command, args, options = {}) {
  const result = spawnSync(command, args, { stdio: 'inherit', shell: process.platform === 'win32', ...options })
  if (result.error) {
    console.error(`${command} could not be run: ${result.error.message}`)
    process.exit(1)
  }
  if (result.status !== 0) process.exit(result.status ?? 1)
}

export function checkNode() {
  if (Number(process.versions.node.split('.')[0]) >= 20) return
  console.error(`Node ${process.versions.node} is too old: 20 or newer is needed`)
  process.exit(1)
}

/** `npm ci` when `node_modules` is absent or older than the lock. */
export function install(root) {
  const installed = modified(join(root, 'node_modules', '.package-lock.json'))
  if (installed > 0 && installed >= modified(join(root, 'package-lock.json'))) return
  console.log('installing packages (better-sqlite3 is compiled where no binary can be downloaded: about a minute)')
  // The build tools are development packages, so they are needed in production too.
  run('npm', ['ci', '--include=dev', '--no-audit', '--no-fund'], { cwd: root })
}

/** Builds when there is no build of the present sources. Answers its folder. Where there are no sources (an image), that of the build that is there. */
export function build(root) {
  if (!existsSync(join(root, 'client'))) return join(root, 'dist', deployedBuild(root) ?? 'none')
  const folder = () => join(root, 'dist', buildId(root))
  if (!existsSync(join(folder(), 'build.json'))) {
    console.log('building')
    run(process.execPath, [join(root, 'node_modules', 'tsx', 'dist', 'cli.mjs'), join(root, 'scripts', 'build.ts')], { cwd: root })
  }
  return folder()
}
