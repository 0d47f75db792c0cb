/**
 * Starts one process of the built site for a soak test and records its errors, its memory and its
 * exit.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { build } from '../scripts/prepare.mjs'
import { nodeOptions } from '../scripts/node-options.cjs'
import { root } from '../testing/root'
import { operator, opsToken } from '../testing/site'
import type { LoadResult } from '../testing/steady-load'
import { childrenOf } from '../testing/processes'
import { residentMiB } from './load'
import { countAnswers, percentile } from './soak-load'

/** Without a compiled database the site compiles all content before it is ready. */
const readyTimeoutMs = 600_000
/** The site itself ends a shutdown after 8.5 s. */
const stopTimeoutMs = 30_000
const purgeIntervalMs = 5000
const maxTailBytes = 65_536
const maxShownErrors = 10

export type Ended = { code: number | null; signal: NodeJS.Signals | null }
export type SoakSite = {
  port: number
  pid: number
  /** Lines of the log with level error or fatal. */
  errorLines: string[]
  /** The last lines of the log. */
  logTail: () => string
  ended: Promise<Ended>
  /** Sends SIGTERM, and SIGKILL when the process does not exit in time. */
  stop: () => Promise<Ended>
}

const isErrorLine = (line: string): boolean => /^\{"level":"(error|fatal)"/.test(line)

type SiteLog = Pick<SoakSite, 'errorLines' | 'logTail'> & {
  /** Port of the site when it is ready; null when it logs an error first. */
  ready: Promise<number | null>
}

/**
 * Reads the log at its production level, one line a request. Stores only errors and the last lines,
 * because hours of log would fill the memory.
 */
function readLog(child: ChildProcess): SiteLog {
  const errorLines: string[] = []
  let tail = ''
  let partial = ''
  const ready = new Promise<number | null>((resolve) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      const text = chunk.toString('latin1')
      tail = (tail + text).slice(-maxTailBytes)
      const lines = (partial + text).split('\n')
      partial = lines.pop() ?? ''
      errorLines.push(...lines.filter(isErrorLine))
      // A content process that aborts is restarted forever, and the site would never become ready.
      if (errorLines.length > 0) resolve(null)
      const line = lines.find((one) => one.endsWith('"msg":"ready"}'))
      if (line) resolve((JSON.parse(line) as { port: number }).port)
    })
  })
  return { errorLines, logTail: () => tail, ready }
}

type StartOptions = { node?: string; env?: Record<string, string> }

/**
 * Starts the site and waits until it is ready. `BUILD_FOLDER` selects another build than that of
 * the current sources.
 */
export async function startSoakSite(
  dataDir: string,
  { node = process.execPath, env = {} }: StartOptions = {},
): Promise<SoakSite> {
  const folder = process.env['BUILD_FOLDER'] ?? build(root)
  const rates = {
    RATE_OTHER: '0',
    RATE_VISITOR: '0',
    RATE_EVENTS: '0',
    RATE_SEARCH: '0',
    RATE_MISS: '0',
  }
  const child = spawn(node, [...nodeOptions, join(folder, 'server', 'main.js')], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env['PATH'],
      PORT: '0',
      HOST: '127.0.0.1',
      NODE_ENV: 'production',
      DATA_DIR: dataDir,
      OPS_TOKEN: opsToken,
      ...rates,
      ...env,
    },
  })
  const { ready, ...log } = readLog(child)
  const ended = new Promise<Ended>((resolve) => {
    child.once('error', () => resolve({ code: null, signal: null }))
    child.once('close', (code, signal) => resolve({ code, signal }))
  })
  // An interrupted soak test must not leave the site running.
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
      `the site failed before it was ready:\n${log.errorLines.slice(0, maxShownErrors).join('\n') || log.logTail()}`,
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

/** Purges the page cache repeatedly, which causes misses. Returns a function that stops it. */
export function purgeRepeatedly({ port }: SoakSite): () => void {
  const headers = { ...operator, 'content-type': 'application/json' }
  const purge = async (): Promise<void> => {
    const answer = await fetch(`http://127.0.0.1:${port}/_ops/cache/purge`, {
      method: 'POST',
      headers,
      body: '{"all":true}',
    })
    await answer.arrayBuffer()
  }
  // The load detects a site that does not answer.
  const timer = setInterval(() => void purge().catch(() => undefined), purgeIntervalMs)
  return () => clearInterval(timer)
}

export type MemorySeries = Array<readonly [minute: number, megabytes: number]>

/** Prints memory and answers while a load runs for some minutes. Ends early when the site exits. */
export async function observeLoad(
  site: SoakSite,
  result: LoadResult,
  minutes: number,
): Promise<MemorySeries> {
  const pollIntervalMs = Math.min(30_000, (minutes * 60_000) / 6)
  const series: MemorySeries = []
  const startedAt = performance.now()
  let isRunning = true
  void site.ended.then(() => (isRunning = false))
  while (isRunning && performance.now() - startedAt < minutes * 60_000) {
    await Promise.race([sleep(pollIntervalMs), site.ended])
    const minute = (performance.now() - startedAt) / 60_000
    series.push([minute, residentMiB(site.pid)])
    // Removed from the result, because the times of millions of answers would fill the memory.
    const p99 = percentile(result.times.splice(0), 0.99)
    const memory = [site.pid, ...childrenOf(site.pid)]
      .map((pid) => residentMiB(pid).toFixed(0))
      .join(' + ')
    console.log(
      `${minute.toFixed(1)} min: ${memory} MiB, ${countAnswers(result)} answers, p99 ${p99.toFixed(0)} ms, lost ${JSON.stringify(result.lost)}`,
    )
  }
  return series
}

/** Slope by least squares (MiB a minute). */
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
