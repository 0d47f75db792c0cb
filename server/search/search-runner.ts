import { fork, type ChildProcess } from 'node:child_process'
import type { SearchResult } from '../../shared/search-result'
import { SiteError } from '../errors'
import type { Logger } from '../telemetry/logger'
import type { Reply } from './search-process'
import type { SearchRequest } from './searcher'

export type SearchRunnerOptions = {
  /** Built file of the search process, and the content database that it reads. */
  script: string
  database: string
  log: Logger
}

/** A search that takes longer is ended by killing the process. */
const searchTimeoutMs = 2000
/** Not counted as time of a search. A start takes 0.2 s of processor time. */
const startTimeoutMs = 10_000

type SearchProcess = {
  child: ChildProcess
  started: Promise<Outcome>
  hasExited: () => boolean
  exited: Promise<void>
}
type Outcome = Reply | 'started' | 'exited' | 'timeout'

function startProcess({ script, database, log }: SearchRunnerOptions): SearchProcess {
  const child = fork(script, [database], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    execArgv: ['--max-old-space-size=256'],
    env: {},
  })
  // An idle search process does not keep the server running.
  child.unref()
  child.channel?.unref()
  let hasExited = false
  const exited = new Promise<void>((resolve) => {
    const end = (): void => resolve(void (hasExited = true))
    child.once('exit', end)
    child.once('error', (error) => {
      log.error({ err: error }, 'the search process failed')
      end()
    })
  })
  const started = nextMessage(child, startTimeoutMs)
  return { child, started, hasExited: () => hasExited, exited }
}

/** The next message of the process, its end, or the timeout. */
function nextMessage(child: ChildProcess, timeoutMs: number): Promise<Outcome> {
  return new Promise((resolve) => {
    const end = (): void => settle('exited')
    const timer = setTimeout(() => settle('timeout'), timeoutMs)
    const settle = (outcome: Outcome): void => {
      clearTimeout(timer)
      child.off('message', settle).off('exit', end).off('error', end)
      resolve(outcome)
    }
    child.once('message', settle).once('exit', end).once('error', end)
  })
}

/**
 * Runs searches in a child process, one at a time. A search that takes too long is ended by killing
 * the process: SQLite cannot be interrupted, and a thread would go on until the query has ended
 * (decision 88). The next search starts a new process, after the old one has exited. A search that
 * fails rejects with a `SiteError` (503).
 */
export function createSearchRunner(options: SearchRunnerOptions) {
  const { log } = options
  let current: SearchProcess | null = null

  async function ask(running: SearchProcess, request: SearchRequest): Promise<Outcome> {
    const { child, started } = running
    const start = await started
    if (start !== 'started') return start
    child.send(request, (error) => error && child.kill('SIGKILL'))
    return nextMessage(child, searchTimeoutMs)
  }

  async function end(running: SearchProcess): Promise<void> {
    if (current === running) current = null
    running.child.kill('SIGKILL')
    await running.exited
  }

  return {
    async run(request: SearchRequest): Promise<SearchResult> {
      // It has ended between two searches: by the out-of-memory killer, for example.
      if (current?.hasExited()) current = null
      const running = (current ??= startProcess(options))
      const outcome = await ask(running, request)
      if (typeof outcome === 'object' && 'result' in outcome) return outcome.result
      if (typeof outcome === 'object') log.error({ reason: outcome.error }, 'a search failed')
      // It is not the current one when the server is closing.
      else if (current === running) {
        log.error({ outcome }, 'a search was ended; the next one starts a new search process')
        await end(running)
      }
      throw new SiteError('searchBusy')
    },
    async close(): Promise<void> {
      if (current) await end(current)
    },
  }
}
