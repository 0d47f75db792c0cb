/**
 * Programs that tests need besides Node. They are looked up on the PATH and in Debian's folders,
 * and installed when missing and possible.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

type DebianProgram = {
  /** Executables; one folder must hold all of them. */
  files: readonly string[]
  package: string
  /** Folders that Debian uses, besides the PATH. */
  folders: () => string[]
}

const postgresHome = '/usr/lib/postgresql'
const programs = {
  caddy: { files: ['caddy'], package: 'caddy', folders: () => ['/usr/bin'] },
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
  systemd: { files: ['systemd-analyze'], package: 'systemd', folders: () => ['/usr/bin'] },
  redis: { files: ['redis-server'], package: 'redis-server', folders: () => ['/usr/bin'] },
  // No program, but installed in the same way: the schema of XLIFF by OASIS.
  xliffSchema: {
    files: ['xliff-core-2.0.xsd', 'xml.xsd'],
    package: 'php-symfony-translation',
    folders: () => ['/usr/share/php/Symfony/Component/Translation/Resources/schemas'],
  },
} as const satisfies Record<string, DebianProgram>

export type ProgramName = keyof typeof programs

function find({ files, folders }: DebianProgram): string | null {
  const all = [...(process.env['PATH'] ?? '').split(':'), ...folders()]
  return (
    all.find((folder) => folder !== '' && files.every((file) => existsSync(join(folder, file)))) ??
    null
  )
}

/** Time limit for waiting on another installation: another test worker, or a system update. */
const lockTimeoutSeconds = 300
/**
 * One worker installs, the others then find the program. `apt-get update` does not wait for its
 * lock, so it is retried.
 */
const installation = `dpkg -s "$1" >/dev/null 2>&1 && exit 0
for try in 1 2 3 4 5 6; do apt-get update && break; sleep 5; done
apt-get -o DPkg::Lock::Timeout=${lockTimeoutSeconds} install -y --no-install-recommends "$1"`

function install({ package: name }: DebianProgram): void {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return
  try {
    execFileSync(
      'flock',
      [
        '--wait',
        String(lockTimeoutSeconds),
        join(tmpdir(), 'site-tests-apt.lock'),
        'sh',
        '-c',
        installation,
        'sh',
        name,
      ],
      {
        stdio: 'ignore',
        timeout: 2 * lockTimeoutSeconds * 1000,
        env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      },
    )
  } catch {
    // The caller reports that the program is missing.
  }
}

/** The folder of a program, or the reason why it is missing. */
export function debianProgram(name: ProgramName): { folder: string } | { missing: string } {
  const program: DebianProgram = programs[name]
  if (!find(program)) install(program)
  const folder = find(program)
  return folder ? { folder } : { missing: `${program.package} is not installed and could not be` }
}

/** The folder of a program; throws when it is missing. */
export function needProgram(name: ProgramName): string {
  const found = debianProgram(name)
  if ('missing' in found) throw new Error(found.missing)
  return found.folder
}
