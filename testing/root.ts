import { execFileSync } from 'node:child_process'
import { join, resolve } from 'node:path'

export const root = resolve(__dirname, '..')

let id: string | null = null
/**
 * Folder of the build under test: the one that `npm test` made, else the build of the current
 * sources.
 */
export function buildFolder(): string {
  const made = process.env['BUILD_FOLDER']
  if (made) return made
  id ??= execFileSync(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `import { buildId } from ${JSON.stringify(join(root, 'scripts', 'build-id.mjs'))}; process.stdout.write(buildId(${JSON.stringify(root)}))`,
    ],
    { encoding: 'utf8' },
  )
  return join(root, 'dist', id)
}

/**
 * Environment of programs that tests start. With `npm run test:coverage`, each process reports at
 * its end which code it has executed.
 */
export function programSettings(): Record<string, string> {
  const { PATH = '', COVERAGE_FOLDER: coverage } = process.env
  return { PATH, ...(coverage ? { NODE_V8_COVERAGE: join(coverage, 'processes') } : {}) }
}
