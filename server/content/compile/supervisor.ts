import type Database from 'better-sqlite3'
import { fork, type ChildProcess } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Logger } from '../../telemetry/logger'
import type { ContentMessage } from '../content-message'
import { contentLock, removeEarlierVersions, takeLock } from '../data-files'

export type ContentPaths = {
  content: string
  locales: string
  public: string
  data: string
  /** Built file of the content process. */ script: string
  compiler: string
}

export type ContentSupervisor = {
  /** Version of Node of the content process; null while this process does not run it. */
  node: () => string | null
  stop: () => Promise<void>
}

/** How often a server without the lock asks for it, and how long a fallen child rests before the next, twice as long each time until one has compiled (ms). */
const retryEvery = 500
const longestRest = 10_000
/** How often whoever holds the lock looks for what earlier versions have left (ms). */
const cleanEvery = 60_000

/**
 * Runs the content process of this machine, or waits to take it over: whichever server holds the lock in the data folder
 * runs it. Servers of another version of the compiled tables have a lock and a process of their own (`data-files.ts`).
 */
export function superviseContent(paths: ContentPaths, log: Logger): ContentSupervisor {
  mkdirSync(paths.data, { recursive: true })
  let lock: Database.Database | null = null
  let child: ChildProcess | null = null
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  let rest = retryEvery
  let node: string | null = null

  function start(): void {
    const args = [
      '--content',
      paths.content,
      '--locales',
      paths.locales,
      '--public',
      paths.public,
      '--data',
      paths.data,
      '--compiler',
      paths.compiler,
    ]
    const started = fork(paths.script, args, {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      execArgv: [],
    })
    child = started
    if (started.stdout)
      createInterface({ input: started.stdout }).on('line', (line) => forward(line, log))
    if (started.stderr)
      createInterface({ input: started.stderr }).on('line', (line) =>
        log.error({ from: 'content' }, line),
      )
    // It says so when it has compiled. On a full disk it cannot, again and again, and would take a whole core.
    started.on('message', (message: ContentMessage) => {
      rest = retryEvery
      if (message.node !== node && message.node !== process.version)
        log.warn(
          { node: message.node, own: process.version },
          'the content process runs on another version of Node: Node was replaced while the site was running; restart the site',
        )
      node = message.node
    })
    started.on('exit', (code, signal) => {
      child = null
      node = null
      if (stopped) return
      log.error({ code, signal }, 'the content process ended; starting it again')
      timer = setTimeout(start, rest)
      rest = Math.min(2 * rest, longestRest)
    })
  }

  function tryLock(): void {
    if (stopped) return
    lock = takeLock(contentLock(paths.data))
    if (!lock) return void (timer = setTimeout(tryLock, retryEvery))
    start()
    clean()
  }
  /** After a reload the files of the version before stay until its last process has ended. */
  function clean(): void {
    try {
      const removed = removeEarlierVersions(paths.data)
      if (removed.length > 0) log.info({ removed }, 'content compiled for earlier versions removed')
    } catch (error) {
      log.warn({ err: error }, 'content compiled for earlier versions could not be removed')
    }
  }
  tryLock()
  const cleaning = setInterval(() => lock && clean(), cleanEvery)
  cleaning.unref()

  return {
    node: () => node,
    async stop() {
      stopped = true
      clearTimeout(timer)
      clearInterval(cleaning)
      const running = child
      if (running) {
        const ended = new Promise((resolve) => running.once('exit', resolve))
        running.kill('SIGTERM')
        await ended
      }
      lock?.close()
    },
  }
}

/** Lines of the content process are JSON; they go on under this server's logger. */
function forward(line: string, log: Logger): void {
  try {
    const { level, msg, ...fields } = JSON.parse(line) as { level: 'info' | 'warn'; msg: string }
    log[level]({ from: 'content', ...fields }, msg)
  } catch {
    log.info({ from: 'content' }, line)
  }
}
