/** A private PostgreSQL server on loopback. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { childrenOf, stateOf } from './processes'
import { releaseWithTests, temporaryFolder } from './release-with-tests'
import { freePort } from './free-port'

export type PostgresServer = {
  port: number
  /** A fresh, empty database. */
  makeDatabase: () => Promise<string>
  /** Kills all its processes at once, as in a power failure; resolves when they have ended. */
  kill: () => Promise<void>
  /** Starts it again on the same port and data, after `kill`. */
  again: () => Promise<void>
  /** SIGSTOP and SIGCONT for the server and its connection processes. */
  signal: (signal: 'SIGSTOP' | 'SIGCONT') => void
  stop: () => Promise<void>
}

const isRoot = process.getuid?.() === 0

function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal)
    } catch {
      // The process has already ended.
    }
  }
}

/**
 * Suspends a server, then lists its children: while it runs, it could start another one meanwhile.
 */
function stopped(pid: number): number[] {
  signalAll([pid], 'SIGSTOP')
  for (const until = Date.now() + 1000; Date.now() < until;) if (stateOf(pid) === 'T') break
  return childrenOf(pid)
}

/** `keptFolder`: for data that a later start finds again; without it everything is deleted. */
export async function startPostgres(
  programs: string,
  keptFolder?: string,
): Promise<PostgresServer> {
  const home = keptFolder ?? temporaryFolder('postgres')
  mkdirSync(home, { recursive: true })
  const data = join(home, 'data')
  const port = await freePort()
  // PostgreSQL refuses to run as root.
  const as = (command: string, args: string[]): [string, string[]] =>
    isRoot
      ? ['setpriv', ['--reuid=postgres', '--regid=postgres', '--clear-groups', command, ...args]]
      : [command, args]
  if (isRoot) {
    execFileSync('chown', ['postgres', home])
    chmodSync(home, 0o700)
  }
  if (!existsSync(data)) {
    execFileSync(
      ...as(join(programs, 'initdb'), [
        '-D',
        data,
        '-U',
        'postgres',
        '--auth=trust',
        '-E',
        'UTF8',
        '--no-sync',
      ]),
      { stdio: 'ignore' },
    )
    // The user `locked` needs a password; all others are trusted.
    const rules = join(data, 'pg_hba.conf')
    writeFileSync(
      rules,
      `host all locked 127.0.0.1/32 scram-sha-256\n${readFileSync(rules, 'utf8')}`,
    )
  }

  const run = async (sql: string): Promise<void> => {
    const client = new pg.Client({
      host: '127.0.0.1',
      port,
      user: 'postgres',
      database: 'postgres',
    })
    try {
      await client.connect()
      await client.query(sql)
    } finally {
      await client.end().catch(() => undefined)
    }
  }
  async function launch(): Promise<ChildProcess> {
    const child = spawn(
      ...as(join(programs, 'postgres'), [
        '-D',
        data,
        '-p',
        String(port),
        '-c',
        'listen_addresses=127.0.0.1',
        '-c',
        `unix_socket_directories=${home}`,
      ]),
      { stdio: 'ignore' },
    )
    releaseWithTests(child)
    for (let tries = 0; ; tries += 1) {
      try {
        await run('select 1')
        return child
      } catch (error) {
        if (tries > 300) throw error
        await new Promise((done) => setTimeout(done, 100))
      }
    }
  }
  let server = await launch()
  let databases = 0

  async function end(signal: 'SIGINT' | 'SIGKILL'): Promise<void> {
    if (server.exitCode !== null || server.signalCode !== null) return
    const ended = new Promise((resolve) => server.once('exit', resolve))
    const pid = server.pid ?? 0
    if (signal === 'SIGKILL') signalAll([pid, ...stopped(pid)], signal)
    else {
      // A test may have failed while the server was suspended.
      signalAll([pid, ...childrenOf(pid)], 'SIGCONT')
      server.kill(signal)
    }
    await ended
  }
  return {
    port,
    async makeDatabase() {
      const name = `site_${(databases += 1)}`
      await run(`create database ${name}`)
      return `postgres://postgres@127.0.0.1:${port}/${name}`
    },
    kill: () => end('SIGKILL'),
    async again() {
      server = await launch()
    },
    signal(signal) {
      const pid = server.pid ?? 0
      if (signal === 'SIGSTOP') signalAll(stopped(pid), signal)
      else signalAll([...childrenOf(pid), pid], signal)
    },
    async stop() {
      await end('SIGINT')
      if (keptFolder === undefined) rmSync(home, { recursive: true, force: true })
    },
  }
}
