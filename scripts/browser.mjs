// Finds the browser for tests, in the order of the contract: CHROMIUM_PATH, /usr/bin/chromium, Playwright's own;
// installs one where there is none.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)
const debian = '/usr/bin/chromium'

function ownPath() {
  try {
    const path = require('playwright-core').chromium.executablePath()
    return path && existsSync(path) ? path : null
  } catch {
    return null
  }
}

export function findBrowser() {
  const wished = process.env.CHROMIUM_PATH
  if (wished) {
    if (existsSync(wished)) return wished
    throw new Error(`CHROMIUM_PATH=${wished} does not exist`)
  }
  return existsSync(debian) ? debian : ownPath()
}

const attempt = (command, args) => spawnSync(command, args, { stdio: 'inherit' }).status === 0

/** Path of a browser, installed if need be; throws one clear error where that is impossible. */
export function ensureBrowser(root) {
  const found = findBrowser()
  if (found) return found
  console.log('installing a browser for the tests')
  const isDebian = existsSync('/etc/debian_version') && process.getuid?.() === 0
  if (isDebian) attempt('apt-get', ['update'])
  if (
    isDebian &&
    attempt('apt-get', ['install', '-y', '--no-install-recommends', 'chromium']) &&
    existsSync(debian)
  )
    return debian
  if (
    attempt(process.execPath, [
      `${root}/node_modules/playwright-core/cli.js`,
      'install',
      'chromium',
    ])
  ) {
    const own = ownPath()
    if (own) return own
  }
  throw new Error('no browser for the tests: install Chromium and name it in CHROMIUM_PATH')
}
