// `npm run bench [-- name [--option value]]`: measures; without a name all of them, with their own defaults. Prints, asserts nothing (README.md beside this file).
import { spawnSync } from 'node:child_process'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, install } from '../scripts/prepare.mjs'

const here = dirname(fileURLToPath(import.meta.url))
const root = resolve(here, '..')
const benches = ['clicks', 'events', 'hits', 'image-flood', 'images', 'loss', 'renders', 'search', 'sitemaps', 'url', 'weight']

install(root)
build(root)
const given = process.argv.slice(2)
const options = given.findIndex((argument) => argument.startsWith('--'))
const wanted = options < 0 ? given : given.slice(0, options)
const passed = options < 0 ? [] : given.slice(options)
for (const name of wanted.length > 0 ? wanted : benches) {
  if (!benches.includes(name)) {
    console.error(`no such bench: ${name}. There are: ${benches.join(', ')}`)
    process.exit(1)
  }
  const { status } = spawnSync(process.execPath, [join(root, 'node_modules', 'tsx', 'dist', 'cli.mjs'), join(here, `${name}.ts`), ...passed], { stdio: 'inherit', cwd: root })
  if (status !== 0) process.exit(status ?? 1)
}
