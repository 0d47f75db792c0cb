import type Database from 'better-sqlite3'
import { fork, type ChildProcess } from 'node:child_process'
import { statSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import { openDataFolder } from '../../db/data-folder'
import { SettingsError } from '../../env'
import type { Logger } from '../../telemetry/logger'
import { contentLock, removeUnusedVersions, takeLock } from '../data-files'

/**
 * Sent by the content process after each compile. `generation` is the number of the new content,
 * `node` the process's `process.version`.
 */
export type ContentMessage = { type: 'compiled'; generation: number; node: string }

type ContentPaths = {
  content: string
  locales: string
  public: string
  data: string
  /** Built file of the content process. */
  script: string
  /** Ids of the build, see `Sources`. */
  compiler: string
  routes: string
}

export type ContentSupervisor = {
  /** Version of Node of the content process; null while this process does not run it. */
  nodeVersion: () => string | null
  stop: () => Promise<void>
}

/** Throws where `CONTENT_DIR` is no folder: the site would start, and show no articles. */
export function assertContentFolder(folder: string): void {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new SettingsError(
      `CONTENT_DIR=${JSON.stringify(folder)} is not accepted: a folder that exists`,
    )
}

const lockRetryMs = 500
/** Delay before a content process that ended is started again. It doubles until one compiles. */
const minRestartDelayMs = 500
const maxRestartDelayMs = 10_000
const cleanupIntervalMs = 60_000

/**
 * Runs the content process of this machine, or waits for its turn: the server that holds the lock
 * in the data folder runs it (decision 3). Servers whose tables have another version have their
 * own lock and process (`data-files.ts`).
 */
export function superviseContent(paths: ContentPaths, log: Logger): ContentSupervisor {
  openDataFolder(paths.data)
  let lock: Database.Database | null = null
  let timer: NodeJS.Timeout | undefined
  const runner = createProcessRunner(paths, log)

  function waitForLock(): void {
    lock = takeLock(contentLock(paths.data))
    if (!lock) {
      timer = setTimeout(waitForLock, lockRetryMs)
      return
    }
    runner.start()
    cleanUp(paths.data, log)
  }
  waitForLock()
  // After a reload, the files of the previous version are used until its last process has ended.
  const cleanupTimer = setInterval(() => lock && cleanUp(paths.data, log), cleanupIntervalMs)
  cleanupTimer.unref()

  return {
    nodeVersion: runner.nodeVersion,
    async stop() {
      clearTimeout(timer)
      clearInterval(cleanupTimer)
      await runner.stop()
      lock?.close()
    },
  }
}

/** Starts the content process, and starts it again when it ends. */
function createProcessRunner(paths: ContentPaths, log: Logger) {
  let child: ChildProcess | null = null
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  let restartDelayMs = minRestartDelayMs
  let nodeVersion: string | null = null

  function restartLater(reason: object): void {
    child = null
    nodeVersion = null
    if (isStopped) return
    log.error(reason, 'the content process ended; starting it again')
    // On a full disk a process ends before its first message, again and again; without the delay
    // that would take a whole core.
    timer = setTimeout(start, restartDelayMs)
    restartDelayMs = Math.min(2 * restartDelayMs, maxRestartDelayMs)
  }

  function start(): void {
    try {
      child = forkContentProcess(paths, log)
    } catch (error) {
      // Without memory for another process, for example.
      restartLater({ err: error })
      return
    }
    child.on('message', ({ node }: ContentMessage) => {
      restartDelayMs = minRestartDelayMs
      if (node !== nodeVersion && node !== process.version)
        log.warn(
          { node, own: process.version },
          'the content process runs on another version of Node: Node was replaced while the site was running; restart the site',
        )
      nodeVersion = node
    })
    child.once('exit', (code, signal) => restartLater({ code, signal }))
    // Comes instead of `exit` when the process cannot be started.
    child.once('error', (error) => restartLater({ err: error }))
  }

  return {
    start,
    nodeVersion: () => nodeVersion,
    async stop(): Promise<void> {
      isStopped = true
      clearTimeout(timer)
      const running = child
      if (!running) return
      const ended = new Promise((resolve) => running.once('exit', resolve).once('error', resolve))
      running.kill('SIGTERM')
      await ended
    },
  }
}

function forkContentProcess(paths: ContentPaths, log: Logger): ChildProcess {
  const { content, locales, public: publicFolder, data, script, compiler, routes } = paths
  const options = { content, locales, public: publicFolder, data, compiler, routes }
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value])
  const child = fork(script, args, { stdio: ['ignore', 'pipe', 'pipe', 'ipc'], execArgv: [] })
  if (child.stdout)
    createInterface({ input: child.stdout }).on('line', (line) => forwardLine(line, log))
  if (child.stderr)
    createInterface({ input: child.stderr }).on('line', (line) =>
      log.error({ from: 'content' }, line),
    )
  return child
}

const logLineSchema = z.looseObject({ level: z.enum(['info', 'warn']), msg: z.string() })

/** The content process logs JSON lines; they are logged again by this server's logger. */
function forwardLine(line: string, log: Logger): void {
  try {
    const { level, msg, ...fields } = logLineSchema.parse(JSON.parse(line))
    log[level]({ from: 'content', ...fields }, msg)
  } catch {
    log.info({ from: 'content' }, line)
  }
}

function cleanUp(data: string, log: Logger): void {
  try {
    const removed = removeUnusedVersions(data)
    if (removed.length > 0) log.info({ removed }, 'content compiled for other versions removed')
  } catch (error) {
    log.warn({ err: error }, 'content compiled for other versions could not be removed')
  }
}
