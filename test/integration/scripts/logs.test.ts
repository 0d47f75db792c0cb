import { spawn, spawnSync } from 'node:child_process'
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from '@jest/globals'
import { programSettings, root } from '../../../testing/root'
import { releaseWithTests, temporaryFolder } from '../../../testing/release-with-tests'
import { eventually } from '../../../testing/site'

const dataDir = temporaryFolder('logs')
const file = join(dataDir, 'logs', 'site.log')
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

const now = Date.now()
const line = (fields: Record<string, unknown>, age = 0): string =>
  `${JSON.stringify({ level: 'info', time: new Date(now - age).toISOString(), pid: 1, ...fields })}\n`
const requestLine = (fields: Record<string, unknown>, age = 0): string =>
  line(
    {
      id: 'r1',
      method: 'GET',
      host: 'localhost',
      path: '/es/pricing',
      route: 'pricing',
      locale: 'es',
      status: 200,
      duration: 0.3,
      cache: 'hit',
      bytes: 100,
      ...fields,
      msg: 'request',
    },
    age,
  )
const all = [
  line({ msg: 'ready', port: 3000 }, 7_200_000),
  requestLine({}, 3_600_000),
  requestLine({
    id: 'r2',
    path: '/docs/a',
    route: 'doc',
    locale: 'en',
    status: 404,
    cache: 'miss',
    duration: 250.4,
  }),
  line({
    level: 'error',
    id: 'r2',
    err: { message: 'broken' },
    msg: 'an answer could not be made',
  }),
  requestLine({
    id: 'r3',
    path: '/api/x',
    route: 'upstream',
    host: 'zh.localhost',
    status: 502,
    cache: undefined,
  }),
  'Segmentation fault\n',
]
mkdirSync(join(dataDir, 'logs'))
writeFileSync(file, all.join(''))

const logs = (args: readonly string[], input?: string) =>
  spawnSync(process.execPath, [join(root, 'scripts', 'logs.mjs'), ...args], {
    encoding: 'utf8',
    env: { ...programSettings(), DATA_DIR: dataDir, TZ: 'UTC' },
    ...(input === undefined ? { stdio: ['ignore', 'pipe', 'pipe'] } : { input }),
  })
/** Identifiers of the requests and messages that are shown. */
const shown = (...args: string[]): string[] =>
  logs([...args, '--json'])
    .stdout.trim()
    .split('\n')
    .filter((text) => text.startsWith('{'))
    .map((text) => {
      const { msg, id } = JSON.parse(text) as { msg: string; id?: string }
      return msg === 'request' ? (id ?? '') : msg
    })

describe('npm run logs', () => {
  it('writes readable lines', () => {
    const { stdout, status } = logs([])
    expect(status).toBe(0)
    expect(stdout).toContain('200 GET localhost/es/pricing  0.3 ms  100 B  pricing es hit')
    expect(stdout).toContain('404 GET localhost/docs/a  250.4 ms')
    expect(stdout).toMatch(/ERROR.*an answer could not be made[\s\S]*broken/)
    expect(stdout).toContain('port: 3000')
    expect(stdout).toContain('Segmentation fault')
  })

  it.each<[string[], string[]]>([
    [[], ['ready', 'r1', 'r2', 'an answer could not be made', 'r3']],
    [['--level', 'warn'], ['an answer could not be made']],
    [['--status', '5xx'], ['r3']],
    [['--status', '404'], ['r2']],
    [['--route', 'doc'], ['r2']],
    [['--path', '/es/'], ['r1']],
    [['--host', 'zh.'], ['r3']],
    [['--cache', 'miss'], ['r2']],
    [['--slow', '200'], ['r2']],
    [
      ['--id', 'r2'],
      ['r2', 'an answer could not be made'],
    ],
    [['--find', 'broken'], ['an answer could not be made']],
    [
      ['--since', '90m'],
      ['r1', 'r2', 'an answer could not be made', 'r3'],
    ],
    [
      ['--since', new Date(now - 60_000).toISOString(), '--level', 'info', '--no-requests'],
      ['an answer could not be made'],
    ],
  ])('%j', (args, expected) => {
    expect(shown(...args)).toEqual(expected)
  })

  it('reads standard input, and named files', () => {
    expect(logs(['--level', 'error'], all.join('')).stdout).toContain('an answer could not be made')
    const other = join(dataDir, 'other.log')
    writeFileSync(other, line({ msg: 'of another file' }))
    expect(shown(other)).toEqual(['of another file'])
  })

  it.each([
    [['--level', 'loud']],
    [['--status', '999']],
    [['--since', 'yesterday-ish']],
    [['--nonsense']],
    [[join(dataDir, 'none.log')]],
  ])('%j is answered with how it is used', (args) => {
    const { status, stderr } = logs(args)
    expect([status, stderr]).toEqual([1, expect.stringContaining('usage: npm run logs')])
  })

  it('follows a growing file line by line, also after it was truncated', async () => {
    const grows = join(dataDir, 'grows.log')
    writeFileSync(grows, line({ msg: 'first' }))
    const child = releaseWithTests(
      spawn(process.execPath, [join(root, 'scripts', 'logs.mjs'), grows, '--follow', '--json'], {
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    )
    let out = ''
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
    const messages = (): string[] =>
      out
        .trim()
        .split('\n')
        .filter(Boolean)
        .map((text) => (JSON.parse(text) as { msg: string }).msg)
    try {
      await eventually(() => expect(messages()).toEqual(['first']))
      const second = line({ msg: 'ünd weiter' })
      appendFileSync(grows, second.slice(0, 30))
      await new Promise((resolve) => setTimeout(resolve, 600))
      appendFileSync(grows, second.slice(30))
      await eventually(() => expect(messages()).toEqual(['first', 'ünd weiter']))
      writeFileSync(grows, line({ msg: 'x' }))
      await eventually(() => expect(messages()).toEqual(['first', 'ünd weiter', 'x']))
    } finally {
      child.kill()
    }
  })
})
