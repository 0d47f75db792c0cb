// `npm run bench [-- name [--option value]]`: runs benches. Without a name it runs the default
// benches and then `summary`, one table of all figures that have a target. A missed target is not
// an error (see README.md in this folder).
import { spawnSync } from 'node:child_process'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from '../scripts/prepare.mjs'

const here = dirname(fileURLToPath(import.meta.url))
const root = resolve(here, '..')
/** Each takes minutes, all together half an hour. */
const defaultBenches = ['hits', 'renders', 'first-byte', 'weight', 'ready', 'compile', 'url']
/** Run only by name: they take long, need other programs, or measure a single part. */
const otherBenches = [
  'article-memory',
  'clicks',
  'console',
  'edit',
  'events',
  'flood-latency',
  'fuzz',
  'image-flood',
  'images',
  'loss',
  'peers',
  'profile',
  'search',
  'sitemaps',
  'summary',
  'versus',
  'writes',
]
const benches = [...defaultBenches, ...otherBenches]

build(root)
const args = process.argv.slice(2)
const optionsAt = args.findIndex((argument) => argument.startsWith('--'))
const names = optionsAt < 0 ? args : args.slice(0, optionsAt)
const options = optionsAt < 0 ? [] : args.slice(optionsAt)
const unknown = names.find((name) => !benches.includes(name))
if (unknown) {
  console.error(`unknown bench: ${unknown}. Available: ${benches.join(', ')}`)
  process.exit(1)
}
const failed = []
for (const name of names.length > 0 ? names : [...defaultBenches, 'summary']) {
  const { status } = spawnSync(
    process.execPath,
    [join(root, 'node_modules', 'tsx', 'dist', 'cli.mjs'), join(here, `${name}.ts`), ...options],
    { stdio: 'inherit', cwd: root },
  )
  // A bench that cannot run here (for example, without wrk) must not stop the others.
  if (status !== 0) failed.push(name)
}
if (failed.length > 0) console.error(`failed, or not measured: ${failed.join(', ')}`)
process.exitCode = failed.length > 0 ? 1 : 0
