/**
 * One process of the built site for a soak: what it says about failures, its memory during a load, how it ends.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { build } from '../scripts/prepare.mjs'
import { root } from '../testing/root'
import type { LoadResult } from '../testing/steady-load'
import { childrenOf, residentMiB } from './load'
import { answered, percentile, sleep } from './soak-load'

const token = 'soak'
/** A site with other content than the starter content compiles everything before it is ready. */
const readyTimeoutMs = 600_000
/** The site itself cuts a shutdown after 8.5 s. */
const stopTimeoutMs = 30_000
const purgeIntervalMs = 5000
const longestTail = 65_536
const shownErrors = 10

export type Ended = { code: number | null; signal: NodeJS.Signals | null }
export type SoakSite = {
  port: number
  pid: number
  /** Lines of the log with level error or fatal. */
  errorLines: string[]
  /** The last lines of the log. */
  logTail: () => string
  ended: Promise<Ended>
  /** SIGTERM; a process that does not end is killed. */
  stop: () => Promise<Ended>
}

const isErrorLine = (line: string): boolean => /^\{"level":"(error|fatal)"/.test(line)

type SiteLog = Pick<SoakSite, 'errorLines' | 'logTail'> & {
  /** Port of the site when it is ready; null when it logs an error before. */
  ready: Promise<number | null>
}

/**
 * Reads the log at its production level, one line a request, and keeps only failures and the end: hours of it
 * would fill the memory.
 */
function readLog(child: ChildProcess): SiteLog {
  const errorLines: string[] = []
  let tail = ''
  let partial = ''
  const ready = new Promise<number | null>((resolve) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      const text = chunk.toString('latin1')
      tail = (tail + text).slice(-longestTail)
      const lines = (partial + text).split('\n')
      partial = lines.pop() ?? ''
      errorLines.push(...lines.filter(isErrorLine))
      // A content process that aborts is started again and again: the site would never become ready.
      if (errorLines.length > 0) resolve(null)
      const line = lines.find((one) => one.endsWith('"msg":"ready"}'))
      if (line) resolve((JSON.parse(line) as { port: number }).port)
    })
  })
  return { errorLines, logTail: () => tail, ready }
}

type StartOptions = { node?: string; env?: Record<string, string> }

/**
 * Starts the site and waits until it is ready. `BUILD_FOLDER` names another build than the one of the present
 * sources.
 */
export async function startSoakSite(
  dataDir: string,
  { node = process.execPath, env = {} }: StartOptions = {},
): Promise<SoakSite> {
  const folder = process.env['BUILD_FOLDER'] ?? build(root)
  const rates = { RATE_OTHER: '1000000', RATE_MESSAGES: '1000000', RATE_EVENTS: '1000000' }
  const child = spawn(node, [join(folder, 'server', 'main.js')], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env['PATH'],
      PORT: '0',
      HOST: '127.0.0.1',
      NODE_ENV: 'production',
      DATA_DIR: dataDir,
      OPS_TOKEN: token,
      ...rates,
      ...env,
    },
  })
  const { ready, ...log } = readLog(child)
  const ended = new Promise<Ended>((resolve) => {
    child.once('error', () => resolve({ code: null, signal: null }))
    child.once('close', (code, signal) => resolve({ code, signal }))
  })
  // A soak that is ended by hand must not leave the site behind.
  process.once('exit', () => child.kill('SIGKILL'))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  const timeout = setTimeout(() => child.kill('SIGKILL'), readyTimeoutMs)
  const port = await Promise.race([ready, ended.then(() => null)]).finally(() =>
    clearTimeout(timeout),
  )
  if (port === null) {
    child.kill('SIGKILL')
    await ended
    throw new Error(
      `the site failed before it was ready:\n${log.errorLines.slice(0, shownErrors).join('\n') || log.logTail()}`,
    )
  }
  return {
    port,
    pid: child.pid ?? 0,
    ...log,
    ended,
    async stop() {
      const cut = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs)
      child.kill('SIGTERM')
      return ended.finally(() => clearTimeout(cut))
    },
  }
}

/** Empties the page cache again and again: the requests that follow are misses. Returns what ends it. */
export function purgeRepeatedly({ port }: SoakSite): () => void {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const purge = async (): Promise<void> => {
    const answer = await fetch(`http://127.0.0.1:${port}/_ops/cache/purge`, {
      method: 'POST',
      headers,
      body: '{"all":true}',
    })
    await answer.arrayBuffer()
  }
  // A site that does not answer is noticed by the load.
  const timer = setInterval(() => void purge().catch(() => undefined), purgeIntervalMs)
  return () => clearInterval(timer)
}

export type MemorySeries = Array<readonly [minute: number, megabytes: number]>

/** Lets a load run for some minutes; prints memory and answers meanwhile. Ends early when the site does. */
export async function observeLoad(
  site: SoakSite,
  result: LoadResult,
  minutes: number,
): Promise<MemorySeries> {
  const lookIntervalMs = Math.min(30_000, (minutes * 60_000) / 6)
  const series: MemorySeries = []
  const began = performance.now()
  let isRunning = true
  void site.ended.then(() => (isRunning = false))
  while (isRunning && performance.now() - began < minutes * 60_000) {
    await Promise.race([sleep(lookIntervalMs), site.ended])
    const minute = (performance.now() - began) / 60_000
    series.push([minute, residentMiB(site.pid)])
    // Removed from the result: the times of millions of answers would fill the memory of this process.
    const p99 = percentile(result.times.splice(0), 0.99)
    const memory = [site.pid, ...childrenOf(site.pid)]
      .map((pid) => residentMiB(pid).toFixed(0))
      .join(' + ')
    console.log(
      `${minute.toFixed(1)} min: ${memory} MiB, ${answered(result)} answers, p99 ${p99.toFixed(0)} ms, lost ${JSON.stringify(result.lost)}`,
    )
  }
  return series
}

/** Least squares: how much `y` changes with one `x`. */
function slopeOf(points: MemorySeries): number {
  const meanOf = (index: 0 | 1): number =>
    points.reduce((total, point) => total + point[index], 0) / points.length
  const [meanX, meanY] = [meanOf(0), meanOf(1)]
  return (
    points.reduce((total, [x, y]) => total + (x - meanX) * (y - meanY), 0) /
    points.reduce((total, [x]) => total + (x - meanX) ** 2, 0)
  )
}

export function describeMemory(series: MemorySeries): string {
  const half = series.slice(Math.floor(series.length / 2))
  const slope = half.length > 1 ? slopeOf(half).toFixed(2) : 'not known'
  return `memory (MiB): ${series.map(([, megabytes]) => megabytes.toFixed(0)).join(' ')}; slope over the second half ${slope} MiB a minute`
}
