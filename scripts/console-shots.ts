/**
 * Screenshots of the console's views with a month of generated data, desktop and phone, light and
 * dark: `npm run shots -- console`.
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page as Tab } from 'playwright-core'
import { consoleViews, sessionsView } from '../client/console/views'
import { consolePaths } from '../shared/console/console-call'
import { consoleCookie } from '../testing/console'
import {
  openTestDatabase,
  storeTestCounts,
  storeTestMessages,
  storeTestMonth,
  untilCounted,
} from '../testing/console-data'
import {
  consoleInteractions,
  consoleDialogs,
  scrollToStart,
  storeConsoleSources,
  untilViewIsRead,
  writeConsoleContent,
} from '../testing/console-tour'
import { temporaryFolder } from '../testing/release-with-tests'
import { opsToken, startTestSite } from '../testing/site'

/** A picture of the contact sheet. */
type ConsoleShot = { name: string; caption: string; file: string }

const sizes = { desktop: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } } as const
const themes = ['light', 'dark'] as const
const visitsPerDay = 400

async function takeViews(context: BrowserContext, origin: string, folder: string, look: string) {
  const shots: ConsoleShot[] = []
  const take = async (tab: Tab, name: string, fullPage = true): Promise<void> => {
    await tab.waitForLoadState('networkidle')
    const file = `console-${name}-${look}.png`
    await scrollToStart(tab)
    await tab.screenshot({ path: join(folder, file), fullPage })
    shots.push({ name: `console-${name}`, caption: look, file })
  }
  for (const { path } of [...consoleViews, sessionsView]) {
    const tab = await context.newPage()
    await tab.goto(`${origin}${consolePaths.page}/${path}`)
    await untilViewIsRead(tab)
    await consoleInteractions[path]?.(tab)
    await take(tab, path)
    await consoleDialogs[path]?.(tab)
    if (consoleDialogs[path]) await take(tab, `${path}-dialog`, false)
    await tab.close()
  }
  await context.clearCookies()
  const tab = await context.newPage()
  await tab.goto(`${origin}${consolePaths.page}`)
  await take(tab, 'sign-in')
  await tab.close()
  return shots
}

/** Takes all pictures into the folder. */
export async function takeConsoleShots(browser: Browser, folder: string): Promise<ConsoleShot[]> {
  const data = temporaryFolder('console-shots')
  const content = writeConsoleContent()
  const url = `file:${join(data, 'site.db')}`
  const database = openTestDatabase(url)
  await storeTestMonth(database, visitsPerDay)
  await storeTestCounts(database)
  await storeTestMessages(database)
  await storeConsoleSources(database)
  const site = await startTestSite({
    DATABASE_URL: url,
    CONTENT_DIR: content,
    OPS_TOKEN: opsToken,
    RATE_SIGNIN: '0',
  })
  try {
    await untilCounted(database, 300_000)
    const shots: ConsoleShot[] = []
    for (const [size, viewport] of Object.entries(sizes))
      for (const colorScheme of themes) {
        const context = await browser.newContext({ viewport, colorScheme, reducedMotion: 'reduce' })
        await context.addCookies([await consoleCookie(site.port)])
        const origin = `http://localhost:${site.port}`
        shots.push(...(await takeViews(context, origin, folder, `${size}-${colorScheme}`)))
        await context.close()
      }
    return shots
  } finally {
    await database.close()
    await site.stop()
    for (const made of [data, content]) rmSync(made, { recursive: true, force: true })
  }
}
