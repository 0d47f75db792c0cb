// `npm run deploy:reload`: installs and builds what is missing. Then PM2 starts the site, or
// replaces its processes one after the other without losing a request. `-- --build ID` switches to
// an existing build, for example back to the previous one. Further arguments are passed to PM2.
// A build that does not start changes nothing; one that does not serve under PM2 is replaced by the
// previous build. Both exit with 1.
import { fork, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3'
import { build } from './prepare.mjs'
import { deploy, deployedBuild, listBuilds, unknownBuild } from './deployed-build.mjs'
import supported from './supported-node.cjs'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const pm2 = join(root, 'node_modules', 'pm2', 'bin', 'pm2')
const ecosystem = join(root, 'ecosystem.config.js')
const [app] = createRequire(import.meta.url)(ecosystem).apps
const dataDir = resolve(root, process.env.DATA_DIR || 'data')
/** The site ends a start itself whose first compile takes 10 minutes (server/start-site.ts). */
const trialTimeoutMs = 11 * 60_000
const servingTimeoutMs = 30_000

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
    ...['--data', dataDir],
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
 * may run on a Node that cannot load this version. Returns whether it can now.
 */
function updateDaemon() {
  const version = daemonNode()
  if (!version || supported.isSupported(version)) return true
  console.log(
    `PM2's daemon runs on Node ${version}: it is replaced, once. All its processes are restarted on Node ${process.versions.node}; the site is unavailable for some seconds.`,
  )
  const { status } = spawnSync(process.execPath, [pm2, 'update'], { cwd: root, stdio: 'inherit' })
  return status === 0
}

/** Copies the compiled content, so that the trial start does not compile it again. */
async function copyContent(folder) {
  if (!existsSync(dataDir)) return
  for (const name of readdirSync(dataDir).filter((file) => /^content-\d+\.db$/.test(file))) {
    // Not a copy of the file: a running site may be writing to it.
    const database = new Database(join(dataDir, name), { readonly: true })
    await database.backup(join(folder, name))
    database.close()
  }
}

/**
 * Starts the build once, beside the running site, and stops it. Returns null when it became ready,
 * else the last lines of its output. PM2 does not try a build first: it stops the old process after
 * `listen_timeout`, whether or not the new one is ready.
 */
async function tryBuild(buildFolder) {
  const folder = mkdtempSync(join(tmpdir(), 'site-trial-'))
  await copyContent(folder)
  const child = fork(join(buildFolder, 'server', 'main.js'), [], {
    cwd: root,
    execArgv: app.node_args,
    silent: true,
    timeout: trialTimeoutMs,
    env: {
      ...process.env,
      ...app.env,
      PORT: '0',
      DATA_DIR: folder,
      LOG_FILE: '',
      // It changes no database, shares no pages and announces none.
      DATABASE_URL: '',
      REDIS_URL: '',
      INDEXNOW_KEY: '',
    },
  })
  let output = ''
  let isReady = false
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk
    })
  child.on('message', (message) => {
    isReady ||= message === 'ready'
    child.kill()
  })
  await new Promise((done) => child.once('close', done))
  rmSync(folder, { recursive: true, force: true })
  return isReady ? null : output.trimEnd().split('\n').slice(-10).join('\n')
}

/** PM2's processes, or null if its answer cannot be read. */
function listProcesses() {
  const { stdout } = spawnSync(process.execPath, [pm2, 'jlist', '--silent'], {
    encoding: 'utf8',
    maxBuffer: Infinity,
  })
  try {
    return JSON.parse(stdout.slice(stdout.indexOf('[')))
  } catch {
    return null
  }
}

/** Whether the site answers on its port, and PM2 has no process that failed. */
async function isServing() {
  const { HOST: host } = app.env
  const address = /^(?:0\.0\.0\.0|::)$/.test(host) ? '127.0.0.1' : host
  const url = `http://${address.includes(':') ? `[${address}]` : address}:${process.env.PORT || 3000}/readyz`
  const isAnswering = await fetch(url, { signal: AbortSignal.timeout(3000) }).then(
    ({ ok }) => ok,
    () => false,
  )
  // Asked second, because a command of PM2 takes 0.3 s of the processor.
  if (!isAnswering) return false
  const processes = listProcesses()
  if (processes === null) return false
  return processes
    .filter(({ name }) => name === app.name)
    .every(({ pm2_env }) => pm2_env.status === 'online')
}

/** Has PM2 start or replace the processes. Returns whether the site then serves. */
async function reload() {
  const args = [pm2, 'startOrReload', ecosystem, ...pm2Args]
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' })
  const end = Date.now() + servingTimeoutMs
  while (status === 0 && Date.now() < end) {
    if (await isServing()) return true
    await sleep(500)
  }
  return false
}

function fail(message) {
  console.error(message)
  process.exit(1)
}

const { requestedId, pm2Args } = parseArguments(process.argv.slice(2))
const previousId = deployedBuild(root)
const id = requestedId ?? basename(build(root))
console.log(`build ${id}`)
// PM2's daemon writes a log into DATA_DIR, which is for the site's user alone
// (server/db/data-folder.ts).
process.umask(0o077)
compileMissingContent(join(root, 'dist', id))
const failure = await tryBuild(join(root, 'dist', id))
if (failure !== null) fail(`${failure}\nthis build does not start; nothing was changed`)
deploy(root, id)
if (!updateDaemon() || !(await reload())) {
  if (previousId === null || previousId === id)
    fail('the site does not serve: read pm2.log and site.log in DATA_DIR/logs')
  console.error(`the site does not serve with build ${id}: back to build ${previousId}`)
  deploy(root, previousId)
  fail((await reload()) ? 'the previous build serves again' : 'the previous build does not serve')
}
