/**
 * `npm run soak -- disk-full [pause]`: fills the disk under DATA_DIR (a small tmpfs, which needs
 * Linux and root) under a load of reads and writes, then frees the space. While the disk is full,
 * pages must be served and writes must be stored or refused with 503. With free space every request
 * must succeed, and no acknowledged write may be missing. A process that is killed and started on
 * the full disk must serve pages too. Exits with 1 when a check fails. `pause` is the time (ms)
 * between the requests of a connection.
 */
import Database from 'better-sqlite3'
import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { build } from '../scripts/prepare.mjs'
import { root } from '../testing/root'
import { temporaryFolder } from '../testing/release-with-tests'
import { seedContent } from '../testing/site'
import { steadyLoad, type LoadResult } from '../testing/steady-load'
import { callApi } from '../testing/call-api'
import { startSite, type Server } from './servers'
import { countLost, soakPages, vote, waitUntil } from './soak-load'

const pauseMs = Number(process.argv[2] ?? 40)
const connections = 32
const diskSizeMiB = 160
const fullPhaseMs = 10_000

/** Writes a file until the disk is full. Returns a function that removes the file. */
function fill(folder: string): () => void {
  const file = join(folder, 'filler')
  const fd = openSync(file, 'w')
  for (let size = 1 << 20; size >= 1; size = size > 1 ? size >> 2 : 0) {
    try {
      for (;;) writeSync(fd, Buffer.alloc(size))
    } catch {
      // The disk is full for this size; smaller pieces may still fit.
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
    ['-t', 'tmpfs', '-o', `size=${diskSizeMiB}m`, 'tmpfs', dataDir],
    { encoding: 'utf8' },
  )
  if (mounted.status !== 0) {
    console.error(`cannot mount a tmpfs on ${dataDir}: ${mounted.stderr || String(mounted.error)}`)
    rmSync(dataDir, { recursive: true, force: true })
    process.exitCode = 1
    return
  }
  build(root)
  seedContent(dataDir)
  // Pages expire after 1 s, so that stale copies and the log are written to disk all the time.
  const env = {
    DATA_DIR: dataDir,
    RATE_OTHER: '1000000',
    RATE_VISITOR: '1000000',
    PAGE_CACHE_TTL_MS: '1000',
    LOG_FILE: join(dataDir, 'logs', 'site.log'),
  }
  let site: Server | null = await startSite(env)
  try {
    let [acknowledged, sent] = [0, 0]
    async function phase(name: string, milliseconds: number): Promise<Phase> {
      const current: Phase = { name, pages: {}, writes: {}, lost: 0 }
      const count = (counts: Record<number, number>) => (status: number) =>
        void (counts[status] = (counts[status] ?? 0) + 1)
      const load = steadyLoad(
        site?.port ?? 0,
        connections,
        (index) => {
          if (index % 4 !== 0)
            return {
              path: soakPages[index % soakPages.length] ?? '/',
              answered: count(current.pages),
            }
          sent += 1
          return {
            ...vote,
            answered: (status) => {
              count(current.writes)(status)
              if (status === 200) acknowledged += 1
            },
          }
        },
        pauseMs,
      )
      await sleep(milliseconds)
      const result: LoadResult = await load.stop()
      current.lost = countLost(result)
      const { bavail, bsize } = statfsSync(dataDir)
      console.log(
        `${name}: pages ${JSON.stringify(current.pages)}, writes ${JSON.stringify(current.writes)}, lost ${JSON.stringify(result.lost)}; ${Math.round((bavail * bsize) / 1024)} KiB free`,
      )
      return current
    }
    const only = (counts: Record<number, number>, ...statuses: number[]): boolean =>
      Object.keys(counts).every((status) => statuses.includes(Number(status)))
    const expect = (what: string, isMet: boolean): void => {
      if (isMet) return
      console.log(`FAILED: ${what}`)
      process.exitCode = 1
    }
    const before = await phase('free space', 5000)
    expect(
      'with free space every request succeeds',
      only(before.pages, 200) && only(before.writes, 200) && before.lost === 0,
    )

    let freeSpace = fill(dataDir)
    const full = await phase('full', fullPhaseMs)
    expect('pages are served while the disk is full', only(full.pages, 200) && full.lost === 0)
    expect(
      'writes are stored or refused with 503 while the disk is full',
      only(full.writes, 200, 503),
    )
    expect('a full disk refuses writes', (full.writes[503] ?? 0) > 0)
    expect('the process is still running', existsSync(`/proc/${site.pid}`))

    freeSpace()
    const freedAt = performance.now()
    const port = site.port
    const recovered = await waitUntil(
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
    console.log(
      `free space again: the first write is accepted after ${Math.round(performance.now() - freedAt)} ms`,
    )
    const after = await phase('free space again', 5000)
    expect(
      'with free space again every request succeeds',
      recovered && only(after.pages, 200) && only(after.writes, 200) && after.lost === 0,
    )

    freeSpace = fill(dataDir)
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
      const restarted = await phase('started while full', 5000)
      expect(
        'a process started on the full disk serves pages',
        only(restarted.pages, 200) && only(restarted.writes, 200, 503) && restarted.lost === 0,
      )
      freeSpace()
      await waitUntil(
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
      const last = await phase('free space after the restart', 3000)
      expect(
        'with free space after the restart every request succeeds',
        only(last.pages, 200) && only(last.writes, 200) && last.lost === 0,
      )
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
        : 'ok: pages were served throughout, no acknowledged write is missing, the site recovered by itself',
    )
  } finally {
    await site?.stop()
    spawnSync('umount', [dataDir])
    rmSync(dataDir, { recursive: true, force: true })
  }
}

void main()
