/** Which version of Node runs npm scripts, the server and PM2. */
import { spawn, spawnSync } from 'node:child_process'
import { cpSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { isSupported, supportedRange } from '../../../scripts/supported-node.cjs'
import { oldNode } from '../../../testing/old-node'
import { testPm2, type TestPm2 } from '../../../testing/pm2'
import { root } from '../../../testing/root'
import { releaseWithTests, temporaryFolder } from '../../../testing/release-with-tests'
import { eventually, fetchFrom, seedContent } from '../../../testing/site'
import { freePort } from '../../../testing/free-port'

const old = oldNode()
const folders: string[] = []
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })))

/** A copy of the project without packages; `overrides` changes its package.json. */
function bareProject(overrides: object = {}): string {
  const folder = temporaryFolder('bare')
  folders.push(folder)
  cpSync(join(root, 'scripts'), join(folder, 'scripts'), { recursive: true })
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({
      ...(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as object),
      ...overrides,
    }),
  )
  return folder
}
const withPackages = (folder: string): string => {
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  return folder
}
const run = (
  node: string,
  cwd: string,
  ...args: string[]
): { status: number | null; lines: string[] } => {
  const { status, stdout, stderr } = spawnSync(node, args, {
    cwd,
    encoding: 'utf8',
    env: { PATH: '/usr/bin:/bin' },
  })
  return { status, lines: (stdout + stderr).trim().split('\n') }
}

describe('the supported range', () => {
  it.each<[string, boolean]>([
    ['20.20.2', false],
    ['v20.20.2', false],
    ['21.7.3', false],
    ['22.18.0', false],
    ['22.19.0', true],
    ['v22.23.3', true],
    ['23.11.0', false],
    ['24.0.0', true],
    ['24.21.0', true],
    ['25.9.0', false],
    ['26.0.0', true],
    ['26.10.0', true],
    ['28.1.0', true],
  ])('of package.json: %s is supported: %s', (version, expected) =>
    expect(isSupported(version)).toBe(expected),
  )

  it('is rejected if it has an unknown operator', () => {
    expect(() => isSupported('24.0.0', '>=20 <24')).toThrow('">=20 <24" is not ^x.y.z or >=x.y.z')
  })
})

describe('an npm script on an old Node', () => {
  it('without packages prints one line that says what to do', () => {
    expect(run(old, bareProject(), 'scripts/run.mjs', 'tsc', '--noEmit')).toEqual({
      status: 1,
      lines: ['packages are not installed: run "npm ci", then this command again'],
    })
  })

  it('on a platform without a Node package prints one line that says what to do, and installs nothing', () => {
    const { status, lines } = run(
      old,
      bareProject({ optionalDependencies: {} }),
      'scripts/run.mjs',
      '--install',
      'scripts/start.mjs',
    )
    expect([status, lines]).toEqual([
      1,
      [expect.stringMatching(/^Node \d+\.\d+\.\d+ cannot run this project .*: install Node 24$/)],
    ])
    expect(lines[0]).toContain(supportedRange)
  })

  it('continues on the Node of the packages, with its arguments, its PATH and its exit code', () => {
    const folder = withPackages(bareProject())
    writeFileSync(
      join(folder, 'scripts', 'say.mjs'),
      `import { execFileSync } from 'node:child_process'\nconsole.log(process.version, execFileSync('node', ['-v'], { encoding: 'utf8' }).trim(), process.argv.slice(2).join(' '))\nprocess.exitCode = 7\n`,
    )
    expect(run(old, folder, 'scripts/run.mjs', 'scripts/say.mjs', '--a', 'b c')).toEqual({
      status: 7,
      lines: [`${process.version} ${process.version} --a b c`],
    })
    expect(run(process.execPath, folder, 'scripts/run.mjs', 'scripts/say.mjs')).toEqual({
      status: 7,
      lines: [`${process.version} ${process.version}`],
    })
  })

  it('passes a signal on', async () => {
    const folder = withPackages(bareProject())
    writeFileSync(
      join(folder, 'scripts', 'wait.mjs'),
      `process.on('SIGTERM', () => { console.log('told'); process.exit(3) })\nconsole.log('waits')\nsetInterval(() => undefined, 1000)\n`,
    )
    const child = releaseWithTests(
      spawn(old, ['scripts/run.mjs', 'scripts/wait.mjs'], {
        cwd: folder,
        env: { PATH: '/usr/bin:/bin' },
        stdio: ['ignore', 'pipe', 'inherit'],
      }),
    )
    let said = ''
    child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()))
    await eventually(() => expect(said).toBe('waits\n'))
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGTERM')
    expect([await ended, said]).toEqual([3, 'waits\ntold\n'])
  })
})

describe('an old Node', () => {
  it('is rejected by the server with one line', () => {
    const { status, lines } = run(old, root, 'scripts/serve.mjs')
    expect([status, lines]).toEqual([
      1,
      [expect.stringMatching(/cannot run this site: start it with node_modules\/\.bin\/node$/)],
    ])
  })

  it('is rejected by ecosystem.config.js with one line', () => {
    const { status, lines } = run(
      old,
      root,
      '-e',
      `require(${JSON.stringify(join(root, 'ecosystem.config.js'))})`,
    )
    expect([status, lines]).toEqual([
      1,
      [expect.stringMatching(/cannot run this site .*npm run deploy:reload/)],
    ])
  })
})

describe('the compile cache', () => {
  it('that cannot be written does not prevent the start', async () => {
    const dataDir = seedContent(temporaryFolder('no-cache'))
    folders.push(dataDir)
    writeFileSync(join(dataDir, 'compile-cache'), 'a file where a folder should be')
    const port = await freePort()
    const child = releaseWithTests(
      spawn(process.execPath, ['scripts/start.mjs'], {
        cwd: root,
        env: { PATH: '/usr/bin:/bin', PORT: String(port), HOST: '127.0.0.1', DATA_DIR: dataDir },
        stdio: 'ignore',
      }),
    )
    await eventually(
      async () => expect((await fetchFrom(port, '/readyz')).status).toBe(200),
      60_000,
    )
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
  }, 90_000)
})

describe('a PM2 daemon on an old Node', () => {
  const dataDir = seedContent(temporaryFolder('old-daemon'))
  folders.push(dataDir)
  let port: number
  let pm2: TestPm2
  beforeAll(async () => {
    port = await freePort()
    pm2 = testPm2({
      PORT: String(port),
      HOST: '127.0.0.1',
      DATA_DIR: dataDir,
      WEB_CONCURRENCY: '1',
    })
    const script = join(dataDir, 'other.js')
    writeFileSync(script, 'setInterval(() => undefined, 1000)\n')
    // In cluster mode like the site, so it runs on the Node of the daemon.
    await pm2.run(old, 'start', script, '--name', 'other', '--instances', '1')
  }, 60_000)
  afterAll(() => pm2.stop(), 60_000)

  it('is replaced once by deploy:reload, and its other processes are restarted', async () => {
    expect(
      (await pm2.list()).map(({ name, pm2_env }) => [name, isSupported(pm2_env.node_version)]),
    ).toEqual([['other', false]])
    expect(await pm2.reload()).toMatch(
      /PM2's daemon runs on Node 20\.\d+\.\d+: it is replaced, once/,
    )
    await eventually(
      async () => expect((await fetchFrom(port, '/readyz')).status).toBe(200),
      60_000,
    )
    const after = await pm2.list()
    expect(
      after.map(({ name, pm2_env }) => [name, pm2_env.status, `v${pm2_env.node_version}`]).sort(),
    ).toEqual([
      ['other', 'online', process.version],
      ['site', 'online', process.version],
    ])
    expect(await pm2.reload()).not.toContain('daemon')
  }, 240_000)
})
