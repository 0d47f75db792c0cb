/** A private PostgreSQL server on a free port, started from the PATH or Debian's folders; installed first where that is possible. */
import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'

export type PostgresServer = { /** A fresh, empty database. */ makeDatabase: () => Promise<string>; stop: () => void }

const isRoot = process.getuid?.() === 0

function findPrograms(): string | null {
  const folders = [...(process.env['PATH'] ?? '').split(':'), ...(existsSync('/usr/lib/postgresql') ? readdirSync('/usr/lib/postgresql').sort((a, b) => Number(b) - Number(a)).map((version) => `/usr/lib/postgresql/${version}/bin`) : [])]
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres'))) ?? null
}

function install(): void {
  if (!isRoot || !existsSync('/usr/bin/apt-get')) return
  try {
    execFileSync('apt-get', ['update'], { stdio: 'ignore', timeout: 120_000 })
    execFileSync('apt-get', ['install', '-y', '--no-install-recommends', 'postgresql'], { stdio: 'ignore', timeout: 300_000, env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } })
  } catch {
    // Reported below: the programs are still not there.
  }
}

const freePort = (): Promise<number> => new Promise((done) => {
  const server = createServer().listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo
    server.close(() => done(port))
  })
})

/** The folder of PostgreSQL's programs, or why there is none. */
export function postgresPrograms(): { folder: string } | { missing: string } {
  if (!findPrograms()) install()
  const folder = findPrograms()
  return folder ? { folder } : { missing: 'PostgreSQL is not installed (initdb and postgres are neither on the PATH nor in /usr/lib/postgresql)' }
}

export async function startPostgres(folder: string): Promise<PostgresServer> {
  const home = mkdtempSync(join(tmpdir(), 'site-postgres-'))
  const data = join(home, 'data')
  const port = await freePort()
  // PostgreSQL refuses to run as root.
  const as = (command: string, args: string[]): [string, string[]] => (isRoot ? ['setpriv', ['--reuid=postgres', '--regid=postgres', '--clear-groups', command, ...args]] : [command, args])
  if (isRoot) {
    execFileSync('chown', ['postgres', home])
    chmodSync(home, 0o700)
  }
  execFileSync(...as(join(folder, 'initdb'), ['-D', data, '-U', 'postgres', '--auth=trust', '-E', 'UTF8', '--no-sync']), { stdio: 'ignore' })
  const server = spawn(...as(join(folder, 'postgres'), ['-D', data, '-p', String(port), '-c', 'listen_addresses=127.0.0.1', '-c', `unix_socket_directories=${home}`]), { stdio: 'ignore' })
  const run = async (sql: string): Promise<void> => {
    const client = new pg.Client({ host: '127.0.0.1', port, user: 'postgres', database: 'postgres' })
    try {
      await client.connect()
      await client.query(sql)
    } finally {
      await client.end().catch(() => undefined)
    }
  }
  for (let tries = 0; ; tries += 1) {
    try {
      await run('select 1')
      break
    } catch (error) {
      if (tries > 300) throw error
      await new Promise((done) => setTimeout(done, 100))
    }
  }
  let databases = 0
  return {
    async makeDatabase() {
      const name = `site_${(databases += 1)}`
      await run(`create database ${name}`)
      return `postgres://postgres@127.0.0.1:${port}/${name}`
    },
    stop() {
      server.kill('SIGINT')
      server.once('exit', () => rmSync(home, { recursive: true, force: true }))
    },
  }
}
