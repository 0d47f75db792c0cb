/** Starts what is measured, each as one process pinned to one core: the built site, and bare servers to compare it with. */
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, openSync, rmSync } from 'node:fs'
import { request, type IncomingHttpHeaders } from 'node:http'
import { createServer } from 'node:net'
import { cpus, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { buildId } from '../scripts/build-id.mjs'
import { serverCore } from './load'

export const root = resolve(__dirname, '..')
export type Server = {
  port: number
  pid: number
  /** ms from start to the first answer. */ readyAfter: number
  stop: () => Promise<void>
}
export type Answer = {
  status: number
  headers: IncomingHttpHeaders
  rawHeaders: string[]
  body: Buffer
  /** ms to the first byte. */ firstByte: number
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
            firstByte,
          }),
        )
      },
    )
      .on('error', fail)
      .end()
  })
}

export const freePort = (): Promise<number> =>
  new Promise((done) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => done(typeof address === 'object' && address ? address.port : 0))
    })
  })

export const sleep = (milliseconds: number): Promise<void> =>
  new Promise((done) => setTimeout(done, milliseconds))

/** Waits for a path to answer 200; ends with an error when the process does. */
async function started(
  child: ChildProcess,
  port: number,
  path: string,
  since: number,
  ends: () => Promise<void>,
): Promise<Server> {
  while (child.exitCode === null && performance.now() - since < 600_000) {
    const answer = await get(port, path).catch(() => null)
    if (answer?.status === 200)
      return { port, pid: child.pid ?? 0, readyAfter: performance.now() - since, stop: ends }
    await sleep(5)
  }
  await ends()
  throw new Error('a server did not start')
}

const ender =
  (child: ChildProcess, after: () => void = () => undefined) =>
  async (): Promise<void> => {
    const gone = new Promise((done) => child.once('exit', done))
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM')
      await gone
    }
    after()
  }

/** Cores for a site that is not compared per core: its content process has work of its own. */
export const allCores = `0-${cpus().length - 1}`

/** What is started: a build (`entry` is its `server/main.js`) in the checkout `folder`, by the binary `node`. */
export type Installation = { folder: string; entry: string; node: string }

const thisInstallation = (): Installation => ({
  folder: root,
  entry: join(root, 'dist', buildId(root), 'server', 'main.js'),
  node: process.execPath,
})

/** The site as `npm start` runs it, log to /dev/null. `DATA_DIR` is a folder of its own unless one is given. */
export async function startSite(
  env: Readonly<Record<string, string>> = {},
  flags: readonly string[] = [],
  cores = String(serverCore),
  { folder, entry, node } = thisInstallation(),
): Promise<Server> {
  const port = await freePort()
  const data = env['DATA_DIR'] ?? mkdtempSync(join(tmpdir(), 'site-bench-'))
  const since = performance.now()
  const child = spawn('taskset', ['-c', cores, node, ...flags, entry], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      HOST: '127.0.0.1',
      NODE_ENV: 'production',
      OPS_TOKEN: opsToken,
      DATA_DIR: data,
      ...env,
      PORT: String(port),
    },
    stdio: ['ignore', openSync('/dev/null', 'w'), 'inherit'],
  })
  return started(
    child,
    port,
    '/readyz',
    since,
    ender(
      child,
      () => env['DATA_DIR'] === undefined && rmSync(data, { recursive: true, force: true }),
    ),
  )
}

/** Token of a measured site's `/_ops`. */
export const opsToken = 'bench'

/** What an operator reads at `/_ops/…`. */
export async function askOps<T>({ port }: Pick<Server, 'port'>, path: string): Promise<T> {
  const { body } = await get(port, path, { authorization: `Bearer ${opsToken}` })
  return (JSON.parse(body.toString()) as { data: T }).data
}

/** Waits until the warming of pages, which takes its time on the same core, is over: nothing new is stored for 2 s. Returns after `timeoutMs` at the latest. */
export async function warmed(site: Server, timeoutMs = Infinity): Promise<void> {
  const since = performance.now()
  let before = -1
  for (
    let stored = 0;
    stored !== before && performance.now() - since < timeoutMs;
    await sleep(2000)
  ) {
    before = stored
    stored = (await askOps<{ stored: number }>(site, '/_ops/cache?limit=0')).stored
  }
}

/** A bare server of this folder (`bare-*`), its settings as JSON on standard input. */
export async function startBare(file: string, argument: unknown, path = '/'): Promise<Server> {
  const port = await freePort()
  const since = performance.now()
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
  return started(child, port, path, since, ender(child))
}
