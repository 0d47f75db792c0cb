/**
 * Runs nginx with `deploy/nginx.conf`, adapted to the host names, ports and folders of the test.
 */
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request as plainRequest, type IncomingHttpHeaders } from 'node:http'
import { request as secureRequest } from 'node:https'
import { join } from 'node:path'
import { deployFile, officeAddress } from './deploy-file'
import { releaseWithTests, temporaryFolder } from './release-with-tests'
import { freePort } from './free-port'

export type NginxAnswer = { status: number; headers: IncomingHttpHeaders; body: string }
/** `plain`: over http. `json`, `form`: send a POST with this body; a form is encoded already. */
type NginxQuestion = {
  host?: string
  headers?: Record<string, string>
  plain?: boolean
  method?: string
  json?: unknown
  form?: string
}
export type TestNginx = {
  /** The port of https. */
  port: number
  /** The port of http. */
  plainPort: number
  ask: (path: string, question?: NginxQuestion) => Promise<NginxAnswer>
  stop: () => Promise<void>
}

/** `sites`: ports of the upstream sites. `cdn`: the address of a CDN in front of nginx. */
export async function startNginx(
  programs: string,
  sites: readonly number[],
  cdn?: string,
): Promise<TestNginx> {
  const program = join(programs, 'nginx')
  const folder = temporaryFolder('nginx')
  const [http, https] = [await freePort(), await freePort()]
  execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-days',
      '2',
      '-subj',
      '/CN=localhost',
      '-addext',
      'subjectAltName=DNS:localhost,DNS:zh.localhost,DNS:ru.localhost',
      '-keyout',
      join(folder, 'privkey.pem'),
      '-out',
      join(folder, 'fullchain.pem'),
    ],
    { stdio: 'ignore' },
  )
  const conf = deployFile('nginx.conf', [
    [
      /^ +server 127\.0\.0\.1:3000 (.*)$/m,
      sites.map((port) => `server 127.0.0.1:${port} $1`).join('\n'),
    ],
    [/^ +listen \[::\]:.*\n/gm, ''],
    [/listen 80\b/g, `listen 127.0.0.1:${http}`],
    [/listen 443\b/g, `listen 127.0.0.1:${https}`],
    [/www\.example\.com zh\.example\.com ru\.example\.com/g, 'localhost zh.localhost ru.localhost'],
    [/\/etc\/ssl\/site/g, folder],
    [/\/var\/cache\/nginx\/site/, join(folder, 'cache')],
    [/# (allow )203\.0\.113\.7;/, `$1${officeAddress};`],
    [/# (include )\/etc\/nginx\/cdn-ranges.conf;/, cdn ? `$1${join(folder, 'cdn')};` : ''],
  ])
  writeFileSync(join(folder, 'cdn'), `allow ${cdn ?? 'all'};\ndeny all;\n`)
  mkdirSync(join(folder, 'temp'))
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((kind) => `${kind}_temp_path ${join(folder, 'temp', kind)};`)
    .join(' ')
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  const main = join(folder, 'nginx.conf')
  writeFileSync(
    main,
    `${user} daemon off; master_process off; pid ${join(folder, 'pid')}; error_log stderr error;\nevents {}\nhttp { access_log off; ${temporary}\n${conf}\n}\n`,
  )
  const args = ['-c', main, '-p', folder]
  execFileSync(program, ['-t', ...args], { stdio: 'pipe' })
  const child = releaseWithTests(spawn(program, args, { stdio: 'ignore' }))
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const ca = readFileSync(join(folder, 'fullchain.pem'), 'utf8')
  return {
    port: https,
    plainPort: http,
    ask: (
      path,
      {
        host = 'localhost',
        headers = {},
        plain = false,
        json,
        form,
        method = json === undefined && form === undefined ? 'GET' : 'POST',
      } = {},
    ) =>
      new Promise((resolve, reject) => {
        const content = form ?? (json === undefined ? undefined : JSON.stringify(json))
        const type = form === undefined ? 'application/json' : 'application/x-www-form-urlencoded'
        const options = {
          host: '127.0.0.1',
          path,
          method,
          agent: false as const,
          headers: {
            host,
            ...(content === undefined ? {} : { 'content-type': type }),
            ...headers,
          },
        }
        const sent = plain
          ? plainRequest({ ...options, port: http })
          : secureRequest({ ...options, port: https, servername: host, ca })
        sent.on('response', (response) => {
          let body = ''
          response
            .on('data', (chunk: Buffer) => (body += chunk.toString('latin1')))
            .on('error', reject)
            .on('end', () =>
              resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
            )
        })
        sent.on('error', reject).end(content)
      }),
    async stop() {
      child.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
