// `npm run soak -- NAME`: runs a long test. The exit code is 1 when it fails.
import { spawnSync } from 'node:child_process'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = dirname(fileURLToPath(import.meta.url))
const root = resolve(here, '..')
const soaks = [
  'disk-full',
  'events-kill',
  'floods',
  'memory',
  'mixed',
  'postgres-faults',
  'redis-faults',
  'reloads',
  'slow-sockets',
  'three-machines',
  'worker-kill',
]

const [name, ...args] = process.argv.slice(2)
if (!name || !soaks.includes(name)) {
  console.error(`usage: npm run soak -- NAME. Available: ${soaks.join(', ')}`)
  process.exit(1)
}
const { status } = spawnSync(
  process.execPath,
  [join(root, 'node_modules', 'tsx', 'dist', 'cli.mjs'), join(here, `${name}.ts`), ...args],
  { stdio: 'inherit', cwd: root },
)
process.exitCode = status ?? 1
