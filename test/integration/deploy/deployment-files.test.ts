import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { request } from 'node:https'
import { join, matchesGlob } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { parse } from 'yaml'
import { nodeOptions } from '../../../scripts/node-options.cjs'
import { describeWith } from '../../../testing/describe-with'
import { officeAddress } from '../../../testing/deploy-file'
import { startCaddy, type TestCaddy } from '../../../testing/caddy'
import { startNginx, type TestNginx } from '../../../testing/nginx'
import { rawRequest } from '../../../testing/raw-request'
import { root } from '../../../testing/root'
import { eventually, operator, opsToken, startTestSite, type TestSite } from '../../../testing/site'

const read = (name: string): string => readFileSync(join(root, 'deploy', name), 'utf8')

/** The variables of `Environment=` lines of a unit, or of `ENV` lines of a Dockerfile. */
const environmentOf = (name: string): Record<string, string> =>
  Object.fromEntries(
    [...read(name).matchAll(/^(?:Environment=|ENV )(.*)$/gm)].flatMap(([, line = '']) =>
      line.split(' ').map((pair): [string, string] => {
        const [variable = '', value = ''] = pair.split('=')
        return [variable, value]
      }),
    ),
  )
/** The variables that PM2 sets, when `npm run deploy:reload` runs with these settings. */
const pm2Environment = (settings: Record<string, string> = {}): Record<string, string> =>
  JSON.parse(
    execFileSync(
      process.execPath,
      ['-p', "JSON.stringify(require('./ecosystem.config.js').apps[0].env)"],
      { cwd: root, env: { PATH: process.env['PATH'] ?? '', ...settings }, encoding: 'utf8' },
    ),
  ) as Record<string, string>

describe('a site that trusts its proxy', () => {
  const warning = /TRUST_PROXY=1, but the site listens on all interfaces/
  const warnings = ({ logs }: TestSite): string[] =>
    logs.flatMap(({ level, msg }) => (level === 'warn' && warning.test(msg) ? [msg] : []))
  // A socket on all interfaces also answers on 127.0.0.2; one on 127.0.0.1 does not.
  const forge = (site: TestSite): Promise<string> =>
    site
      .get('/api/sys/config/ip/get-visitor-ip', {
        address: '127.0.0.2',
        headers: { 'x-forwarded-for': '8.8.8.8' },
      })
      .then(
        ({ body }) => (JSON.parse(body) as { data: { ip: string } }).data.ip,
        (error: NodeJS.ErrnoException) => error.code ?? error.message,
      )

  it.each(['package.json', 'deploy/site.service', 'deploy/Dockerfile'])(
    '%s starts the site with its options of Node',
    (file) => {
      const command = /^(?:ExecStart=|CMD |    "start": ).*$/m
      const [line = ''] = command.exec(readFileSync(join(root, file), 'utf8')) ?? []
      for (const option of nodeOptions) expect(line).toContain(option)
    },
  )

  it('started by systemd or PM2, cannot be reached past the proxy, where a visitor could forge an address', async () => {
    const HOST = '127.0.0.1'
    for (const environment of [environmentOf('site.service'), pm2Environment()])
      expect(environment['HOST']).toBe(HOST)
    const site = await startTestSite({ TRUST_PROXY: '1', HOST })
    const answer = await forge(site)
    await site.stop()
    expect([answer, warnings(site)]).toEqual(['ECONNREFUSED', []])
  })

  it('listens where HOST says, if the operator sets it', () => {
    expect(pm2Environment({ HOST: '10.0.0.2' })['HOST']).toBe('10.0.0.2')
    // Variables of this file replace those of `Environment=`.
    expect(read('site.service')).toMatch(/^EnvironmentFile=/m)
  })

  it('warns at start when it listens on all interfaces', async () => {
    const site = await startTestSite({ TRUST_PROXY: '1', HOST: '0.0.0.0' })
    await site.stop()
    expect(warnings(site)).toEqual([expect.stringContaining('set HOST to 127.0.0.1')])
  })

  it('does not warn in the container, whose instructions publish the port on loopback', async () => {
    const { HOST = '', container = '' } = environmentOf('Dockerfile')
    const site = await startTestSite({ TRUST_PROXY: '1', HOST, container })
    await site.stop()
    expect([HOST, warnings(site)]).toEqual(['0.0.0.0', []])
  })
})

describeWith(['systemd'], 'the systemd units', ({ systemd }) => {
  it.each(['site.service', 'site-upkeep.service'])(
    '%s is confined: systemd rates its exposure below 2.0 of 10',
    (name) => {
      const rating = execFileSync(
        join(systemd, 'systemd-analyze'),
        ['security', '--offline=true', '--no-pager', join(root, 'deploy', name)],
        { encoding: 'utf8' },
      )
      const exposure = Number(/Overall exposure level .*: (\d+\.\d+)/.exec(rating)?.[1])
      expect(exposure).toBeLessThan(2)
      // Node maps memory that is writable and executable for compiled JavaScript.
      expect(rating).toMatch(/✗ MemoryDenyWriteExecute=/)
    },
  )

  it('site.service allows the system call without which picture encoders cannot start', () => {
    expect(read('site.service')).toMatch(/^SystemCallFilter=setpriority$/m)
  })
})

describe('the container', () => {
  const patterns = read('../.dockerignore')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
  const isIgnored = (path: string): boolean =>
    patterns.some((pattern) => matchesGlob(path, pattern) || path.startsWith(`${pattern}/`))

  it('is built without settings, keys and data of the operator', () => {
    const secret = [
      '.env',
      '.env.local',
      '.env.production',
      'deploy/.env',
      'site.env',
      'tls/privkey.pem',
      'tls/site.key',
      'data/site.db',
      '.git/config',
    ]
    expect(secret.filter((path) => !isIgnored(path))).toEqual([])
    const sources = ['client', 'content', 'locales', 'public', 'scripts', 'server', 'shared']
    const paths = sources.flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
        join(folder, name),
      ),
    )
    expect(paths.filter(isIgnored)).toEqual([])
  })

  it('runs on a supported Node, as a user without rights, with a file system that it cannot write', () => {
    const dockerfile = read('Dockerfile')
    expect(dockerfile).toMatch(/^FROM node:24-/m)
    expect(dockerfile.match(/^USER .+/gm)?.at(-1)).toBe('USER site')
    const [command = ''] = /docker run[\s\S]+? site$/m.exec(dockerfile) ?? []
    for (const option of [
      '--read-only',
      '--cap-drop ALL',
      '--security-opt no-new-privileges',
      '-p 127.0.0.1:3000:3000',
    ])
      expect(command).toContain(option)
  })
})

describe('dashboard and alert rules', () => {
  let types: Map<string, string>
  /** The names under which a metric is read. */
  const namesOf = (name: string): string[] =>
    types.get(name) === 'histogram'
      ? ['_bucket', '_sum', '_count'].map((part) => name + part)
      : [name]
  beforeAll(async () => {
    const site = await startTestSite({ OPS_TOKEN: opsToken })
    const { body } = await site.get('/_ops/metrics', {
      headers: operator,
    })
    await site.stop()
    types = new Map(
      [...body.matchAll(/^# TYPE (\S+) (\S+)/gm)].map(([, name = '', type = '']) => [name, type]),
    )
  })
  const used = (expressions: readonly string[]): string[] => [
    ...new Set(
      expressions.flatMap((text) => text.match(/\b(?:site|process|nodejs)_[a-z_]+/g) ?? []),
    ),
  ]

  it('use only metrics that exist, and the dashboard shows every metric of the site', () => {
    const { groups } = parse(read('alerts.yml')) as {
      groups: Array<{
        rules: Array<{
          alert: string
          expr: string
          labels: { severity: string }
          annotations: { summary: string }
        }>
      }>
    }
    const rules = groups.flatMap((group) => group.rules)
    const { panels } = JSON.parse(read('grafana-dashboard.json')) as {
      panels: Array<{ id: number; title: string; targets?: Array<{ expr: string }> }>
    }
    const asked = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
    const names = [...types.keys()].flatMap(namesOf)
    expect(
      used([...rules.map(({ expr }) => expr), ...asked]).filter((name) => !names.includes(name)),
    ).toEqual([])
    const shown = used(asked)
    const unseen = [...types.keys()].filter(
      (name) => name.startsWith('site_') && !namesOf(name).some((part) => shown.includes(part)),
    )
    expect(unseen).toEqual([])
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
    for (const { labels, annotations } of rules)
      expect([['page', 'ticket'].includes(labels.severity), annotations.summary !== '']).toEqual([
        true,
        true,
      ])
  })

  it('the labels in the texts of the rules are those that their expressions keep', () => {
    for (const rule of read('alerts.yml').split('- alert: ').slice(1)) {
      const kept = [...rule.matchAll(/ by \(([^)]+)\)/g)].flatMap(([, list = '']) =>
        list.split(', '),
      )
      const labels = [...rule.matchAll(/\$labels\.(\w+)/g)].map(([, label = '']) => label)
      expect([rule.split('\n')[0], labels.filter((label) => !kept.includes(label))]).toEqual([
        expect.any(String),
        [],
      ])
    }
  })

  it('the reasons in the rules are names of the error catalogue', async () => {
    const { catalogue } = await import('../../../server/errors')
    const reasons = [...read('alerts.yml').matchAll(/reason=~?"([^"]+)"/g)].flatMap(
      ([, list = '']) => list.split('|'),
    )
    expect(reasons.filter((name) => !(name in catalogue))).toEqual([])
    expect(reasons.length).toBeGreaterThan(3)
  })
})

/**
 * Requests that name two hosts, or one in an unusual way. A proxy that files an answer under one
 * name and passes another on would serve the wrong page to everyone. `own` and `other` are two
 * hosts of the site.
 */
const confusing: ReadonlyArray<
  readonly [name: string, text: (own: string, other: string, path: string) => string]
> = [
  [
    'other host in the request line',
    (own, other, path) => `GET https://${other}${path} HTTP/1.1\r\nHost: ${own}\r\n`,
  ],
  [
    'own host in the request line',
    (own, other, path) => `GET https://${own}${path} HTTP/1.1\r\nHost: ${other}\r\n`,
  ],
  [
    'upper case in the request line',
    (own, other, path) => `GET HTTPS://${other.toUpperCase()}${path} HTTP/1.1\r\nHost: ${own}\r\n`,
  ],
  [
    'a port in the request line',
    (own, other, path) => `GET https://${other}:443${path} HTTP/1.1\r\nHost: ${own}\r\n`,
  ],
  [
    'a dot at the end in the request line',
    (own, other, path) => `GET https://${other}.${path} HTTP/1.1\r\nHost: ${own}\r\n`,
  ],
  [
    'a user in the request line',
    (own, other, path) => `GET https://${other}@${own}${path} HTTP/1.1\r\nHost: ${other}\r\n`,
  ],
  [
    'a stranger in the request line',
    (own, _other, path) => `GET https://evil.example${path} HTTP/1.1\r\nHost: ${own}\r\n`,
  ],
  [
    'a stranger as Host',
    (own, _other, path) => `GET https://${own}${path} HTTP/1.1\r\nHost: evil.example\r\n`,
  ],
  ['HTTP/1.0 without Host', (_own, other, path) => `GET https://${other}${path} HTTP/1.0\r\n`],
  [
    'HTTP/1.0 with a query and no path',
    (own, other) => `GET https://${other}?${own} HTTP/1.0\r\nHost: ${own}\r\n`,
  ],
  [
    'two Host headers',
    (own, other, path) => `GET ${path} HTTP/1.1\r\nHost: ${own}\r\nHost: ${other}\r\n`,
  ],
  [
    'Host with a space before the colon',
    (own, other, path) => `GET ${path} HTTP/1.1\r\nHost : ${other}\r\nHost: ${own}\r\n`,
  ],
  [
    'a folded Host',
    (own, other, path) => `GET ${path} HTTP/1.1\r\nX-A: b\r\n Host: ${other}\r\nHost: ${own}\r\n`,
  ],
  [
    'Host in upper case',
    (_own, other, path) => `GET ${path} HTTP/1.1\r\nHost: ${other.toUpperCase()}\r\n`,
  ],
  [
    'Host with a dot at the end',
    (_own, other, path) => `GET ${path} HTTP/1.1\r\nHost: ${other}.\r\n`,
  ],
  ['Host with a port', (_own, other, path) => `GET ${path} HTTP/1.1\r\nHost: ${other}:8443\r\n`],
  ['Host with a path', (own, other, path) => `GET ${path} HTTP/1.1\r\nHost: ${own}/${other}\r\n`],
  [
    'X-Forwarded-Host',
    (own, other, path) =>
      `GET ${path} HTTP/1.1\r\nHost: ${own}\r\nX-Forwarded-Host: ${other}\r\nX-Forwarded-Proto: http\r\nX-Forwarded-Port: 1\r\n`,
  ],
  [
    'other headers that name a host',
    (own, other, path) =>
      `GET ${path} HTTP/1.1\r\nHost: ${own}\r\nForwarded: host=${other}\r\nX-Host: ${other}\r\nX-Original-Host: ${other}\r\nX-Original-URL: https://${other}/\r\n`,
  ],
  [
    'slashes before the path',
    (own, other, path) => `GET //${other}${path} HTTP/1.1\r\nHost: ${own}\r\n`,
  ],
  ['doubled slashes', (own, _other, path) => `GET /${path} HTTP/1.1\r\nHost: ${own}\r\n`],
  [
    'doubled slashes in the request line',
    (own, other, path) => `GET https://${other}/${path} HTTP/1.1\r\nHost: ${own}\r\n`,
  ],
  [
    'an encoded path',
    (own, _other, path) => `GET ${path.replace('/p', '/%70')} HTTP/1.1\r\nHost: ${own}\r\n`,
  ],
  [
    'a path with dots',
    (own, other, path) => `GET /${other}/..${path} HTTP/1.1\r\nHost: ${own}\r\n`,
  ],
  [
    'HEAD for the other host',
    (own, other, path) => `HEAD https://${other}${path} HTTP/1.1\r\nHost: ${own}\r\n`,
  ],
  [
    'a range of the other host',
    (own, other, path) =>
      `GET https://${other}${path} HTTP/1.1\r\nHost: ${own}\r\nRange: bytes=0-1\r\n`,
  ],
]

/** Asks a proxy over https, from an address of this machine. */
const askFrom = (
  from: string,
  port: number,
  path: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: string }> =>
  new Promise((resolve, reject) => {
    request(
      {
        host: '127.0.0.1',
        port,
        path,
        headers: { host: 'localhost', ...headers },
        servername: 'localhost',
        localAddress: from,
        rejectUnauthorized: false,
        agent: false,
      },
      (response) => {
        let body = ''
        response
          .on('data', (chunk: Buffer) => (body += chunk.toString()))
          .on('end', () => resolve({ status: response.statusCode ?? 0, body }))
      },
    )
      .on('error', reject)
      .end()
  })

/** The settings of a site behind a proxy for https. */
const behindProxy = {
  TRUST_PROXY: '1',
  SITE_URL_EN: 'https://localhost',
  SITE_URL_ZH: 'https://zh.localhost',
  SITE_URL_RU: 'https://ru.localhost',
  OPS_TOKEN: opsToken,
  CDN_MAX_AGE: '60',
}

/** Declares the tests of both proxies for hosts. */
function testHosts(running: () => { site: TestSite; port: number; plainPort: number }): void {
  const bodyOf = (answer: string): string => answer.slice(answer.indexOf('\r\n\r\n') + 4)
  let count = 0

  describe.each(['', '/_payload.json'])('a request for /pricing%s', (suffix) => {
    it.each(confusing)('with %s changes no answer for others', async (_name, text) => {
      const { site, port } = running()
      // The query is part of the proxy's key and not of the site's, so each case starts without an
      // answer.
      const path = `/pricing${suffix}?case=${(count += 1)}`
      // The attack and the check ask for the same form, which nginx stores separately.
      const end = 'Accept-Encoding: identity\r\nConnection: close\r\n\r\n'
      for (const [own, other] of [
        ['localhost', 'zh.localhost'],
        ['zh.localhost', 'localhost'],
      ] as const)
        await rawRequest(port, text(own, other, path) + end, own)
      for (const host of ['localhost', 'zh.localhost', 'ru.localhost']) {
        const expected = await site.get(path, { host })
        const answer = await rawRequest(
          port,
          `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${end}`,
          host,
        )
        expect([host, answer.slice(0, 12)]).toEqual([host, 'HTTP/1.1 200'])
        expect([host, bodyOf(answer) === expected.bytes.toString('latin1')]).toEqual([host, true])
      }
    })
  })

  describe.each([
    ['https', (text: string) => rawRequest(running().port, text, 'localhost')],
    ['http', (text: string) => rawRequest(running().plainPort, text)],
  ])('over %s a host that is not in the file', (_scheme, ask) => {
    it.each(['evil.example', '127.0.0.1', 'localhost.evil.example', '[::1]:443'])(
      '%s gets health checks and no other answer',
      async (host) => {
        const answerTo = async (path: string): Promise<string> =>
          (await ask(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)).slice(
            0,
            12,
          )
        expect(
          await Promise.all(
            ['/healthz', '/readyz', '/', '/pricing', '/_ops/metrics', '/api/x'].map(answerTo),
          ),
        ).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200', '', '', '', ''])
      },
    )
  })
}

const consolePaths = ['/_ops/console', '/_ops/console/pages', '/_ops/api/system'] as const
/** Other ways to write the console's address. */
const spellings = [
  '//_ops/console',
  '/_ops//console',
  '/x/../_ops/console',
  '/./_ops/console',
  '/%5Fops/console',
  '/_ops%2Fconsole',
  '/_OPS/console',
  '/_ops/Console',
  '/_ops/console/',
  '/_ops/console.html',
  '/_ops\\console',
  '/_ops/metrics/../console',
  '/_ops/api',
  '/_ops/api/',
  '/en/_ops/console',
] as const

/** Declares the tests of both proxies for the addresses from which operators work. */
function testConsole(port: () => number): void {
  it.each(['127.0.0.1', officeAddress])('opens the console to %s', async (from) => {
    const page = await askFrom(from, port(), '/_ops/console')
    expect([page.status, page.body]).toEqual([200, expect.stringContaining('name="token"')])
    expect((await askFrom(from, port(), '/_ops/api/system')).status).toBe(401)
    expect((await askFrom(from, port(), '/_ops/api/system', operator)).status).toBe(200)
  })

  it('opens nothing else of operators to the address of an office', async () => {
    expect((await askFrom(officeAddress, port(), '/_ops/metrics', operator)).status).toBe(404)
    expect((await askFrom('127.0.0.1', port(), '/_ops/metrics', operator)).status).toBe(200)
  })

  it.each(consolePaths)('answers 404 to %s from all other addresses', async (path) => {
    for (const headers of [operator, { 'x-forwarded-for': '127.0.0.1', ...operator }])
      expect((await askFrom('127.0.0.2', port(), path, headers)).status).toBe(404)
  })

  it.each(['/_ops', '/_ops?x', '/_ops/', '/_ops\\x#', '/_ops/x\\#'])(
    'does not tell all other addresses whether a token is right: %s',
    async (path) => {
      const wrong = { authorization: 'Bearer wrong' }
      const answers = [operator, wrong].map((headers) =>
        askFrom('127.0.0.2', port(), path, headers),
      )
      const [right, other] = (await Promise.all(answers)).map(({ status }) => status)
      expect([301, 400, 404]).toContain(right)
      expect(other).toBe(right)
    },
  )

  it.each(spellings)('%s is no way around it', async (path) => {
    const { status, body } = await askFrom('127.0.0.2', port(), path, operator)
    expect([301, 308, 400, 404]).toContain(status)
    expect(body).not.toContain('name="token"')
  })
}

describeWith(['caddy'], 'behind Caddy with deploy/Caddyfile', (programs) => {
  let site: TestSite
  let caddy: TestCaddy
  beforeAll(async () => {
    site = await startTestSite(behindProxy)
    caddy = await startCaddy(programs.caddy, site.port)
  }, 120_000)
  afterAll(async () => {
    await caddy?.stop()
    await site?.stop()
  })

  testHosts(() => ({ site, ...caddy }))
  testConsole(() => caddy.port)
})

describeWith(['caddy', 'nginx'], 'behind a CDN, with its addresses in the proxy', (programs) => {
  const cdn = '127.0.0.2'
  let site: TestSite
  let caddy: TestCaddy
  let nginx: TestNginx
  beforeAll(async () => {
    site = await startTestSite({ ...behindProxy, TRUST_PROXY: '2' })
    nginx = await startNginx(programs.nginx, [site.port], cdn)
    caddy = await startCaddy(programs.caddy, site.port, cdn)
  }, 120_000)
  afterAll(async () => {
    await caddy?.stop()
    await nginx?.stop()
    await site?.stop()
  })

  /** The visitor's address as the site sees it, or the status of a refusal. */
  async function visitorAddress(port: number, from: string, forwarded: string): Promise<string> {
    const path = '/api/sys/config/ip/get-visitor-ip'
    const { status, body } = await askFrom(from, port, path, { 'x-forwarded-for': forwarded })
    return status === 200 ? (JSON.parse(body) as { data: { ip: string } }).data.ip : String(status)
  }

  it.each([
    ['nginx', () => nginx.port, '403'],
    ['Caddy', () => caddy.port, '127.0.0.1'],
  ])('%s accepts the address of a visitor from the CDN alone', async (_name, port, direct) => {
    expect(await visitorAddress(port(), cdn, '198.51.100.7')).toBe('198.51.100.7')
    expect(await visitorAddress(port(), cdn, '8.8.8.8, 198.51.100.7')).toBe('198.51.100.7')
    expect(await visitorAddress(port(), '127.0.0.1', '8.8.8.8')).toBe(direct)
  })
})

describeWith(['nginx'], 'behind nginx with deploy/nginx.conf', (programs) => {
  let site: TestSite
  let nginx: TestNginx
  beforeAll(async () => {
    // The port of nginx is known only after its start. These tests work with any origins.
    site = await startTestSite(behindProxy)
    nginx = await startNginx(programs.nginx, [site.port])
    await eventually(async () => expect((await get('/healthz')).status).toBe(200))
  }, 120_000)
  afterAll(async () => {
    await nginx?.stop()
    await site?.stop()
  })

  const get: TestNginx['ask'] = (path, question) => nginx.ask(path, question)
  const reached = (path: string): number => site.logs.filter((line) => line['path'] === path).length
  const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 300))

  it('redirects to https on the same host first', async () => {
    expect(await get('/pricing?a=1', { host: 'zh.localhost', plain: true })).toMatchObject({
      status: 301,
      headers: { location: 'https://zh.localhost/pricing?a=1' },
    })
  })

  it('caches pages by host as long as their headers allow, and never private answers', async () => {
    for (let index = 0; index < 3; index += 1) expect((await get('/th/pricing')).status).toBe(200)
    expect((await get('/pricing', { host: 'zh.localhost' })).headers['content-language']).toBe(
      'zh-CN',
    )
    expect((await get('/pricing', { host: 'ru.localhost' })).headers['content-language']).toBe(
      'ru-RU',
    )
    for (let index = 0; index < 3; index += 1)
      expect((await get('/', { headers: { 'accept-language': 'th' } })).status).toBe(302)
    expect((await get('/', { headers: { 'accept-language': 'en' } })).status).toBe(200)
    await settled()
    expect(reached('/th/pricing')).toBe(1)
    expect(reached('/')).toBeGreaterThanOrEqual(4)
  })

  it('passes paths on unchanged, so that there is one redirect', async () => {
    expect(await get('//ES//Pricing.html/')).toMatchObject({
      status: 301,
      headers: { location: 'https://localhost/es/pricing' },
    })
    expect((await get('/%zz')).status).toBe(400)
    expect((await get('/api/..%2fadmin')).status).toBe(400)
  })

  it('passes on a redirect that is as long as a path may be', async () => {
    const long = `/blog/${'x/'.repeat(4000)}x`
    const { status, headers } = await get(`${long}/`)
    expect([status, headers.location === `https://localhost${long}`]).toEqual([301, true])
  })

  it('ignores a forged X-Forwarded-For', async () => {
    const answer = await get('/api/sys/config/ip/get-visitor-ip', {
      headers: { 'x-forwarded-for': '8.8.8.8' },
    })
    expect((JSON.parse(answer.body) as { data: { ip: string } }).data.ip).toBe('127.0.0.1')
  })

  it('passes the request id on and keeps the security headers', async () => {
    const { headers } = await get('/faq')
    expect(headers['x-request-id']).toMatch(/^[0-9a-f]{32}$/)
    expect(headers['strict-transport-security']).toContain('max-age')
  })

  it('allows operators on this machine', async () => {
    expect((await get('/_ops/metrics', { headers: operator })).status).toBe(200)
    expect((await get('/_ops/metrics')).status).toBe(401)
  })

  testHosts(() => ({ site, ...nginx }))
  testConsole(() => nginx.port)

  it('serves stale pages when the site is down', async () => {
    const page = await get('/th/pricing')
    await site.stop()
    expect((await get('/th/pricing')).body).toBe(page.body)
    expect((await get('/th/download')).status).toBe(502)
  })
})
