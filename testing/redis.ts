/** A private Redis server on loopback without persistence. */
import { spawn, type ChildProcess } from 'node:child_process'
import { rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { releaseWithTests } from './release-with-tests'
import { temporaryFolder } from './release-with-tests'
import { freePort } from './free-port'

export type RedisServer = {
  url: string
  port: number
  child: ChildProcess
  /** Resolves when the process has ended. */
  stop: () => Promise<void>
}

/** `port`: reuse the port of an earlier server. */
export async function startRedis(programs: string, port?: number): Promise<RedisServer> {
  const folder = temporaryFolder('redis')
  const own = port ?? (await freePort())
  const child = spawn(
    join(programs, 'redis-server'),
    [
      '--port',
      String(own),
      '--bind',
      '127.0.0.1',
      '--save',
      '',
      '--appendonly',
      'no',
      '--dir',
      folder,
    ],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  )
  releaseWithTests(child)
  await new Promise<void>((resolve, reject) => {
    child.stdout.on(
      'data',
      (chunk: Buffer) => /Ready to accept connections/.test(chunk.toString()) && resolve(),
    )
    child.once('exit', (code) => reject(new Error(`Redis ended with ${code}`)))
  })
  return {
    url: `redis://127.0.0.1:${own}`,
    port: own,
    child,
    async stop() {
      if (child.exitCode === null && child.signalCode === null) {
        const ended = new Promise((resolve) => child.once('exit', resolve))
        child.kill('SIGKILL')
        await ended
      }
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Replies that are not valid Redis: another protocol, invalid numbers, impossible lengths. */
const nonsense = [
  'HTTP/1.1 200 OK\r\n:-(\r\n*-9\r\n',
  '+OK\r\n',
  '$-7\r\nxx',
  ':999999999999999999999\r\n*1\r\n',
  Buffer.from([0, 255, 13, 10, 36, 57, 57, 13, 10]),
]

/**
 * A server that replies to everything with garbage, a different kind each time. Also used as a
 * false PostgreSQL.
 */
export async function startNonsense(
  port = 0,
): Promise<{ port: number; stop: () => Promise<void> }> {
  let turn = 0
  const sockets = new Set<{ destroy: () => void }>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket
      .on('error', () => undefined)
      .on('data', () => socket.write(nonsense[(turn += 1) % nonsense.length] ?? ''))
  })
  await new Promise<void>((resolve, reject) =>
    server.once('error', reject).listen(port, '127.0.0.1', resolve),
  )
  const address = server.address()
  return {
    port: typeof address === 'object' ? (address?.port ?? 0) : 0,
    stop: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      }),
  }
}
