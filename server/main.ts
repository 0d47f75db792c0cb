/** Checks settings, starts the site, drains it on SIGINT and SIGTERM. Runs as a built bundle: `dist/{build id}/server/main.js`. */
import { join, resolve } from 'node:path'
import type { ViewModule } from '../shared/view'
import { isOperatorKey } from './api/operator-key'
import { readBuild } from './build-info'
import { processSettings, SettingsError, type Settings } from './env'
import { createLogger, logDestination, type Logger } from './telemetry/logger'
import { startSite, type RunningSite } from './start-site'

/** Node's `require`, which webpack leaves alone. */
declare const __non_webpack_require__: NodeJS.Require

const buildFolder = resolve(__dirname, '..')
const root = resolve(buildFolder, '..', '..')

/** The longest that a shutdown may take (ms): connections are cut a while before, so that the store is closed; PM2 kills half a second later. */
const hardLimit = 8500

function settingsOrExit(): Settings {
  try {
    return processSettings(root, isOperatorKey)
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    console.error(error.message)
    process.exit(1)
  }
}

/** What would keep this process alive, by kind. Its own output and the channel to its parent are no concern of the site. */
const openHandles = (): string[] =>
  process
    .getActiveResourcesInfo()
    .filter((kind) => !['TTYWrap', 'PipeWrap', 'Pipe', 'Immediate'].includes(kind))

/** Ends the site at a signal, or at the message that PM2 sends where there are no signals. A second signal ends it at once. */
function stopWhenAsked(running: RunningSite, log: Logger): void {
  let stopping = false
  const stop = (reason: string): void => {
    if (stopping) return
    stopping = true
    log.info({ signal: reason }, 'draining')
    const cut = setTimeout(() => {
      log.fatal('the shutdown took too long and was cut')
      process.exit(1)
    }, hardLimit)
    running.stop().then(
      () => {
        clearTimeout(cut)
        // A turn later, when what was closed is gone: whatever is left here was forgotten by somebody.
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
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
  process.on('message', (message) => message === 'shutdown' && stop('shutdown'))
}

async function main(): Promise<void> {
  const settings = settingsOrExit()
  const log = createLogger(settings.LOG_LEVEL, logDestination(settings.LOG_FILE))
  // Nobody knows what state it is in: whoever watches over the process starts another one. What was acknowledged is on disk.
  process.on('uncaughtException', (error, origin) => {
    log.fatal({ err: error, origin }, 'the process fell')
    process.exit(1)
  })
  // The interface is a bundle of its own: server and client do not import each other.
  const view = __non_webpack_require__(join(buildFolder, 'server', 'view.js')) as ViewModule
  try {
    const running = await startSite({ settings, build: readBuild(buildFolder), view, log, root })
    stopWhenAsked(running, log)
    if (process.stdout.isTTY)
      for (const origin of Object.values(running.site.hosts.origins)) console.log(origin)
    process.send?.('ready')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE' || code === 'EACCES')
      console.error(
        `PORT=${settings.PORT} cannot be listened on: ${code === 'EADDRINUSE' ? 'another program uses it' : 'permission denied'}`,
      )
    else log.fatal({ err: error }, 'the site could not start')
    process.exit(1)
  }
}

void main()
