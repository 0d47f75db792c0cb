import { join } from 'node:path'
import { jest } from '@jest/globals'
import { readBuild } from '../server/build-info'
import { readSettings } from '../server/env'
import { startSite, type RunningSite } from '../server/start-site'
import { createLogger } from '../server/telemetry/logger'
import type { ViewModule } from '../shared/view'
import { buildFolder, root } from './root'
import { prepareDataFolder } from './site'

/** The interface bundle that the server loads. */
export const loadView = (): ViewModule =>
  jest.requireActual<ViewModule>(join(buildFolder(), 'server', 'view.js'))

type Options = Partial<
  Pick<Parameters<typeof startSite>[0], 'front' | 'log' | 'view' | 'wrapIslands'>
>

/**
 * Starts the site inside the test's own process instead of a separate one, for tests that read its
 * cache, delay its islands or replace its renderer. It logs nothing and warms no pages. Content and
 * build are those of `startTestSite`.
 */
export async function startSiteInProcess(
  env: Record<string, string> & { DATA_DIR: string },
  options: Options = {},
): Promise<RunningSite> {
  const releaseDataFolder = prepareDataFolder(env.DATA_DIR, env['CONTENT_DIR'])
  const running = await startSite({
    settings: readSettings({ PORT: '0', HOST: '127.0.0.1', ...env }, root),
    build: readBuild(buildFolder()),
    view: loadView(),
    log: createLogger('silent'),
    root,
    warming: null,
    ...options,
  })
  return {
    ...running,
    async stop() {
      await running.stop()
      releaseDataFolder()
    },
  }
}
