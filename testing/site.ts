/** Starts the built site on a free port with its own data folder. */
import { spawn, type ChildProcess } from 'node:child_process'
import { copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { request, type IncomingHttpHeaders } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { buildFolder, root } from './root'

export type Answer = { status: number; headers: IncomingHttpHeaders; body: string; bytes: Buffer }
export type LogLine = { level: string; msg: string } & Record<string, unknown>
export type TestSite = {
  port: number
  /** All log lines so far. */
  logs: LogLine[]
  get: (
    path: string,
    options?: { host?: string; method?: string; headers?: Record<string, string> },
  ) => Promise<Answer>
  child: ChildProcess
  dataDir: string
  stop: () => Promise<void>
}

export const hostNames = { en: 'localhost', zh: 'zh.localhost', ru: 'ru.localhost' } as const

/** A request to a port of this machine; the target is sent byte for byte, the host as a header. */
export function fetchFrom(
  port: number,
  path: string,
  {
    host = 'localhost',
    method = 'GET',
    headers = {},
  }: { host?: string; method?: string; headers?: Record<string, string> } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host: '127.0.0.1',
        port,
        path,
        method,
        headers: { host: `${host}:${port}`, ...headers },
        agent: false,
      },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () => {
          const bytes = Buffer.concat(chunks)
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: bytes.toString('utf8'),
            bytes,
          })
        })
      },
    )
    sent.on('error', reject)
    sent.end()
  })
}

export const temporaryFolder = (name: string): string =>
  mkdtempSync(join(tmpdir(), `site-${name}-`))

/**
 * Copies the starter content that `npm test` compiled once into an empty data folder, so that a site
 * compiles only what differs. Without that copy a site compiles everything, which takes seconds.
 */
export function seedContent(dataDir: string): string {
  const seed = process.env['CONTENT_SEED']
  for (const name of seed
    ? readdirSync(seed).filter((entry) => /^content-\d+\.db$/.test(entry))
    : []) {
    if (seed && !existsSync(join(dataDir, name)))
      copyFileSync(join(seed, name), join(dataDir, name))
  }
  return dataDir
}

/** `build` is the folder of another build than the one under test. */
export async function startTestSite(
  env: Record<string, string> = {},
  build = buildFolder(),
): Promise<TestSite> {
  const folder = env['DATA_DIR'] ?? temporaryFolder('data')
  // A site is ready as soon as some content is compiled; a test with its own content must not be seeded.
  const dataDir = env['CONTENT_DIR'] ? folder : seedContent(folder)
  const child = spawn(process.execPath, [join(build, 'server', 'main.js')], {
    cwd: root,
    env: {
      PATH: process.env['PATH'] ?? '',
      PORT: '0',
      HOST: '127.0.0.1',
      DATA_DIR: dataDir,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const logs: LogLine[] = []
  const errors: string[] = []
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk.toString()))
  const port = await new Promise<number>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const entry = JSON.parse(line) as LogLine
      logs.push(entry)
      if (entry.msg === 'ready') resolve(Number(entry['port']))
    })
    child.once('exit', (code) =>
      reject(
        new Error(
          `the site ended with ${code}: ${errors.join('')}${logs.map((entry) => entry.msg).join('; ')}`,
        ),
      ),
    )
  })
  return {
    port,
    logs,
    child,
    dataDir,
    get: (path, options) => fetchFrom(port, path, options),
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGTERM')
        await ended
      }
      if (!env['DATA_DIR']) rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** Repeats a check until it passes; throws its last error after `timeoutMs`. */
export async function eventually<T>(check: () => Promise<T> | T, timeoutMs = 10_000): Promise<T> {
  const end = Date.now() + timeoutMs
  for (;;) {
    try {
      return await check()
    } catch (error) {
      if (Date.now() > end) throw error
      await new Promise((resolve) => setTimeout(resolve, 25))
    }
  }
}
