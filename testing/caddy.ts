/** Runs Caddy with `deploy/Caddyfile`, adapted to the host names, ports and folders of the test. */
import { spawn } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deployFile, officeAddress } from './deploy-file'
import { releaseWithTests, temporaryFolder } from './release-with-tests'
import { eventually } from './site'
import { freePort } from './free-port'
import { rawRequest } from './raw-request'

export type TestCaddy = {
  /** The port of https. */
  port: number
  /** The port of http. */
  plainPort: number
  stop: () => Promise<void>
}

/** `site`: the port of the upstream site. `cdn`: the address of a CDN in front of Caddy. */
export async function startCaddy(programs: string, site: number, cdn?: string): Promise<TestCaddy> {
  const folder = temporaryFolder('caddy')
  const [plainPort, port] = [await freePort(), await freePort()]
  const conf = deployFile('Caddyfile', [
    [
      /^\{\n/m,
      `{
	admin off
	default_bind 127.0.0.1
	http_port ${plainPort}
	https_port ${port}
	# Certificates of Caddy's own authority.
	local_certs
	skip_install_trust
	storage file_system ${folder}
`,
    ],
    [
      /www\.example\.com, zh\.example\.com, ru\.example\.com/,
      'localhost, zh.localhost, ru.localhost',
    ],
    [/reverse_proxy 127\.0\.0\.1:3000/g, `reverse_proxy 127.0.0.1:${site}`],
    [/(@console \{[^}]*remote_ip 127\.0\.0\.1 ::1)/, `$1 ${officeAddress}`],
    [/# (trusted_proxies )203\.0\.113\.0\/24/, cdn ? `$1${cdn}` : ''],
    [/^:80, :443 /m, `:${plainPort}, :${port} `],
  ])
  const file = join(folder, 'Caddyfile')
  writeFileSync(file, conf)
  const child = releaseWithTests(
    spawn(join(programs, 'caddy'), ['run', '--config', file, '--adapter', 'caddyfile'], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { PATH: process.env['PATH'] ?? '', HOME: folder },
    }),
  )
  const messages: string[] = []
  child.stderr.on('data', (chunk: Buffer) => messages.push(chunk.toString()))
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  await eventually(async () => {
    if (child.exitCode !== null) throw new Error(`Caddy ended: ${messages.join('')}`)
    // Caddy has no certificate for a name before it has made one.
    await rawRequest(
      port,
      'GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
      'localhost',
    )
  }, 30_000)
  return {
    port,
    plainPort,
    async stop() {
      child.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
