// `npm run bench [-- name [options]]`: measures; without a name all of them. Prints, asserts nothing (README.md beside this file).
import { spawnSync } from 'node:child_process'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, install } from '../scripts/prepare.mjs'

const here = dirname(fileURLToPath(import.meta.url))
const root = resolve(here, '..')
const benches = ['events', 'hits', 'image-flood', 'images', 'renders', 'url', 'weight']

install(root)
build(root)
const [name, ...options] = process.argv.slice(2)
const wanted = name ? [name] : benches
for (const bench of wanted) {
  if (!benches.includes(bench)) {
    console.error(`no such bench: ${bench}. There are: ${benches.join(', ')}`)
    process.exit(1)
  }
  const { status } = spawnSync(process.execPath, [join(root, 'node_modules', 'tsx', 'dist', 'cli.mjs'), join(here, `${bench}.ts`), ...options], { stdio: 'inherit', cwd: root })
  if (status !== 0) process.exit(status ?? 1)
}
