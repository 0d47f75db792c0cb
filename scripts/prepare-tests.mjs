// Prepares what unit, integration and browser tests need besides packages: a build, and the starter
// content compiled once. Dozens of tests start a site with an empty data folder, and compiling
// takes seconds. Sites under test also share the code that V8 compiled, and the copy of the build's
// files that each start keeps (server/http/previous-builds.ts).
import { chmodSync, cpSync, readdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { build, run } from './prepare.mjs'

/** Like the copies of the site, only its user may read it. */
function copyAssets(buildFolder, seedFolder) {
  const copy = join(seedFolder, 'assets', basename(buildFolder))
  cpSync(join(buildFolder, 'client', 'assets'), copy, {
    recursive: true,
    preserveTimestamps: true,
  })
  cpSync(join(buildFolder, 'build.json'), join(copy, 'build.json'))
  for (const name of readdirSync(copy)) chmodSync(join(copy, name), 0o600)
  for (const folder of [copy, dirname(copy)]) chmodSync(folder, 0o700)
}

/**
 * The command that builds the site and compiles the content. `prepareTests` runs it and does
 * nothing else meanwhile. A script that has other work can run it before, in the background:
 * `prepareTests` then finds almost nothing left to do.
 */
export const preparation = (root, seedFolder) => ({
  command: process.execPath,
  args: [join(root, 'scripts', 'content.mjs')],
  env: { DATA_DIR: seedFolder, CONTENT_DIR: '' },
})

/**
 * Returns the environment variables for the tests. The compiled content and the build's files are
 * written to `seedFolder`, which is emptied first unless `isKept`: then only what changed is
 * compiled.
 */
export function prepareTests(root, seedFolder, isKept = false) {
  const buildFolder = build(root)
  if (!isKept) rmSync(seedFolder, { recursive: true, force: true })
  const { command, args, env } = preparation(root, seedFolder)
  run(command, args, { cwd: root, env: { ...process.env, ...env } })
  copyAssets(buildFolder, seedFolder)
  return {
    BUILD_FOLDER: buildFolder,
    CONTENT_SEED: seedFolder,
    COMPILE_CACHE: join(dirname(seedFolder), 'compile-cache'),
  }
}
