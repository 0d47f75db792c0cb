import { execFileSync, spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { buildFolder, root } from '../../testing/root'
import { fetchFrom, seedContent, temporaryFolder } from '../../testing/site'

/**
 * What the last stage of the Dockerfile copies. No image can be built here, so the test uses the
 * same folder, user and start command.
 */
const copied = [
  ...readFileSync(join(root, 'deploy', 'Dockerfile'), 'utf8').matchAll(
    /^COPY --from=build \/site\/(\S+) /gm,
  ),
].map(([, name = '']) => name)
const isRoot = process.getuid?.() === 0
/** The user `nobody`, if the test may change its user. */
const user = isRoot ? { uid: 65534, gid: 65534 } : {}

describe('the folder of the image', () => {
  const folder = temporaryFolder('image')
  const data = temporaryFolder('image-data')
  const env = {
    PATH: process.env['PATH'] ?? '',
    NODE_ENV: 'production',
    PORT: '0',
    HOST: '127.0.0.1',
    DATA_DIR: data,
  }
  beforeAll(() => {
    for (const name of copied) {
      if (name === 'node_modules') symlinkSync(join(root, name), join(folder, name))
      else if (name === 'dist')
        cpSync(buildFolder(), join(folder, name, basename(buildFolder())), { recursive: true })
      else cpSync(join(root, name), join(folder, name), { recursive: true })
    }
    seedContent(data)
    mkdirSync(join(data, 'compile-cache', 'an-older-build'), { recursive: true })
    if (isRoot) execFileSync('chown', ['-R', '65534:65534', data])
    chmodSync(folder, 0o755)
    execFileSync('chmod', ['-R', 'a-w', folder])
  })
  afterAll(() => {
    execFileSync('chmod', ['-R', 'u+w', folder])
    for (const place of [folder, data]) rmSync(place, { recursive: true, force: true })
  })

  it('contains everything that a start needs', () => {
    expect(copied).toEqual(
      expect.arrayContaining([
        'dist',
        'node_modules',
        'content',
        'locales',
        'public',
        'scripts',
        'package.json',
      ]),
    )
    expect(copied.filter((name) => !existsSync(join(root, name)))).toEqual([])
  })

  it('runs as a user who can write only to DATA_DIR, drains on SIGTERM, and can be backed up', async () => {
    const child = spawn(process.execPath, ['scripts/serve.mjs'], {
      cwd: folder,
      env,
      ...user,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const said: string[] = []
    child.stderr.on('data', (chunk: Buffer) => said.push(chunk.toString()))
    const port = await new Promise<number>((resolve, reject) => {
      createInterface({ input: child.stdout }).on('line', (line) => {
        said.push(line)
        const { msg, port: found } = JSON.parse(line) as { msg: string; port?: number }
        if (msg === 'ready') resolve(Number(found))
      })
      child.once('exit', () => reject(new Error(said.join('\n'))))
    })
    const answers = await Promise.all(
      ['/pricing', '/blog', '/_image/thumbnail/images/none.png', '/sitemap.xml'].map((path) =>
        fetchFrom(port, path),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 404, 200])
    expect(statSync(join(data, 'site.db')).mode & 0o777).toBe(0o600)
    const backup = spawnSync(process.execPath, ['scripts/store.mjs', 'backup'], {
      cwd: folder,
      env,
      ...user,
      encoding: 'utf8',
    })
    expect([backup.status, backup.stderr]).toEqual([0, ''])
    const ended = new Promise((resolve) => child.once('exit', (code) => resolve(code)))
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
    expect(said.filter((line) => /"level":"(?:error|fatal)"|EACCES|EROFS/.test(line))).toEqual([])
    // The compile cache is stored for the next start, and only for this build.
    expect(readdirSync(join(data, 'compile-cache'))).toEqual([basename(buildFolder())])
    expect(
      readdirSync(join(data, 'compile-cache', basename(buildFolder()))).length,
    ).toBeGreaterThan(0)
  }, 90_000)
})
