// Prepares what unit, integration and browser tests need besides packages: a build, and the starter
// content compiled once. Dozens of tests start a site with an empty data folder, and compiling
// takes seconds. Sites under test also share the code that V8 compiled.
import { rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { build, run } from './prepare.mjs'

/**
 * Returns the environment variables for the tests. The compiled content is written to `seedFolder`,
 * which is emptied first unless `isKept`: then only what changed is compiled.
 */
export function prepareTests(root, seedFolder, isKept = false) {
  const buildFolder = build(root)
  if (!isKept) rmSync(seedFolder, { recursive: true, force: true })
  run(process.execPath, [join(root, 'scripts', 'content.mjs')], {
    cwd: root,
    env: { ...process.env, DATA_DIR: seedFolder, CONTENT_DIR: '' },
  })
  return {
    BUILD_FOLDER: buildFolder,
    CONTENT_SEED: seedFolder,
    COMPILE_CACHE: join(dirname(seedFolder), 'compile-cache'),
  }
}
