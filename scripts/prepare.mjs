// Shared by the npm scripts: installs and builds, but only when needed. Plain JavaScript without
// packages, because a fresh clone has none.
import { spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { buildId } from './build-id.mjs'
import { deployedBuild } from './deployed-build.mjs'
import { pathWithoutProject } from './project-node.mjs'

/** Modification time in ms; 0 if there is no such file. */
const modifiedAt = (path) => (existsSync(path) ? statSync(path).mtimeMs : 0)

/** Runs a command and shows its output. If it fails, this process ends with the same exit code. */
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

/**
 * Runs `npm ci` if packages are missing or older than the lock file. Returns whether it ran.
 * `isForDevelopment`: the packages for tests and development are needed too. Without it they are
 * kept up to date where they are installed, and left out elsewhere. In an image, which has no lock
 * file, nothing is installed.
 */
export function install(root, isForDevelopment = false) {
  const lockedAt = modifiedAt(join(root, 'package-lock.json'))
  const isCurrent = modifiedAt(join(root, 'node_modules', '.package-lock.json')) >= lockedAt
  const hasDevelopment = existsSync(join(root, 'node_modules', 'jest'))
  if (lockedAt === 0 || (isCurrent && (hasDevelopment || !isForDevelopment))) return false
  console.log('installing packages')
  const development = isForDevelopment || hasDevelopment ? '--include=dev' : '--omit=dev'
  // Node is an optional package. `--loglevel=error` hides warnings that the machine's Node is too
  // old for some packages: they run under the Node that is installed here.
  run(
    'npm',
    ['ci', development, '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'],
    { cwd: root, env: { ...process.env, PATH: pathWithoutProject(root) } },
  )
  return true
}

/**
 * Builds the site if its sources have no build yet. Returns the folder of the build. Without
 * sources (in a container image), returns the existing build.
 */
export function build(root) {
  if (!existsSync(join(root, 'client'))) return join(root, 'dist', deployedBuild(root) ?? 'none')
  const buildFolder = () => join(root, 'dist', buildId(root))
  if (!existsSync(join(buildFolder(), 'build.json'))) {
    console.log('building')
    run(
      process.execPath,
      [join(root, 'node_modules', 'tsx', 'dist', 'cli.mjs'), join(root, 'scripts', 'build.ts')],
      { cwd: root },
    )
  }
  // Computed again, because the build generates source files that are part of the id.
  return buildFolder()
}
