import Database from 'better-sqlite3'
import { spawnSync } from 'node:child_process'
import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { deployedBuild } from '../../../scripts/deployed-build.mjs'
import { nodeOptions } from '../../../scripts/node-options.cjs'
import { testPm2, type TestPm2 } from '../../../testing/pm2'
import { temporaryFolder } from '../../../testing/release-with-tests'
import { buildFolder, programSettings } from '../../../testing/root'
import {
  eventually,
  fetchFrom,
  operator,
  opsToken,
  pathsOpenToOthers,
  seedContent,
} from '../../../testing/site'
import { steadyLoad, type LoadRequest } from '../../../testing/steady-load'
import { freePort } from '../../../testing/free-port'

const slow = 1500
const vote = {
  path: '/api/site/helpful',
  method: 'POST',
  body: JSON.stringify({ page: '/docs/profiles', locale: 'en', helpful: true }),
} as const
const pages = [
  '/',
  '/pricing',
  '/download',
  '/es',
  '/th/pricing',
  '/faq',
  '/docs/profiles',
  '/blog',
]

describe('under PM2', () => {
  const dataDir = seedContent(temporaryFolder('reload'))
  let port: number
  let pm2: TestPm2
  beforeAll(async () => {
    port = await freePort()
    pm2 = testPm2({
      PORT: String(port),
      HOST: '127.0.0.1',
      DATA_DIR: dataDir,
      WEB_CONCURRENCY: '2',
      RATE_OTHER: '1000000',
      RATE_VISITOR: '1000000',
      OPS_TOKEN: opsToken,
    })
    await pm2.reload()
    await eventually(
      async () => expect((await fetchFrom(port, '/readyz')).status).toBe(200),
      60_000,
    )
  }, 240_000)
  afterAll(async () => {
    await pm2.stop()
  }, 120_000)

  const pids = async (): Promise<number[]> => (await pm2.list()).map(({ pid }) => pid).sort()
  const metric = async (pattern: RegExp): Promise<number> =>
    Number(pattern.exec((await fetchFrom(port, '/_ops/metrics', { headers: operator })).body)?.[1])
  const log = (): string => readFileSync(join(dataDir, 'logs', 'site.log'), 'utf8')
  const readyMessages = (): string[] => log().match(/"msg":"ready"/g) ?? []

  it('a reload under load replaces every process without losing a request, even slow ones and writes', async () => {
    const before = await pids()
    let votes = 0
    const nextRequest = (index: number): LoadRequest => {
      if (index % 8 !== 0)
        return { path: pages[index % pages.length] ?? '/', fresh: index % 3 === 0 }
      votes += 1
      // Slow requests are still running when their process receives the signal to stop.
      return index % 40 === 0 ? { ...vote, slowly: slow } : vote
    }
    const load = steadyLoad(port, 16, nextRequest, 100)
    // Whether the home page redirects a visitor to a language depends on a setting, which the first
    // reload sets and the second removes.
    const homeStatus = async (): Promise<number> =>
      (await fetchFrom(port, '/', { headers: { 'accept-language': 'es' } })).status
    const homeStatuses = [await homeStatus()]
    await pm2.reload([], { LOCALE_NEGOTIATION: 'off' })
    homeStatuses.push(await homeStatus())
    const between = await pids()
    await pm2.reload()
    homeStatuses.push(await homeStatus())
    const after = await pids()
    const { answers, lost, closed } = await load.stop()
    const total = Object.values(answers).reduce((sum, count) => sum + count, 0)
    console.info(
      `two reloads: ${total} answers ${JSON.stringify(answers)}, lost ${JSON.stringify(lost)}, ${closed} said that their connection ends`,
    )

    expect(homeStatuses).toEqual([302, 200, 302])
    expect(before.length).toBe(2)
    expect([...before, ...between, ...after].length).toBe(
      new Set([...before, ...between, ...after]).size,
    )
    expect(lost).toEqual({})
    expect(Object.keys(answers)).toEqual(['200'])
    expect(closed).toBeGreaterThan(0)
    expect(total).toBeGreaterThan(500)
    const db = new Database(join(dataDir, 'site.db'), { readonly: true })
    const { stored } = db.prepare('SELECT count(*) AS stored FROM helpful_votes').get() as {
      stored: number
    }
    db.close()
    expect([stored, votes > 50]).toEqual([votes, true])
    // The metrics include the requests of processes that have ended.
    expect(
      await eventually(async () => {
        const counted = await metric(/^site_request_duration_seconds_count\{cache="none"\} (\d+)$/m)
        if (!(counted >= stored)) throw new Error(`${counted} of ${stored}`)
        return counted
      }),
    ).toBeGreaterThanOrEqual(stored)
  }, 300_000)

  it('the processes keep the space for new objects as small as their option says', async () => {
    // The command line of a process cannot be read, because PM2 writes its own text over it.
    const pattern = /^nodejs_heap_space_size_total_bytes\{space="new"\} (\d+)$/m
    const halfMiB = Number(/size=(\d+)/.exec(nodeOptions.join(' '))?.[1])
    const allMiB = (await pids()).length * 2 * halfMiB
    expect(await metric(pattern)).toBeLessThanOrEqual(allMiB * 1024 * 1024)
  })

  it('a process that is killed is replaced', async () => {
    const before = await pids()
    const [victim = 0] = before
    const ready = readyMessages().length
    process.kill(victim, 'SIGKILL')
    const started = performance.now()
    // Not asked of PM2, each of whose commands takes 0.3 s of the processor.
    await eventually(() => expect(readyMessages()).toHaveLength(ready + 1))
    console.info(`replaced after ${Math.round(performance.now() - started)} ms`)
    await eventually(async () => {
      const now = await pm2.list()
      expect(now.map(({ pid }) => pid)).not.toContain(victim)
      expect(now.map(({ pm2_env }) => pm2_env.status)).toEqual(['online', 'online'])
    })
    expect((await fetchFrom(port, '/pricing')).status).toBe(200)
  }, 120_000)

  it.each([
    ['does not start', "throw new Error('broken build')", 'nothing was changed'],
    [
      'starts alone, but not under PM2',
      "if (require('node:cluster').isWorker) throw new Error('broken build')\nprocess.send('ready')",
      'the previous build serves again',
    ],
  ])(
    'a build that %s does not take the site down',
    async (_, source, message) => {
      const folder = join(pm2.project, 'dist', 'broken-build')
      mkdirSync(join(folder, 'server'), { recursive: true })
      writeFileSync(join(folder, 'server', 'main.js'), source)
      writeFileSync(
        join(folder, 'build.json'),
        JSON.stringify({ id: 'broken-build', timestamp: 0 }),
      )
      try {
        const reload = pm2.reload(['--build', 'broken-build'], { PM2_LISTEN_TIMEOUT: '2000' })
        await expect(reload).rejects.toThrow(message)
        expect((await fetchFrom(port, '/readyz')).status).toBe(200)
        expect(deployedBuild(pm2.project)).toBe(basename(buildFolder()))
      } finally {
        rmSync(folder, { recursive: true })
      }
    },
    240_000,
  )

  it('a backup runs the deployed build, and builds nothing, when the sources are newer', () => {
    appendFileSync(join(pm2.project, 'server', 'errors.ts'), '// Newer than the build.\n')
    const { status, stderr, stdout } = spawnSync(
      process.execPath,
      ['scripts/store.mjs', 'backup'],
      {
        cwd: pm2.project,
        env: { ...programSettings(), DATA_DIR: dataDir },
        encoding: 'utf8',
      },
    )
    expect([status, stderr]).toEqual([0, ''])
    expect(stdout).not.toContain('building')
  })

  it('log lines are JSON, without a prefix', () => {
    const lines = log().trim().split('\n')
    const messages = lines.map((line) => (JSON.parse(line) as { msg: string }).msg)
    expect(messages).toEqual(expect.arrayContaining(['ready', 'draining', 'request']))
  })

  it('other users can read nothing of the data folder', () => {
    expect(pathsOpenToOthers(dataDir)).toEqual([])
  })
})
