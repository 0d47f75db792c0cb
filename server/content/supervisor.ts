import Database from 'better-sqlite3'
import { fork, type ChildProcess } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Logger } from '../log'
import { isSqliteError } from './database'

export type ContentPaths = { content: string; locales: string; public: string; data: string; /** Built file of the content process. */ script: string; compiler: string }

/** How often a server without the lock asks for it, and how long a fallen child rests before the next (ms). */
const retryEvery = 500

/**
 * Runs the content process of this machine, or waits to take it over: whichever server holds the lock in the data folder
 * runs it. The lock is an open transaction on a file, so the system lets it go when its holder dies, however it dies.
 */
export function superviseContent(paths: ContentPaths, log: Logger): { stop: () => Promise<void> } {
  mkdirSync(paths.data, { recursive: true })
  let lock: Database.Database | null = null
  let child: ChildProcess | null = null
  let timer: NodeJS.Timeout | undefined
  let stopped = false

  function acquire(): boolean {
    const db = new Database(join(paths.data, 'content.lock'), { timeout: 0 })
    try {
      db.exec('BEGIN EXCLUSIVE')
      lock = db
      return true
    } catch (error) {
      db.close()
      if (isSqliteError(error) && error.code.startsWith('SQLITE_BUSY')) return false
      throw error
    }
  }

  function start(): void {
    const args = ['--content', paths.content, '--locales', paths.locales, '--public', paths.public, '--database', join(paths.data, 'content.db'), '--compiler', paths.compiler]
    const started = fork(paths.script, args, { stdio: ['ignore', 'pipe', 'pipe', 'ipc'], execArgv: [] })
    child = started
    if (started.stdout) createInterface({ input: started.stdout }).on('line', (line) => forward(line, log))
    if (started.stderr) createInterface({ input: started.stderr }).on('line', (line) => log.error({ from: 'content' }, line))
    started.on('exit', (code, signal) => {
      child = null
      if (stopped) return
      log.error({ code, signal }, 'the content process ended; starting it again')
      timer = setTimeout(start, retryEvery)
    })
  }

  function tryLock(): void {
    if (stopped) return
    if (acquire()) start()
    else timer = setTimeout(tryLock, retryEvery)
  }
  tryLock()

  return {
    async stop() {
      stopped = true
      clearTimeout(timer)
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
