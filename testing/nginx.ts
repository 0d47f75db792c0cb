/** Runs nginx with `deploy/nginx.conf`, adapted to the host names, ports and folders of the test. */
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request as plainRequest, type IncomingHttpHeaders } from 'node:http'
import { request as secureRequest } from 'node:https'
import { join } from 'node:path'
import { root } from './root'
import { temporaryFolder } from './site'
import { freePort } from './upstream'

export type NginxAnswer = { status: number; headers: IncomingHttpHeaders; body: string }
/** `plain`: over http. `json`: send a POST with this body. */
export type NginxQuestion = {
  host?: string
  headers?: Record<string, string>
  plain?: boolean
  method?: string
  json?: unknown
}
export type TestNginx = {
  ask: (path: string, question?: NginxQuestion) => Promise<NginxAnswer>
  stop: () => Promise<void>
}

/** Replaces what an operator would edit; throws if the text is no longer in the file. */
function adapt(text: string, changes: ReadonlyArray<readonly [RegExp, string]>): string {
  return changes.reduce((changed, [pattern, by]) => {
    if (changed.search(pattern) < 0) throw new Error(`deploy/nginx.conf has no ${pattern.source}`)
    return changed.replace(pattern, by)
  }, text)
}

/** `sites`: ports of the upstream sites. */
export async function startNginx(programs: string, sites: readonly number[]): Promise<TestNginx> {
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
  const conf = adapt(readFileSync(join(root, 'deploy', 'nginx.conf'), 'utf8'), [
    [
      /^ +server 127\.0\.0\.1:3000 (.*)$/m,
      sites.map((port) => `server 127.0.0.1:${port} $1`).join('\n'),
    ],
    [/listen 80;\n +listen \[::\]:80;/, `listen 127.0.0.1:${http};`],
    [/listen 443 ssl;\n +listen \[::\]:443 ssl;/, `listen 127.0.0.1:${https} ssl;`],
    [/www\.example\.com zh\.example\.com ru\.example\.com/g, 'localhost zh.localhost ru.localhost'],
    [/\/etc\/ssl\/site/g, folder],
    [/\/var\/cache\/nginx\/site/, join(folder, 'cache')],
  ])
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
  const child = spawn(program, args, { stdio: 'ignore' })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const ca = readFileSync(join(folder, 'fullchain.pem'), 'utf8')
  return {
    ask: (
      path,
      {
        host = 'localhost',
        headers = {},
        plain = false,
        json,
        method = json === undefined ? 'GET' : 'POST',
      } = {},
    ) =>
      new Promise((resolve, reject) => {
        const options = {
          host: '127.0.0.1',
          path,
          method,
          agent: false as const,
          headers: {
            host,
            ...(json === undefined ? {} : { 'content-type': 'application/json' }),
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
        sent.on('error', reject).end(json === undefined ? undefined : JSON.stringify(json))
      }),
    async stop() {
      child.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
