import { execFileSync } from 'node:child_process'
import { join, resolve } from 'node:path'

export const root = resolve(__dirname, '..')

let id: string | null = null
/** Folder of the build under test: the one that `npm test` made, else the build of the current sources. */
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
