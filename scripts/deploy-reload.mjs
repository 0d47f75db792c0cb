// `npm run deploy:reload`: installs and builds what is missing, then has PM2 start the site, or replace its processes one after the other without losing a
// request. `-- --build ID` goes back to (or on to) a build that is still there. Arguments after that are PM2's.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, run } from './prepare.mjs'
import { builds, deploy } from './deployed-build.mjs'
import supported from './supported-node.cjs'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const args = process.argv.slice(2)
const at = args.indexOf('--build')
const [, wished] = at < 0 ? [] : args.splice(at, 2)

if (at >= 0 && !builds(root).includes(wished)) {
  console.error(
    `there is no build ${wished ?? '(which one?)'}; there are ${builds(root).join(', ') || 'none'}`,
  )
  process.exit(1)
}
const id = wished ?? basename(build(root))
deploy(root, id)
console.log(`build ${id}`)
// Content compiled for tables of another version is none to this build: made now, it does not count as time that a process takes to start.
const folder = join(root, 'dist', id)
const { compiler } = JSON.parse(readFileSync(join(folder, 'build.json'), 'utf8'))
const paths = [
  '--data',
  resolve(root, process.env.DATA_DIR || 'data'),
  '--content',
  resolve(root, process.env.CONTENT_DIR || 'content'),
  '--locales',
  join(root, 'locales'),
  '--public',
  join(root, 'public'),
]
// Where it fails (a build made before there was `--missing`), the start does it.
spawnSync(
  process.execPath,
  [join(folder, 'server', 'content.js'), '--missing', ...paths, '--compiler', compiler],
  { stdio: ['ignore', 'inherit', 'ignore'] },
)

const pm2 = join(root, 'node_modules', 'pm2', 'bin', 'pm2')
/** Version of Node that PM2's daemon runs on. `pm2 report` prints it before that of the command line. Null when the report has none. */
function daemonNode() {
  const { stdout } = spawnSync(process.execPath, [pm2, 'report'], {
    encoding: 'utf8',
    cwd: root,
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' },
  })
  return /^\s*node version\s*:\s*(\d+\.\d+\.\d+)/m.exec(stdout ?? '')?.[1] ?? null
}

// Processes of a cluster run on the daemon's Node. A daemon that an earlier version of the site started may run on one that cannot load this version.
const daemon = daemonNode()
if (daemon && !supported.isSupported(daemon)) {
  console.log(
    `PM2's daemon runs on Node ${daemon}: it is replaced, once. All its processes are stopped and started again on Node ${process.versions.node}; the site is away for some seconds meanwhile.`,
  )
  run(process.execPath, [pm2, 'update'], { cwd: root })
}
run(
  process.execPath,
  [pm2, 'startOrReload', join(root, 'ecosystem.config.js'), '--update-env', ...args],
  { cwd: root },
)
