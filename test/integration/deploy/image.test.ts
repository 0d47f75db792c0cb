import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process'
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
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { callApi } from '../../../testing/call-api'
import { buildFolder, root } from '../../../testing/root'
import { releaseWithTests, temporaryFolder } from '../../../testing/release-with-tests'
import { eventually, fetchFrom, pathsOpenToOthers, seedContent } from '../../../testing/site'

/**
 * What the last stage of the Dockerfile copies. No image can be built here, so the test uses the
 * same folder, user and start command.
 */
const copied = [
  ...readFileSync(join(root, 'deploy', 'Dockerfile'), 'utf8').matchAll(
    /^COPY --from=build \/site\/(\S+) /gm,
  ),
].map(([, name = '']) => name)
const vote = { json: { page: '/docs/profiles', locale: 'en', helpful: true } }
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
    // As earlier versions left it.
    mkdirSync(join(data, 'og'))
    writeFileSync(join(data, 'limits.db'), '')
    for (const name of ['.', ...readdirSync(data)])
      chmodSync(join(data, name), statSync(join(data, name)).isDirectory() ? 0o755 : 0o644)
    if (isRoot) execFileSync('chown', ['-R', '65534:65534', data])
    chmodSync(folder, 0o755)
    execFileSync('chmod', ['-R', 'a-w', folder])
  })
  let child: ChildProcess | undefined
  afterAll(() => {
    child?.kill('SIGKILL')
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

  it('runs as a user who can write only to DATA_DIR, drains on SIGTERM, and leaves nothing there for other users', async () => {
    const site = releaseWithTests(
      spawn(process.execPath, ['scripts/serve.mjs'], {
        cwd: folder,
        env,
        ...user,
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    )
    child = site
    const said: string[] = []
    site.stderr.on('data', (chunk: Buffer) => said.push(chunk.toString()))
    const port = await new Promise<number>((resolve, reject) => {
      createInterface({ input: site.stdout }).on('line', (line) => {
        said.push(line)
        const { msg, port: found } = JSON.parse(line) as { msg: string; port?: number }
        if (msg === 'ready') resolve(Number(found))
      })
      site.once('exit', () => reject(new Error(said.join('\n'))))
    })
    const { body: pricing } = await fetchFrom(port, '/pricing')
    const { body: blog } = await fetchFrom(port, '/blog')
    // A width that the build did not encode.
    const cover = /src="(\/_image\/[^"]+)"/.exec(blog)?.[1]?.replace(/w_\d+/, 'w_992,f_webp') ?? ''
    const asked = [
      /\/_og\/[^"]+/.exec(pricing)?.[0] ?? '',
      cover,
      '/_image/thumbnail/images/none.png',
      '/sitemap.xml',
    ]
    const answers = await Promise.all(asked.map((path) => fetchFrom(port, path)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 404, 200])
    expect((await callApi(port, '/site/helpful', vote)).status).toBe(200)
    // The search process may still be starting.
    await eventually(async () =>
      expect((await fetchFrom(port, '/api/site/search?q=profile&lang=en')).status).toBe(200),
    )
    // Files are written after the answers. They are awaited apart from the search, because an
    // address may send few searches.
    await eventually(() => {
      for (const name of ['stale-if-error', 'images', 'og', `assets/${basename(buildFolder())}`])
        expect(readdirSync(join(data, name))).not.toEqual([])
    })
    const backup = spawnSync(process.execPath, ['scripts/store.mjs', 'backup'], {
      cwd: folder,
      env,
      ...user,
      encoding: 'utf8',
    })
    expect([backup.status, backup.stderr]).toEqual([0, ''])
    const ended = new Promise((resolve) => site.once('exit', (code) => resolve(code)))
    site.kill('SIGTERM')
    expect(await ended).toBe(0)
    // On a busy machine, the search process may start so slowly that the first search times out.
    const failures = said.filter((line) => /"level":"(?:error|fatal)"|EACCES|EROFS/.test(line))
    expect(failures.filter((line) => !/"outcome":"timeout"|The search is busy/.test(line))).toEqual(
      [],
    )
    expect(pathsOpenToOthers(data)).toEqual([])
    // The compile cache is stored for the next start, and only for this build.
    expect(readdirSync(join(data, 'compile-cache'))).toEqual([basename(buildFolder())])
    expect(
      readdirSync(join(data, 'compile-cache', basename(buildFolder()))).length,
    ).toBeGreaterThan(0)
  }, 90_000)
})
