/**
 * `npm run soak -- reloads [times] [pause]`: reloads the site under PM2 while 64 connections send
 * requests, over keep-alive and new connections, including slow requests and posts. `pause` is the
 * time (ms) between the requests of a connection; it limits the load on a shared machine. Exits
 * with 1 when a request fails or an acknowledged post is missing.
 */
import Database from 'better-sqlite3'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { testPm2 } from '../testing/pm2'
import { temporaryFolder } from '../testing/release-with-tests'
import { seedContent } from '../testing/site'
import { steadyLoad } from '../testing/steady-load'
import { freePort } from '../testing/free-port'
import {
  countAnswers,
  countLost,
  countRefused,
  soakPages,
  untilReady,
  vote,
  waitUntil,
} from './soak-load'

const times = Number(process.argv[2] ?? 10)
const pauseMs = Number(process.argv[3] ?? 0)
const connections = 64
/** Fewer say nothing about a run of ten reloads or more. */
const minAnswers = times >= 10 ? 50_000 : 0
const answersTimeoutMs = 10 * 60_000
const slowRequestMs = 1500
const slowRequestPercent = 0.5

async function main(): Promise<void> {
  const dataDir = seedContent(temporaryFolder('soak-reloads'))
  const port = await freePort()
  const pm2 = testPm2({
    PORT: String(port),
    HOST: '127.0.0.1',
    DATA_DIR: dataDir,
    WEB_CONCURRENCY: '2',
    RATE_OTHER: '1000000',
    RATE_VISITOR: '1000000',
    LOG_LEVEL: 'warn',
  })
  try {
    await pm2.reload()
    await untilReady(port)
    const knownPids = new Set((await pm2.list()).map(({ pid }) => pid))
    let votes = 0
    const load = steadyLoad(
      port,
      connections,
      (index) => {
        const isSlow = Math.random() * 100 < slowRequestPercent
        if (!isSlow && index % 10 !== 0)
          return { path: soakPages[index % soakPages.length] ?? '/', fresh: index % 8 === 0 }
        votes += 1
        return isSlow ? { ...vote, slowly: slowRequestMs } : vote
      },
      pauseMs,
    )
    const startedAt = performance.now()
    for (let time = 1; time <= times; time += 1) {
      await pm2.reload()
      const pids = (await pm2.list()).map(({ pid }) => pid)
      const notReplaced = pids.filter((pid) => knownPids.has(pid))
      pids.forEach((pid) => knownPids.add(pid))
      console.log(
        `reload ${time}: ${countAnswers(load.result)} answers so far, lost ${JSON.stringify(load.result.lost)}${notReplaced.length > 0 ? `; NOT REPLACED: ${notReplaced.join(', ')}` : ''}`,
      )
      if (notReplaced.length > 0) process.exitCode = 1
    }
    await waitUntil(answersTimeoutMs, () => countAnswers(load.result) >= minAnswers)
    const result = await load.stop()
    const db = new Database(join(dataDir, 'site.db'), { readonly: true })
    const { stored } = db.prepare('SELECT count(*) AS stored FROM helpful_votes').get() as {
      stored: number
    }
    db.close()
    console.log(
      `${times} reloads in ${((performance.now() - startedAt) / 1000).toFixed(1)} s at ${connections} connections: ${countAnswers(result)} answers ${JSON.stringify(result.answers)}, lost ${JSON.stringify(result.lost)}, ${result.closed} connections closed by the server; ${votes} posts, ${stored} stored`,
    )
    if (countAnswers(result) < minAnswers) process.exitCode = 1
    if (countRefused(result) + countLost(result) > 0 || stored !== votes) process.exitCode = 1
    console.log(process.exitCode ? 'FAILED' : 'ok: no request failed, every post is stored')
  } finally {
    await pm2.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

void main()
