// `npm run bench [-- name]`: measures; without a name all of them. Prints, asserts nothing.
import { spawnSync } from 'node:child_process'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { install } from '../scripts/prepare.mjs'

const here = dirname(fileURLToPath(import.meta.url))
const root = resolve(here, '..')
const benches = ['events', 'image-flood', 'images', 'url', 'weight']

install(root)
const wanted = process.argv.slice(2)
for (const name of wanted.length > 0 ? wanted : benches) {
  if (!benches.includes(name)) {
    console.error(`no such bench: ${name}. There are: ${benches.join(', ')}`)
    process.exit(1)
  }
  const { status } = spawnSync(process.execPath, [join(root, 'node_modules', 'tsx', 'dist', 'cli.mjs'), join(here, `${name}.ts`)], { stdio: 'inherit', cwd: root })
  if (status !== 0) process.exit(status ?? 1)
}
