/**
 * `npm run soak -- reloads [times] [pause]`: reloads the site under the real PM2 with 64 connections, kept ones and those of new visitors, slow requests and posts among them; `pause` (ms) between
 * the requests of a connection keeps the load bearable where the machine has other work. Exits with 1 when a request fails or an acknowledged post is missing.
 */
import Database from 'better-sqlite3'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { testPm2 } from '../testing/pm2'
import { seedContent, temporaryFolder } from '../testing/site'
import { steadyLoad } from '../testing/steady-load'
import { freePort } from '../testing/upstream'
import { answered, lostOf, refused, sleep, soakPages, untilReady, vote } from './soak-load'

const times = Number(process.argv[2] ?? 10)
const pause = Number(process.argv[3] ?? 0)
const connections = 64
const wanted = 50_000
/** How long a slow request is out (ms), and how many in a hundred are slow. */
const slow = 1500
const slowShare = 0.5

async function main(): Promise<void> {
  const dataDir = seedContent(temporaryFolder('soak-reloads'))
  const port = await freePort()
  const pm2 = testPm2({
    PORT: String(port),
    HOST: '127.0.0.1',
    DATA_DIR: dataDir,
    WEB_CONCURRENCY: '2',
    RATE_OTHER: '1000000',
    RATE_MESSAGES: '1000000',
    LOG_LEVEL: 'warn',
  })
  try {
    await pm2.reload()
    await untilReady(port)
    const before = new Set((await pm2.list()).map(({ pid }) => pid))
    let votes = 0
    const load = steadyLoad(
      port,
      connections,
      (index) => {
        const isSlow = Math.random() * 100 < slowShare
        if (!isSlow && index % 10 !== 0)
          return { path: soakPages[index % soakPages.length] ?? '/', fresh: index % 8 === 0 }
        votes += 1
        return isSlow ? { ...vote, slowly: slow } : vote
      },
      pause,
    )
    const began = performance.now()
    for (let time = 1; time <= times; time += 1) {
      await pm2.reload()
      const pids = (await pm2.list()).map(({ pid }) => pid)
      const kept = pids.filter((pid) => before.has(pid))
      pids.forEach((pid) => before.add(pid))
      console.log(
        `reload ${time}: ${answered(load.result)} answers so far, lost ${JSON.stringify(load.result.lost)}${kept.length > 0 ? `; NOT REPLACED: ${kept.join(', ')}` : ''}`,
      )
      if (kept.length > 0) process.exitCode = 1
    }
    while (times >= 10 && answered(load.result) < wanted) await sleep(100)
    const result = await load.stop()
    const db = new Database(join(dataDir, 'site.db'), { readonly: true })
    const { stored } = db.prepare('SELECT count(*) AS stored FROM helpful_votes').get() as {
      stored: number
    }
    db.close()
    console.log(
      `${times} reloads in ${((performance.now() - began) / 1000).toFixed(1)} s at ${connections} connections: ${answered(result)} answers ${JSON.stringify(result.answers)}, lost ${JSON.stringify(result.lost)}, ${result.closed} connections told to end; ${votes} posts, ${stored} stored`,
    )
    if (refused(result) + lostOf(result) > 0 || stored !== votes) process.exitCode = 1
    console.log(process.exitCode ? 'FAILED' : 'ok: no request failed, every post is stored')
  } finally {
    await pm2.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

void main()
