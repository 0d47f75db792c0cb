import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { chromium } from 'playwright-core'
import { temporaryFolder } from './site'

export type DevtoolsBrowser = { /** DevTools address, as a client gives it for a started profile. */ ws: string; /** Addresses that its pages opened, in order. */ visited: string[]; stop: () => Promise<void> }

/**
 * A browser with an open DevTools port, as the window of a profile is. Nothing leaves the machine: every page that it opens is answered by the test
 * with the title `title`.
 */
export async function startDevtoolsBrowser(title: string): Promise<DevtoolsBrowser> {
  const folder = temporaryFolder('profile')
  const child = spawn(process.env['CHROMIUM_PATH'] ?? chromium.executablePath(), ['--headless=new', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync',
    '--remote-debugging-port=0', `--user-data-dir=${folder}`, '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1', 'about:blank'], { stdio: ['ignore', 'ignore', 'pipe'] })
  const ws = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stderr }).on('line', (line) => {
      const address = /^DevTools listening on (ws:\S+)/.exec(line)?.[1]
      if (address) resolve(address)
    })
    child.once('exit', (code) => reject(new Error(`the browser ended with ${code}`)))
  })
  const visited: string[] = []
  const watching = await chromium.connectOverCDP(ws)
  await watching.contexts()[0]?.route('**/*', (route) => {
    visited.push(route.request().url())
    return route.fulfill({ contentType: 'text/html', body: `<!doctype html><title>${title}</title><h1>${title}</h1>` })
  })
  return {
    ws, visited,
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      await watching.close()
      child.kill('SIGKILL')
      await ended
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
