import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  utimesSync,
  writeFileSync,
  rmSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { afterAll, describe, expect, it } from '@jest/globals'
import supertest from 'supertest'
import { readBuild } from '../../../server/build-info'
import { keepBuildAssets } from '../../../server/http/previous-builds'
import { createLogger } from '../../../server/telemetry/logger'
import { buildFolder } from '../../../testing/root'
import { temporaryFolder } from '../../../testing/release-with-tests'
import { eventually, startTestSite, type TestSite } from '../../../testing/site'
import { startStopwatch } from '../../../testing/stopwatch'

const folders: string[] = []
const sites: TestSite[] = []
const folder = (name: string): string => {
  const made = temporaryFolder(name)
  folders.push(made)
  return made
}
async function site(env: Record<string, string> = {}): Promise<TestSite> {
  const started = await startTestSite(env)
  sites.push(started)
  return started
}
afterAll(async () => {
  await Promise.all(sites.map((started) => started.stop()))
  for (const made of folders) rmSync(made, { recursive: true, force: true })
})

const log = createLogger('silent')
const build = readBuild(buildFolder())
const keptIn = (dataDir: string): string[] => readdirSync(join(dataDir, 'assets')).sort()
/** The files that the start of an earlier build left. */
function pastBuild(dataDir: string, name: string, hoursAgo: number): void {
  const own = join(dataDir, 'assets', name)
  mkdirSync(own, { recursive: true })
  writeFileSync(join(own, `page-Old.${name}.js`), `/* ${name} */`)
  writeFileSync(join(own, 'build.json'), '{}')
  const used = new Date(Date.now() - hoursAgo * 3_600_000)
  utimesSync(join(own, 'build.json'), used, used)
}

describe('files of builds', () => {
  it('of the last three started builds are kept, whatever order they were built in', async () => {
    const dataDir = folder('kept')
    for (const [name, hours] of [
      ['aaa1', 1],
      ['aaa2', 4],
      ['aaa3', 2],
      ['aaa4', 3],
    ] as const)
      pastBuild(dataDir, name, hours)
    await keepBuildAssets(build, dataDir, log)
    expect(keptIn(dataDir)).toEqual(['aaa1', 'aaa3', build.id].sort())
    const files = readdirSync(join(build.folder, 'client', 'assets'))
    expect(readdirSync(join(dataDir, 'assets', build.id)).sort()).toEqual(
      [...files, 'build.json'].sort(),
    )
  })

  it('can be copied by several processes at once, and are not copied again by the next start', async () => {
    const dataDir = folder('kept')
    await Promise.all(Array.from({ length: 4 }, () => keepBuildAssets(build, dataDir, log)))
    expect(keptIn(dataDir)).toEqual([build.id])
    const sample = join(dataDir, 'assets', build.id, 'mark')
    writeFileSync(sample, '')
    await keepBuildAssets(build, dataDir, log)
    expect(existsSync(sample)).toBe(true)
  })

  it('that a killed process copied partly are deleted later and never served', async () => {
    const dataDir = folder('kept')
    const half = join(dataDir, 'assets', '.aaa1.half')
    mkdirSync(half, { recursive: true })
    await keepBuildAssets(build, dataDir, log)
    expect(existsSync(half)).toBe(true)
    const old = new Date(Date.now() - 2 * 3_600_000)
    utimesSync(half, old, old)
    await keepBuildAssets(build, dataDir, log)
    expect(existsSync(half)).toBe(false)
  })

  it('that cannot be written do not prevent the start', async () => {
    const dataDir = folder('kept')
    writeFileSync(join(dataDir, 'assets'), 'a file where the folder should be')
    await expect(keepBuildAssets(build, dataDir, log)).resolves.toBeUndefined()
  })

  it('of other builds are served, also of later ones, but nothing else in the folder', async () => {
    const dataDir = folder('kept')
    pastBuild(dataDir, 'aaa1', 1)
    const running = await site({ DATA_DIR: dataDir })
    const old = await running.get('/assets/page-Old.aaa1.js')
    expect([old.status, old.body, old.headers['cache-control']]).toEqual([
      200,
      '/* aaa1 */',
      'public,max-age=31536000,immutable',
    ])
    expect(old.headers['content-type']).toContain('javascript')
    await eventually(() => expect(keptIn(dataDir)).toContain(build.id))
    pastBuild(dataDir, 'aaa2', 0)
    expect((await running.get('/assets/page-Old.aaa2.js')).status).toBe(200)
    for (const path of [
      '/assets/build.json',
      '/assets/aaa1/build.json',
      '/assets/..%2fsite.db',
      '/assets/.aaa1.half',
      '/assets/%2e%2e/content.db',
      '/assets/page-Old.aaa9.js',
    ])
      expect([path, (await running.get(path)).status]).toEqual([path, 404])
  }, 120_000)

  it('of the previous build are served by the next one', async () => {
    const dataDir = folder('kept')
    const [chunk = ''] = readdirSync(join(build.folder, 'client', 'assets')).filter((name) =>
      /^page-.*\.js$/.test(name),
    )
    await keepBuildAssets(build, dataDir, log)
    // The next build is a copy of this one without that chunk.
    const next = join(folder('next'), 'dist', 'bbb2')
    cpSync(build.folder, next, {
      recursive: true,
      filter: (path) => !basename(path).startsWith(chunk),
    })
    writeFileSync(
      join(next, 'build.json'),
      JSON.stringify({
        ...(JSON.parse(readFileSync(join(next, 'build.json'), 'utf8')) as object),
        id: 'bbb2',
        timestamp: build.timestamp + 1,
      }),
    )
    await keepBuildAssets(readBuild(next), dataDir, log)
    expect(keptIn(dataDir)).toEqual([build.id, 'bbb2'].sort())
    expect(existsSync(join(dataDir, 'assets', 'bbb2', chunk))).toBe(false)
    expect(existsSync(join(dataDir, 'assets', build.id, chunk))).toBe(true)
  })
})

describe('the manifest', () => {
  it('lists the routes, and the prerendered paths of the requested host', async () => {
    const running = await site()
    const client = supertest(`http://127.0.0.1:${running.port}`)
    const meta = async (host: string): Promise<{ prerendered: string[]; matcher: unknown[] }> =>
      (await client.get(`/builds/meta/${build.id}.json`).set('Host', `${host}:${running.port}`))
        .body as { prerendered: string[]; matcher: unknown[] }
    const [en, zh, ru] = await Promise.all([
      meta('localhost'),
      meta('zh.localhost'),
      meta('ru.localhost'),
    ])
    expect(en.prerendered).toEqual(
      expect.arrayContaining([
        '/',
        '/es',
        '/jp/blog',
        '/tc/media-market',
        '/vn/use-cases',
        '/alternatives/gologin',
      ]),
    )
    expect(zh.prerendered).toEqual(expect.arrayContaining(['/', '/guide', '/media-market']))
    expect(ru.prerendered).toEqual(expect.arrayContaining(['/', '/use-cases', '/betting']))
    expect(en.matcher).toContainEqual({ id: 'single', pattern: '/{html}' })
    for (const path of ['/builds/latest.json', `/builds/meta/${build.id}.json`]) {
      const refused = await client.post(path)
      expect([path, refused.status, refused.headers['allow']]).toEqual([path, 405, 'GET, HEAD'])
    }
    expect((await client.get('/builds/latest.json?1795280147851')).body).toEqual({
      id: build.id,
      timestamp: build.timestamp,
    })
  }, 120_000)

  it('is correct: its paths are rendered in the background after readiness, and a shutdown does not wait for that', async () => {
    const running = await site({ PAGE_WARMING: 'on' })
    // Only the warm-up requests these pages; the home pages come first.
    await eventually(() => {
      const warmed = running.logs
        .filter((line) => line['cache'] === 'miss')
        .map((line) => `${String(line['host']).replace(/:\d+$/, '')}${String(line['path'])}`)
      expect(warmed).toEqual(
        expect.arrayContaining(['localhost/vn', 'localhost/es', 'zh.localhost/', 'ru.localhost/']),
      )
    }, 90_000)
    expect((await running.get('/es')).headers['cache-status']).toMatch(/^site; hit/)
    const elapsed = startStopwatch()
    await running.stop()
    expect(elapsed()).toBeLessThan(5000)
    expect(running.child.exitCode).toBe(0)
  }, 120_000)

  it('is left to visitors where PAGE_WARMING is off', async () => {
    const running = await site({ PAGE_WARMING: 'off' })
    // Warming would begin 1 s after readiness.
    await new Promise((resolve) => setTimeout(resolve, 2500))
    expect((await running.get('/es')).headers['cache-status']).toMatch(/^site; fwd=/)
  }, 120_000)
})
