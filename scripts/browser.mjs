// Finds the browser for tests: CHROMIUM_PATH, /usr/bin/chromium, then Playwright's own. Installs
// one if there is none.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)
const debianChromium = '/usr/bin/chromium'

function playwrightBrowser() {
  try {
    const path = require('playwright-core').chromium.executablePath()
    return path && existsSync(path) ? path : null
  } catch {
    return null
  }
}

/** Path of an installed browser, or null. Throws if CHROMIUM_PATH names no file. */
export function findBrowser() {
  const configured = process.env.CHROMIUM_PATH
  if (configured) {
    if (existsSync(configured)) return configured
    throw new Error(`CHROMIUM_PATH=${configured} does not exist`)
  }
  return existsSync(debianChromium) ? debianChromium : playwrightBrowser()
}

const succeeds = (command, args) => spawnSync(command, args, { stdio: 'inherit' }).status === 0

function installDebianChromium() {
  const isDebianRoot = existsSync('/etc/debian_version') && process.getuid?.() === 0
  if (!isDebianRoot) return null
  // A failed update is not fatal: the package lists may be recent enough.
  succeeds('apt-get', ['update'])
  const args = ['install', '-y', '--no-install-recommends', 'chromium']
  return succeeds('apt-get', args) && existsSync(debianChromium) ? debianChromium : null
}

function installPlaywrightBrowser(root) {
  const cli = `${root}/node_modules/playwright-core/cli.js`
  return succeeds(process.execPath, [cli, 'install', 'chromium']) ? playwrightBrowser() : null
}

/** Path of a browser, which is installed if necessary. Throws an error if that fails. */
export function ensureBrowser(root) {
  const found = findBrowser()
  if (found) return found
  console.log('installing a browser for the tests')
  const installed = installDebianChromium() ?? installPlaywrightBrowser(root)
  if (installed) return installed
  throw new Error('no browser for the tests: install Chromium and set CHROMIUM_PATH to its path')
}
