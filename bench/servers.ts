/**
 * Starts the built site and the bare servers it is compared with, each as a process pinned to
 * cores.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, openSync, rmSync } from 'node:fs'
import { request, type IncomingHttpHeaders } from 'node:http'
import { cpus, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { buildId } from '../scripts/build-id.mjs'
import { nodeOptions } from '../scripts/node-options.cjs'
import { freePort } from '../testing/free-port'
import { operator, opsToken } from '../testing/site'
import { serverCore } from './load'

export const root = resolve(__dirname, '..')
export type Server = {
  port: number
  pid: number
  /** Time from the start to the first 200. */
  readyAfterMs: number
  stop: () => Promise<void>
}
type Answer = {
  status: number
  headers: IncomingHttpHeaders
  rawHeaders: string[]
  body: Buffer
  firstByteMs: number
}

export function get(
  port: number,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  return new Promise((done, fail) => {
    const started = performance.now()
    request(
      {
        host: '127.0.0.1',
        port,
        path,
        headers: { host: `localhost:${port}`, ...headers },
        agent: false,
      },
      (response) => {
        const firstByte = performance.now() - started
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', fail)
        response.on('end', () =>
          done({
            status: response.statusCode ?? 0,
            headers: response.headers,
            rawHeaders: response.rawHeaders,
            body: Buffer.concat(chunks),
            firstByteMs: firstByte,
          }),
        )
      },
    )
      .on('error', fail)
      .end()
  })
}

/** Waits until a path is answered with 200. Rejects when the process exits first. */
async function untilStarted(
  child: ChildProcess,
  port: number,
  path: string,
  startedAt: number,
  stop: () => Promise<void>,
): Promise<Server> {
  while (child.exitCode === null && performance.now() - startedAt < 600_000) {
    const answer = await get(port, path).catch(() => null)
    if (answer?.status === 200)
      return { port, pid: child.pid ?? 0, readyAfterMs: performance.now() - startedAt, stop }
    await sleep(5)
  }
  await stop()
  throw new Error('a server did not start')
}

const createStop =
  (child: ChildProcess, after: () => void = () => undefined) =>
  async (): Promise<void> => {
    const exited = new Promise((done) => child.once('exit', done))
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM')
      await exited
    }
    after()
  }

/** Cores for benches that are not per core, for example because the content process works too. */
export const allCores = `0-${cpus().length - 1}`

/** A build to start: the checkout `folder`, its `server/main.js` (`entry`), and the Node binary. */
export type Installation = { folder: string; entry: string; node: string }

const thisInstallation = (): Installation => ({
  folder: root,
  entry: join(root, 'dist', buildId(root), 'server', 'main.js'),
  node: process.execPath,
})

/**
 * Starts the site as `npm start` does, with the log to /dev/null and a temporary DATA_DIR by
 * default.
 */
export async function startSite(
  env: Readonly<Record<string, string>> = {},
  flags: readonly string[] = [],
  cores = String(serverCore),
  { folder, entry, node } = thisInstallation(),
): Promise<Server> {
  const port = await freePort()
  const data = env['DATA_DIR'] ?? mkdtempSync(join(tmpdir(), 'site-bench-'))
  const startedAt = performance.now()
  const child = spawn('taskset', ['-c', cores, node, ...nodeOptions, ...flags, entry], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      HOST: '127.0.0.1',
      NODE_ENV: 'production',
      OPS_TOKEN: opsToken,
      DATA_DIR: data,
      RATE_MISS: '0',
      ...env,
      PORT: String(port),
    },
    stdio: ['ignore', openSync('/dev/null', 'w'), 'inherit'],
  })
  return untilStarted(
    child,
    port,
    '/readyz',
    startedAt,
    createStop(
      child,
      () => env['DATA_DIR'] === undefined && rmSync(data, { recursive: true, force: true }),
    ),
  )
}

/** The data of a GET call below `/_ops/`. */
export async function readOps<T>({ port }: Pick<Server, 'port'>, path: string): Promise<T> {
  const { body } = await get(port, path, operator)
  return (JSON.parse(body.toString()) as { data: T }).data
}

/**
 * Waits until the site has warmed its pages (no new entry in the cache for 2 s), because warming
 * uses the same core. Returns after `timeoutMs` at the latest.
 */
export async function untilWarmed(site: Server, timeoutMs = Infinity): Promise<void> {
  const startedAt = performance.now()
  let before = -1
  for (
    let stored = 0;
    stored !== before && performance.now() - startedAt < timeoutMs;
    await sleep(2000)
  ) {
    before = stored
    stored = (await readOps<{ stored: number }>(site, '/_ops/cache?limit=0')).stored
  }
}

/** Starts a bare server of this folder (`bare-*`). It gets `argument` as JSON on standard input. */
export async function startBare(file: string, argument: unknown, path = '/'): Promise<Server> {
  const port = await freePort()
  const startedAt = performance.now()
  const child = spawn(
    'taskset',
    [
      '-c',
      String(serverCore),
      process.execPath,
      ...(file.endsWith('.tsx') ? ['--import', 'tsx'] : []),
      join(root, 'bench', file),
      String(port),
    ],
    {
      cwd: root,
      env: { PATH: process.env['PATH'], NODE_ENV: 'production' },
      stdio: ['pipe', 'ignore', 'inherit'],
    },
  )
  child.stdin?.end(JSON.stringify(argument))
  return untilStarted(child, port, path, startedAt, createStop(child))
}
