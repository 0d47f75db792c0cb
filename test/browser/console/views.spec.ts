/** Every view of the console with data: accessible, and no wider than the window (spec 8.10). */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { consoleViews, sessionsView } from '../../../client/console/views'
import { findViolations } from '../../../testing/axe'
import { test } from '../../../testing/browser-test'
import { consoleCookie } from '../../../testing/console'
import {
  openTestDatabase,
  storeTestCounts,
  storeTestMessages,
  storeTestMonth,
  untilCounted,
} from '../../../testing/console-data'
import {
  consoleDialogs,
  consoleInteractions,
  scrollToStart,
  storeConsoleSources,
  untilViewIsRead,
  writeConsoleContent,
} from '../../../testing/console-tour'
import { temporaryFolder } from '../../../testing/release-with-tests'
import { opsToken, startTestSite, type TestSite } from '../../../testing/site'

let site: TestSite
const folder = temporaryFolder('console-views')
const content = writeConsoleContent()
test.beforeAll(async () => {
  test.setTimeout(180_000)
  const url = `file:${join(folder, 'site.db')}`
  const database = openTestDatabase(url)
  await storeTestMonth(database)
  await storeTestCounts(database)
  await storeTestMessages(database)
  await storeConsoleSources(database)
  site = await startTestSite({
    DATABASE_URL: url,
    CONTENT_DIR: content,
    OPS_TOKEN: opsToken,
    RATE_SIGNIN: '0',
  })
  await untilCounted(database)
  await database.close()
})
test.afterAll(async () => {
  await site.stop()
  for (const made of [folder, content]) rmSync(made, { recursive: true, force: true })
})

/** The scripts and styles that a page loads. */
function watchFiles(page: Page): string[] {
  const files: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (/\.(?:js|css)$/.test(pathname)) files.push(pathname)
  })
  return files
}

/** Pixels that the page is wider than the window. */
const overflowOf = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    return scrollWidth - clientWidth
  })

/** Reaches every control with the Tab key, in the order of the document. */
async function expectTabOrder(page: Page): Promise<void> {
  const count = await page.evaluate(() => {
    const controls = 'a[href], button, input, select, textarea, summary, [tabindex="0"]'
    const shown = [...document.querySelectorAll<HTMLElement>(controls)].filter(
      (control) => control.checkVisibility() && !control.matches(':disabled'),
    )
    for (const [index, control] of shown.entries()) control.dataset['order'] = String(index)
    shown[0]?.focus()
    return shown.length
  })
  const reached = ['0']
  // A date has several stops.
  while (reached.length < count && reached.at(-1) !== 'none') {
    await page.keyboard.press('Tab')
    const order = await page.evaluate(() => {
      const { activeElement } = document
      return (activeElement instanceof HTMLElement && activeElement.dataset['order']) || 'none'
    })
    if (order !== reached.at(-1)) reached.push(order)
  }
  expect(reached).toEqual(Array.from({ length: count }, (_, index) => String(index)))
}

/**
 * Themes differ in colors only, and the console shows the same, in the same colors, at each width.
 */
const layouts = [
  { width: 1280, colorScheme: 'light', check: 'all' },
  { width: 1280, colorScheme: 'dark', check: 'colors' },
  { width: 360, colorScheme: 'light', check: 'not colors' },
] as const

async function expectGoodLayout(page: Page): Promise<void> {
  for (const { width, colorScheme, check } of layouts) {
    await page.setViewportSize({ width, height: 800 })
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const found = { overflow: await overflowOf(page), axe: await findViolations(page, check) }
    expect({ width, colorScheme, ...found }).toEqual({ width, colorScheme, overflow: 0, axe: [] })
  }
}

for (const { path, title } of [...consoleViews, sessionsView])
  test(`${title} is reached by keyboard, has no axe violations and no horizontal scroll, in both themes, at 1280 and 360 pixels`, async ({
    page,
  }) => {
    test.setTimeout(120_000)
    const files = watchFiles(page)
    await page.context().addCookies([await consoleCookie(site.port)])
    // Few enough pages to be drawn without scrolling.
    const filter = path === 'pages' ? '?locale=en&search=home' : ''
    await page.goto(`http://localhost:${site.port}/_ops/console/${path}${filter}`)
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
    await untilViewIsRead(page)
    await consoleInteractions[path]?.(page)
    await expectTabOrder(page)
    await scrollToStart(page)
    await expectGoodLayout(page)
    // By these names the tests of visitors' pages know the console's files.
    expect(files.length).toBeGreaterThan(2)
    expect(files.filter((file) => !/^\/assets\/console[.-]/.test(file))).toEqual([])
    if (!consoleDialogs[path]) return
    await page.setViewportSize({ width: 1280, height: 800 })
    await consoleDialogs[path](page)
    await expectGoodLayout(page)
  })
