// Finds the browser: CHROMIUM_PATH, /usr/bin/chromium, then Playwright's own; installs one if none
// is found. Tests prefer Chromium's headless shell, which is the same engine without the interface
// of a desktop program: it takes half the processor time.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)
const debianChromium = '/usr/bin/chromium'
const debianHeadlessShell = '/usr/bin/chromium-headless-shell'
/**
 * Packages with fonts for every language of the site. Without them a browser draws boxes of other
 * widths, and a test of the layout says nothing.
 */
const debianFonts = new Map([
  ['fonts-noto-core', '/usr/share/fonts/truetype/noto/NotoSansThai-Regular.ttf'],
  ['fonts-noto-cjk', '/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc'],
])

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

/** Installs the packages whose file does not exist yet; keys are names, values paths of files. */
function installFromDebian(packages) {
  const isDebianRoot = existsSync('/etc/debian_version') && process.getuid?.() === 0
  const names = [...packages].filter(([, path]) => !existsSync(path)).map(([name]) => name)
  if (!isDebianRoot || names.length === 0) return
  // A failed update is not fatal: the package lists may be recent enough.
  succeeds('apt-get', ['update', '-qq'])
  succeeds('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...names])
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
  installFromDebian(new Map([['chromium', debianChromium]]))
  const installed = findBrowser() ?? installPlaywrightBrowser(root)
  if (installed) return installed
  throw new Error('no browser for the tests: install Chromium and set CHROMIUM_PATH to its path')
}

/**
 * Path of the browser for tests: the headless shell, which is installed with fonts if necessary and
 * possible, else any other browser.
 */
export function ensureTestBrowser(root) {
  if (process.env.CHROMIUM_PATH) return ensureBrowser(root)
  installFromDebian(new Map([['chromium-headless-shell', debianHeadlessShell], ...debianFonts]))
  return existsSync(debianHeadlessShell) ? debianHeadlessShell : ensureBrowser(root)
}
