// `npm run deploy:reload`: installs and builds what is missing. Then PM2 starts the site, or
// replaces its processes one after the other without losing a request. `-- --build ID` switches to
// an existing build, for example back to the previous one. Further arguments are passed to PM2.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, run } from './prepare.mjs'
import { deploy, listBuilds, unknownBuild } from './deployed-build.mjs'
import supported from './supported-node.cjs'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const pm2 = join(root, 'node_modules', 'pm2', 'bin', 'pm2')

/** Splits the arguments into `--build ID` and those for PM2. */
function parseArguments([...args]) {
  const index = args.indexOf('--build')
  const [, id] = index < 0 ? [] : args.splice(index, 2)
  if (index >= 0 && !listBuilds(root).includes(id)) {
    console.error(unknownBuild(root, id))
    process.exit(1)
  }
  return { requestedId: id, pm2Args: args }
}

/**
 * Compiles the content if this build cannot read the compiled content of the previous one. Done
 * here, it does not count as start time of a process. If it fails (a build older than `--missing`),
 * the start of the server compiles.
 */
function compileMissingContent(buildFolder) {
  const { compiler, routes } = JSON.parse(readFileSync(join(buildFolder, 'build.json'), 'utf8'))
  const args = [
    join(buildFolder, 'server', 'content.js'),
    '--missing',
    ...['--data', resolve(root, process.env.DATA_DIR || 'data')],
    ...['--content', resolve(root, process.env.CONTENT_DIR || 'content')],
    ...['--locales', join(root, 'locales')],
    ...['--public', join(root, 'public')],
    ...['--compiler', compiler],
    // Builds before 2026-11-27 have none.
    ...(routes ? ['--routes', routes] : []),
  ]
  spawnSync(process.execPath, args, { stdio: ['ignore', 'inherit', 'ignore'] })
}

/**
 * Version of Node of the PM2 daemon, or null if the report has none. `pm2 report` prints it before
 * the version of the command line.
 */
function daemonNode() {
  const { stdout } = spawnSync(process.execPath, [pm2, 'report'], {
    encoding: 'utf8',
    cwd: root,
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' },
  })
  return /^\s*node version\s*:\s*(\d+\.\d+\.\d+)/m.exec(stdout ?? '')?.[1] ?? null
}

/**
 * Cluster processes run on the daemon's Node. A daemon that an earlier version of the site started
 * may run on a Node that cannot load this version.
 */
function updateDaemon() {
  const version = daemonNode()
  if (!version || supported.isSupported(version)) return
  console.log(
    `PM2's daemon runs on Node ${version}: it is replaced, once. All its processes are restarted on Node ${process.versions.node}; the site is unavailable for some seconds.`,
  )
  run(process.execPath, [pm2, 'update'], { cwd: root })
}

const { requestedId, pm2Args } = parseArguments(process.argv.slice(2))
const id = requestedId ?? basename(build(root))
deploy(root, id)
console.log(`build ${id}`)
// PM2's daemon writes a log into DATA_DIR, which is for the site's user alone
// (server/db/data-folder.ts).
process.umask(0o077)
compileMissingContent(join(root, 'dist', id))
updateDaemon()
const ecosystem = join(root, 'ecosystem.config.js')
run(process.execPath, [pm2, 'startOrReload', ecosystem, '--update-env', ...pm2Args], { cwd: root })
