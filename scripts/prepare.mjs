// What the npm scripts share: installing and building, only when needed. Plain JavaScript without packages, because a
// fresh clone has none.
import { spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { buildId } from './build-id.mjs'
import { deployedBuild } from './deployed-build.mjs'
import { withoutProjectBin } from './project-node.mjs'

const modified = (path) => (existsSync(path) ? statSync(path).mtimeMs : 0)

/** Runs a command with its output shown; ends this process with its exit code when it fails. */
export function run(command, args, options = {}) {
  const result = spawnSync(command, args, {
    stdio: 'inherit',
    shell: process.platform === 'win32',
    ...options,
  })
  if (result.error) {
    console.error(`${command} could not be run: ${result.error.message}`)
    process.exit(1)
  }
  if (result.status !== 0) process.exit(result.status ?? 1)
}

/** `npm ci` when `node_modules` is absent or older than the lock. Returns whether it was. */
export function install(root) {
  const installed = modified(join(root, 'node_modules', '.package-lock.json'))
  if (installed > 0 && installed >= modified(join(root, 'package-lock.json'))) return false
  console.log('installing packages')
  // Build tools are development packages, and Node itself is an optional one, so both are needed in production too. npm warns of packages that the
  // machine's own Node is too old for: they run under the Node that is installed here.
  run(
    'npm',
    ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'],
    { cwd: root, env: { ...process.env, PATH: withoutProjectBin(root) } },
  )
  return true
}

/** Builds when there is no build of the present sources. Answers its folder. Where there are no sources (an image), that of the build that is there. */
export function build(root) {
  if (!existsSync(join(root, 'client'))) return join(root, 'dist', deployedBuild(root) ?? 'none')
  const folder = () => join(root, 'dist', buildId(root))
  if (!existsSync(join(folder(), 'build.json'))) {
    console.log('building')
    run(
      process.execPath,
      [join(root, 'node_modules', 'tsx', 'dist', 'cli.mjs'), join(root, 'scripts', 'build.ts')],
      { cwd: root },
    )
  }
  return folder()
}
