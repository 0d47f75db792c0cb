/**
 * `npm run soak -- disk-full [pause]`: fills the disk under DATA_DIR (a small tmpfs: needs Linux and root) while visitors read and write, and makes room again. Pages must go on,
 * writes be stored or refused with 503, all must be well when there is room, and no acknowledged write may be missing. A process that is killed and started on the full disk must
 * serve pages too. Exits with 1 when not.
 */
import Database from 'better-sqlite3'
import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { build } from '../scripts/prepare.mjs'
import { root } from '../testing/root'
import { seedContent, temporaryFolder } from '../testing/site'
import { steadyLoad, type LoadResult } from '../testing/steady-load'
import { callApi } from '../testing/call-api'
import { startSite, type Server } from './servers'
import { lostOf, sleep, soakPages, vote, within } from './soak-load'

const pause = Number(process.argv[2] ?? 40)
const connections = 32
const megabytes = 160
const fullFor = 10_000

/** Writes until nothing fits any more; answers what removes it. */
function fill(folder: string): () => void {
  const file = join(folder, 'filler')
  const fd = openSync(file, 'w')
  for (let size = 1 << 20; size >= 1; size = size > 1 ? size >> 2 : 0) {
    try {
      for (;;) writeSync(fd, Buffer.alloc(size))
    } catch {
      // Smaller pieces may still fit.
    }
  }
  closeSync(fd)
  return () => rmSync(file)
}

type Phase = {
  name: string
  pages: Record<number, number>
  writes: Record<number, number>
  lost: number
}

async function main(): Promise<void> {
  const dataDir = temporaryFolder('soak-disk-full')
  const mounted = spawnSync(
    'mount',
    ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', dataDir],
    { encoding: 'utf8' },
  )
  if (mounted.status !== 0) {
    console.error(
      `a file system of its own cannot be mounted here: ${mounted.stderr || String(mounted.error)}`,
    )
    rmSync(dataDir, { recursive: true, force: true })
    process.exitCode = 1
    return
  }
  build(root)
  seedContent(dataDir)
  // Pages are made again all the time, and their copies written to the disk; so is the log.
  const env = {
    DATA_DIR: dataDir,
    RATE_OTHER: '1000000',
    RATE_MESSAGES: '1000000',
    PAGE_CACHE_TTL_MS: '1000',
    LOG_FILE: join(dataDir, 'logs', 'site.log'),
  }
  let site: Server | null = await startSite(env)
  try {
    let [acknowledged, sent] = [0, 0]
    async function phase(name: string, milliseconds: number): Promise<Phase> {
      const now: Phase = { name, pages: {}, writes: {}, lost: 0 }
      const count = (counts: Record<number, number>) => (status: number) =>
        void (counts[status] = (counts[status] ?? 0) + 1)
      const load = steadyLoad(
        site?.port ?? 0,
        connections,
        (index) => {
          if (index % 4 !== 0)
            return { path: soakPages[index % soakPages.length] ?? '/', answered: count(now.pages) }
          sent += 1
          return {
            ...vote,
            answered: (status) => {
              count(now.writes)(status)
              if (status === 200) acknowledged += 1
            },
          }
        },
        pause,
      )
      await sleep(milliseconds)
      const result: LoadResult = await load.stop()
      now.lost = lostOf(result)
      const { bavail, bsize } = statfsSync(dataDir)
      console.log(
        `${name}: pages ${JSON.stringify(now.pages)}, writes ${JSON.stringify(now.writes)}, lost ${JSON.stringify(result.lost)}; ${Math.round((bavail * bsize) / 1024)} KiB free`,
      )
      return now
    }
    const only = (counts: Record<number, number>, ...statuses: number[]): boolean =>
      Object.keys(counts).every((status) => statuses.includes(Number(status)))
    const expect = (what: string, holds: boolean): void => {
      if (holds) return
      console.log(`BAD: ${what}`)
      process.exitCode = 1
    }
    const before = await phase('room', 5000)
    expect(
      'with room everything is well',
      only(before.pages, 200) && only(before.writes, 200) && before.lost === 0,
    )

    let makeRoom = fill(dataDir)
    const full = await phase('full', fullFor)
    expect('pages go on', only(full.pages, 200) && full.lost === 0)
    expect('writes are stored or refused with 503', only(full.writes, 200, 503))
    expect('a full disk refuses writes', (full.writes[503] ?? 0) > 0)
    expect('the process lives', existsSync(`/proc/${site.pid}`))

    makeRoom()
    const roomAt = performance.now()
    const port = site.port
    const recovered = await within(
      30_000,
      async () =>
        (
          await callApi(port, '/site/helpful', {
            body: vote.body ?? '',
            headers: { 'content-type': 'application/json' },
          }).catch(() => null)
        )?.status === 200,
    )
    sent += 1
    acknowledged += recovered ? 1 : 0
    console.log(`room again: a write is taken after ${Math.round(performance.now() - roomAt)} ms`)
    const after = await phase('room again', 5000)
    expect(
      'with room again everything is well',
      recovered && only(after.pages, 200) && only(after.writes, 200) && after.lost === 0,
    )

    makeRoom = fill(dataDir)
    process.kill(site.pid, 'SIGKILL')
    await site.stop()
    site = null
    const restart = await Promise.race([
      startSite(env).catch((error: Error) => error.message),
      sleep(30_000).then(() => 'not ready within 30 s'),
    ])
    if (typeof restart === 'string')
      expect(`a process starts on the full disk: ${restart.slice(0, 300)}`, false)
    else {
      site = restart
      const reborn = await phase('started while full', 5000)
      expect(
        'pages after a start on the full disk',
        only(reborn.pages, 200) && only(reborn.writes, 200, 503) && reborn.lost === 0,
      )
      makeRoom()
      await within(
        30_000,
        async () =>
          (
            await callApi(restart.port, '/site/helpful', {
              body: vote.body ?? '',
              headers: { 'content-type': 'application/json' },
            }).catch(() => null)
          )?.status === 200,
      )
      sent += 1
      const last = await phase('room at last', 3000)
      expect('and with room', only(last.pages, 200) && only(last.writes, 200) && last.lost === 0)
    }
    await site?.stop()
    site = null
    const db = new Database(join(dataDir, 'site.db'), { readonly: true })
    const { stored } = db.prepare('SELECT count(*) AS stored FROM helpful_votes').get() as {
      stored: number
    }
    const integrity = String(db.pragma('integrity_check', { simple: true }))
    db.close()
    console.log(
      `${sent} writes sent, ${acknowledged} acknowledged, ${stored} stored, integrity ${integrity}`,
    )
    expect('no acknowledged write is missing', stored >= acknowledged && integrity === 'ok')
    console.log(
      process.exitCode
        ? 'FAILED'
        : 'ok: pages went on, no acknowledged write is missing, and it recovered by itself',
    )
  } finally {
    await site?.stop()
    spawnSync('umount', [dataDir])
    rmSync(dataDir, { recursive: true, force: true })
  }
}

void main()
