/** Checks settings, starts the site, drains it on SIGINT and SIGTERM. Runs as a built bundle: `dist/{build id}/server/main.js`. */
import { join, resolve } from 'node:path'
import type { ViewModule } from '../shared/view'
import { readBuild } from './build-info'
import { processSettings, SettingsError, type Settings } from './env'
import { createLogger } from './log'
import { startSite } from './start-site'

const buildFolder = resolve(__dirname, '..')
const root = resolve(buildFolder, '..', '..')

function settingsOrExit(): Settings {
  try {
    return processSettings(root)
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    console.error(error.message)
    process.exit(1)
  }
}

async function main(): Promise<void> {
  const settings = settingsOrExit()
  const log = createLogger(settings.LOG_LEVEL)
  // The interface is a bundle of its own: server and client do not import each other.
  const view = __non_webpack_require__(join(buildFolder, 'server', 'view.js')) as ViewModule
  try {
    const running = await startSite({ settings, build: readBuild(buildFolder), view, log, root })
    const stop = (signal: NodeJS.Signals): void => {
      log.info({ signal }, 'draining')
      void running.stop().then(() => process.exit(0))
    }
    process.once('SIGINT', stop)
    process.once('SIGTERM', stop)
    if (process.stdout.isTTY) for (const origin of Object.values(running.site.hosts.origins)) console.log(origin)
    process.send?.('ready')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE' || code === 'EACCES') console.error(`PORT=${settings.PORT} cannot be listened on: ${code === 'EADDRINUSE' ? 'another program uses it' : 'permission denied'}`)
    else log.fatal({ err: error }, 'the site could not start')
    process.exit(1)
  }
}

void main()
