/** Programs that tests need besides Node: found on the PATH or in Debian's folders, installed first where that is possible. */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

type DebianProgram = {
  /** All of them are in its folder. */ files: readonly string[]
  package: string
  /** Where Debian puts it, besides the PATH. */ folders: () => string[]
}

const postgresHome = '/usr/lib/postgresql'
const programs = {
  nginx: { files: ['nginx'], package: 'nginx-light', folders: () => ['/usr/sbin'] },
  postgres: {
    files: ['initdb', 'postgres'],
    package: 'postgresql',
    folders: () =>
      existsSync(postgresHome)
        ? readdirSync(postgresHome)
            .sort((a, b) => Number(b) - Number(a))
            .map((version) => join(postgresHome, version, 'bin'))
        : [],
  },
  redis: { files: ['redis-server'], package: 'redis-server', folders: () => ['/usr/bin'] },
} as const satisfies Record<string, DebianProgram>

export type ProgramName = keyof typeof programs

function find({ files, folders }: DebianProgram): string | null {
  const all = [...(process.env['PATH'] ?? '').split(':'), ...folders()]
  return (
    all.find((folder) => folder !== '' && files.every((file) => existsSync(join(folder, file)))) ??
    null
  )
}

/** How long one may wait for others who install (s): another worker of these tests, or the system's own updates. */
const patience = 300
/** One worker installs; the next one finds it done. `apt-get update` does not wait for its own lock, so it is tried again. */
const installation = `dpkg -s "$1" >/dev/null 2>&1 && exit 0
for try in 1 2 3 4 5 6; do apt-get update && break; sleep 5; done
apt-get -o DPkg::Lock::Timeout=${patience} install -y --no-install-recommends "$1"`

function install({ package: name }: DebianProgram): void {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return
  try {
    execFileSync(
      'flock',
      [
        '--wait',
        String(patience),
        join(tmpdir(), 'site-tests-apt.lock'),
        'sh',
        '-c',
        installation,
        'sh',
        name,
      ],
      {
        stdio: 'ignore',
        timeout: 2 * patience * 1000,
        env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      },
    )
  } catch {
    // Whoever asks hears that it is missing.
  }
}

/** The folder of a program, or why there is none. */
export function debianProgram(name: ProgramName): { folder: string } | { missing: string } {
  const program: DebianProgram = programs[name]
  if (!find(program)) install(program)
  const folder = find(program)
  return folder ? { folder } : { missing: `${program.package} is not installed and could not be` }
}

/** For trials that end without it. */
export function needProgram(name: ProgramName): string {
  const found = debianProgram(name)
  if ('missing' in found) throw new Error(found.missing)
  return found.folder
}
