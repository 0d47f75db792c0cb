/**
 * Playwright's `test` for this project: sites that share their settings are started once per
 * worker, and a test that fails shows what the sites logged while it ran.
 */
import { randomUUID } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test as base, type Browser, type BrowserContext, type Page } from '@playwright/test'
import { startedLogs, startTestSite, type TestSite } from './site'
import { withoutPrefetch } from './watch-page'

type Settings = Readonly<Record<string, string>>
type WorkerFixtures = {
  /**
   * The running site with these settings. It is shared by all files of the worker and stopped at
   * the end: do not stop it, and do not change its content or what it stores for all visitors.
   */
  sharedSite: (settings?: Settings) => Promise<TestSite>
}

/**
 * Writes to files which code the pages of a context have executed. This happens when a page or the
 * context is closed, and before `goto` and `reload`, which make the browser forget its counts.
 */
function recordCoverage(context: BrowserContext, folder: string): void {
  const started = new Map<Page, Promise<void>>()
  const start = (page: Page): void => {
    // Fails in a page without JavaScript, which has nothing to record.
    const hasStarted = page.coverage.startJSCoverage({ resetOnNavigation: false })
    started.set(
      page,
      hasStarted.catch(() => void started.delete(page)),
    )
  }
  const write = async (page: Page): Promise<void> => {
    const hasStarted = started.get(page)
    started.delete(page)
    if (!hasStarted || page.isClosed()) return
    await hasStarted
    const entries = await page.coverage.stopJSCoverage()
    const scripts = entries.map(({ url, functions }) => ({ url, functions }))
    writeFileSync(join(folder, `${randomUUID()}.json`), JSON.stringify(scripts))
  }
  const writeAndGoOn = async (page: Page): Promise<void> => {
    await write(page).catch(() => undefined)
    if (!page.isClosed()) start(page)
  }
  context.on('page', (page) => {
    start(page)
    const close = page.close.bind(page)
    const goto = page.goto.bind(page)
    const reload = page.reload.bind(page)
    page.close = async (options) => {
      await write(page).catch(() => undefined)
      await close(options)
    }
    page.goto = async (url, options) => {
      await writeAndGoOn(page)
      return goto(url, options)
    }
    page.reload = async (options) => {
      await writeAndGoOn(page)
      return reload(options)
    }
  })
  const close = context.close.bind(context)
  context.close = async (options) => {
    for (const page of started.keys()) await write(page).catch(() => undefined)
    await close(options)
  }
}

function recordCoverageOf(browser: Browser): void {
  const folder = process.env['COVERAGE_FOLDER']
  if (!folder) return
  mkdirSync(join(folder, 'browser'), { recursive: true })
  const newContext = browser.newContext.bind(browser)
  browser.newContext = async (options) => {
    const context = await newContext(options)
    recordCoverage(context, join(folder, 'browser'))
    return context
  }
}

/** `test.use(withAnimations)`: animations run, which the configuration switches off. */
export const withAnimations = { contextOptions: { reducedMotion: 'no-preference' } } as const

/** `test.use(withPrefetch)`: links are prefetched, which is off for tests of other things. */
export const withPrefetch = { prefetch: true } as const

export const test = base.extend<{ prefetch: boolean; siteLogs: void }, WorkerFixtures>({
  prefetch: [false, { option: true }],
  context: async ({ context, prefetch }, use) => {
    if (!prefetch) await withoutPrefetch(context)
    await use(context)
  },
  browser: async ({ browser }, use) => {
    recordCoverageOf(browser)
    await use(browser)
  },
  sharedSite: [
    async ({ browserName: _ }, use) => {
      const sites = new Map<string, Promise<TestSite>>()
      await use((settings = {}) => {
        const key = JSON.stringify(Object.entries(settings).sort())
        const site = sites.get(key) ?? startTestSite(settings)
        sites.set(key, site)
        return site
      })
      for (const site of sites.values()) await (await site).stop()
    },
    { scope: 'worker' },
  ],
  siteLogs: [
    async ({ browserName: _ }, use, info) => {
      const counts = new Map(startedLogs.map((logs) => [logs, logs.length]))
      await use()
      if (info.status === info.expectedStatus) return
      const lines = startedLogs
        .flatMap((logs) => logs.slice(counts.get(logs) ?? 0))
        .map((line) => JSON.stringify(line))
      await info.attach('log of the site', {
        body: lines.slice(-200).join('\n'),
        contentType: 'text/plain',
      })
    },
    { auto: true },
  ],
})
