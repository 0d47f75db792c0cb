/** A private Redis server on a free port, started from the PATH; installed first where that is possible. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe } from '@jest/globals'
import { temporaryFolder } from './site'
import { freePort } from './upstream'

export type RedisServer = { url: string; child: ChildProcess; stop: () => void }

const find = (): string | null => (process.env['PATH'] ?? '').split(':').concat('/usr/bin').map((folder) => join(folder, 'redis-server')).find((file) => existsSync(file)) ?? null

function install(): void {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return
  try {
    execFileSync('apt-get', ['update'], { stdio: 'ignore', timeout: 120_000 })
    execFileSync('apt-get', ['install', '-y', '--no-install-recommends', 'redis-server'], { stdio: 'ignore', timeout: 300_000, env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } })
  } catch {
    // Reported below: the program is still not there.
  }
}

async function start(program: string): Promise<RedisServer> {
  const folder = temporaryFolder('redis')
  const port = await freePort()
  const child = spawn(program, ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder], { stdio: ['ignore', 'pipe', 'ignore'] })
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => /Ready to accept connections/.test(chunk.toString()) && resolve())
    child.once('exit', (code) => reject(new Error(`Redis ended with ${code}`)))
  })
  return {
    url: `redis://127.0.0.1:${port}`, child,
    stop() {
      child.once('exit', () => rmSync(folder, { recursive: true, force: true }))
      child.kill('SIGKILL')
    },
  }
}

/** Declares tests that need Redis. Without one they are skipped by name and with the reason; under CI that fails. */
export function describeWithRedis(name: string, tests: (start: () => Promise<RedisServer>) => void): void {
  if (!find()) install()
  const program = find()
  const declare = program || process.env['CI'] === 'true' ? describe : describe.skip
  declare(`${name}${program ? '' : ' (skipped: redis-server is not installed)'}`, () => tests(async () => {
    if (!program) throw new Error('redis-server is not installed')
    return start(program)
  }))
}
