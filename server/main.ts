/**
 * Checks the settings, starts the site, and stops it on SIGINT and SIGTERM. Runs as a built bundle:
 * `dist/{build id}/server/main.js`.
 */
import { join, resolve } from 'node:path'
import type { ViewModule } from '../shared/view'
import { isOperatorKey } from './api/envelope/operator-key'
import { readBuild } from './build-info'
import { restrictNewFiles } from './db/data-folder'
import { isContainer, readProcessSettings, SettingsError, type Settings } from './env'
import { OperatorError } from './errors'
import { findProxyBypass } from './request/client-address'
import { startSite, type RunningSite } from './start-site'
import { createLogger, logDestination, type Logger } from './telemetry/logger'

/** Node's `require`; webpack does not replace this name. */
declare const __non_webpack_require__: NodeJS.Require

const buildFolder = resolve(__dirname, '..')
const root = resolve(buildFolder, '..', '..')

/**
 * PM2 kills the process half a second later. Connections are closed earlier, so that there is time
 * to close the database.
 */
const shutdownTimeoutMs = 8500

function readSettingsOrExit(): Settings {
  try {
    return readProcessSettings(root, isOperatorKey)
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    console.error(error.message)
    process.exit(1)
  }
}

/**
 * The kinds of resources that keep the process alive, without its output and the channel to its
 * parent.
 */
const openHandles = (): string[] =>
  process
    .getActiveResourcesInfo()
    .filter((kind) => !['TTYWrap', 'PipeWrap', 'Pipe', 'Immediate'].includes(kind))

/**
 * Stops the site on a signal, or on the message that PM2 sends on systems without signals. A second
 * signal ends the process at once.
 */
function stopOnSignal(running: RunningSite, log: Logger): void {
  let stopping = false
  const stop = (reason: string): void => {
    if (stopping) return
    stopping = true
    // Without a listener Node ends at the next signal.
    process.off('SIGINT', stop).off('SIGTERM', stop)
    log.info({ signal: reason }, 'draining')
    const timeout = setTimeout(() => {
      log.fatal('the shutdown took too long and was aborted')
      process.exit(1)
    }, shutdownTimeoutMs)
    running.stop().then(
      () => {
        clearTimeout(timeout)
        // After a turn of the event loop everything that was closed is gone. What is listed now was
        // not closed.
        setImmediate(() => {
          log.info({ open: openHandles() }, 'stopped')
          process.exit(0)
        })
      },
      (error: unknown) => {
        log.fatal({ err: error }, 'the site did not stop properly')
        process.exit(1)
      },
    )
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  process.on('message', (message) => message === 'shutdown' && stop('shutdown'))
}

async function main(): Promise<void> {
  restrictNewFiles()
  const settings = readSettingsOrExit()
  const log = createLogger(settings.LOG_LEVEL, logDestination(settings.LOG_FILE))
  // The state of the process is unknown, so the process manager must start another one.
  // Acknowledged writes are on disk.
  process.on('uncaughtException', (error, origin) => {
    log.fatal({ err: error, origin }, 'the process crashed')
    process.exit(1)
  })
  const bypass = findProxyBypass(settings, isContainer())
  if (bypass) log.warn(`${bypass.message}; ${bypass.fix}`)
  // The interface is a separate bundle, because server and client do not import each other. It
  // exports a `ViewModule`.
  const view = __non_webpack_require__(join(buildFolder, 'server', 'view.js')) as ViewModule
  try {
    const running = await startSite({ settings, build: readBuild(buildFolder), view, log, root })
    stopOnSignal(running, log)
    if (process.stdout.isTTY)
      for (const origin of Object.values(running.site.hosts.origins)) console.log(origin)
    process.send?.('ready')
  } catch (error) {
    if (error instanceof SettingsError || error instanceof OperatorError)
      console.error(error.message)
    else log.fatal({ err: error }, 'the site could not start')
    process.exit(1)
  }
}

void main()
