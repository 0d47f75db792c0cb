// `npm run bench [-- name [--option value]]`: measures; without a name the light ones, with their own defaults, and then one table of all figures that were
// asked for (`npm run bench -- summary` writes it anew). Prints, asserts nothing (README.md beside this file).
import { spawnSync } from 'node:child_process'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from '../scripts/prepare.mjs'

const here = dirname(fileURLToPath(import.meta.url))
const root = resolve(here, '..')
/** Minutes, all together half an hour. */
const light = ['hits', 'renders', 'first-byte', 'weight', 'ready', 'compile', 'url']
/** Those that take long, need something more, or say something about one part only: by name. */
const named = [
  'article-memory',
  'clicks',
  'edit',
  'events',
  'image-flood',
  'images',
  'loss',
  'peers',
  'profile',
  'search',
  'sitemaps',
  'summary',
  'versus',
]
const benches = [...light, ...named]

build(root)
const given = process.argv.slice(2)
const options = given.findIndex((argument) => argument.startsWith('--'))
const wanted = options < 0 ? given : given.slice(0, options)
const passed = options < 0 ? [] : given.slice(options)
const unknown = wanted.find((name) => !benches.includes(name))
if (unknown) {
  console.error(`no such bench: ${unknown}. There are: ${benches.join(', ')}`)
  process.exit(1)
}
const failed = []
for (const name of wanted.length > 0 ? wanted : [...light, 'summary']) {
  const { status } = spawnSync(
    process.execPath,
    [join(root, 'node_modules', 'tsx', 'dist', 'cli.mjs'), join(here, `${name}.ts`), ...passed],
    { stdio: 'inherit', cwd: root },
  )
  // One that cannot run here (no load generator, say) keeps no other from being measured.
  if (status !== 0) failed.push(name)
}
if (failed.length > 0) console.error(`not measured: ${failed.join(', ')}`)
process.exitCode = failed.length > 0 ? 1 : 0
