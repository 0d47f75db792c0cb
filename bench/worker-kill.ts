/**
 * `npm run soak -- worker-kill [rounds] [pause]`: kills one of two processes under the real PM2 (SIGKILL) while 64 connections ask, again and again. Only what was out
 * on its own connections may be lost, no acknowledged post, and its successor must serve. Exits with 1 when not; how long that takes is printed.
 */
import Database from 'better-sqlite3'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { testPm2 } from '../testing/pm2'
import { seedContent, temporaryFolder } from '../testing/site'
import { steadyLoad } from '../testing/steady-load'
import { freePort } from '../testing/upstream'
import { childrenOf } from './load'
import {
  answered,
  lostOf,
  peersOf,
  refused,
  sleep,
  soakPages,
  untilReady,
  vote,
  within,
} from './soak-load'

const rounds = Number(process.argv[2] ?? 5)
const pause = Number(process.argv[3] ?? 20)
const connections = 64
const patience = 30_000

const parentOf = (pid: number): number =>
  Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)

async function main(): Promise<void> {
  const dataDir = seedContent(temporaryFolder('soak-worker-kill'))
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
    let pids = (await pm2.list()).map(({ pid }) => pid)
    const daemon = parentOf(pids[0] ?? 0)
    let [sent, acknowledged] = [0, 0]
    const load = steadyLoad(
      port,
      connections,
      (index) => {
        if (index % 10 !== 0)
          return { path: soakPages[index % soakPages.length] ?? '/', fresh: index % 8 === 0 }
        sent += 1
        return { ...vote, answered: (status) => (acknowledged += status === 200 ? 1 : 0) }
      },
      pause,
    )
    await sleep(2000)
    for (let round = 1; round <= rounds; round += 1) {
      const [victim = 0, ...others] = pids
      const survivors = others.flatMap((pid) => [...peersOf(pid, port)])
      const own = peersOf(victim, port).size
      const before = { lost: load.result.lostOn.length, all: lostOf(load.result) }
      process.kill(victim, 'SIGKILL')
      const killed = performance.now()
      survivors.push(...others.flatMap((pid) => [...peersOf(pid, port)]))
      let successor = 0
      const found = await within(
        patience,
        () => (successor = childrenOf(daemon).find((pid) => !pids.includes(pid)) ?? 0) > 0,
      )
      const bornAfter = performance.now() - killed
      // It listens when it is ready, so whoever has a visitor serves.
      const serves = found && (await within(patience, () => peersOf(successor, port).size > 0))
      const backAfter = performance.now() - killed
      await sleep(1000)
      const lost = lostOf(load.result) - before.all
      const elsewhere = load.result.lostOn
        .slice(before.lost)
        .filter((local) => survivors.includes(local)).length
      const bad = !serves || elsewhere > 0 || lost > own + 1
      console.log(
        `round ${round}: killed with ${own} connections of its own; lost ${lost}, ${elsewhere} of them on connections of others; successor started after ${Math.round(bornAfter)} ms, served after ${Math.round(backAfter)} ms${bad ? ': BAD' : ''}`,
      )
      if (bad) process.exitCode = 1
      pids = [...others, successor]
    }
    const result = await load.stop()
    const db = new Database(join(dataDir, 'site.db'), { readonly: true })
    const { stored } = db.prepare('SELECT count(*) AS stored FROM helpful_votes').get() as {
      stored: number
    }
    db.close()
    console.log(
      `${rounds} kills at ${connections} connections: ${answered(result)} answers ${JSON.stringify(result.answers)}, lost ${JSON.stringify(result.lost)}; ${sent} posts, ${acknowledged} acknowledged, ${stored} stored`,
    )
    // At each kill the primary may be handing one connection to the process that dies: nobody ever answers on it.
    if (
      refused(result) > 0 ||
      (result.lost['no answer'] ?? 0) > rounds ||
      stored < acknowledged ||
      stored > sent
    )
      process.exitCode = 1
    console.log(
      process.exitCode
        ? 'FAILED'
        : 'ok: only requests of the killed processes are lost, no acknowledged post',
    )
  } finally {
    await pm2.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

void main()
