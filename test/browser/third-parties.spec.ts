import { rmSync } from 'node:fs'
import { expect, test, type BrowserContext, type Page, type Route } from '@playwright/test'
import { href } from '../../shared/routes/href'
import { contentWith } from '../../testing/content-copy'
import { addressOn, follow } from '../../testing/navigate'
import { contentPages, plainPages } from '../../testing/pages'
import { startTestSite, type TestSite } from '../../testing/site'
import { hydrated } from '../../testing/watch-page'

let site: TestSite
let content: string
test.beforeAll(async () => {
  content = contentWith({
    statistics: {
      title: '<script src="https://counter.stats.test/head.js"></script>',
      body: '<script async src="https://counter.stats.test/body.js"></script>',
    },
    chat: { type: 'other', script: '<script src="https://widget.chat.test/main.js"></script>' },
  })
  site = await startTestSite({
    CONTENT_DIR: content,
    GOOGLE_CLIENT_ID: 'client',
    GSI_SCRIPT_URL: 'https://identity.example.test/client.js',
    DEFAULT_CHAT_SCRIPT: 'https://other.chat.test/default.js',
    TRUST_PROXY: '1',
    RATE_OTHER: '1000000',
    RATE_EVENTS: '1000000',
  })
})
test.afterAll(async () => {
  await site.stop()
  rmSync(content, { recursive: true, force: true })
})

const hosts = {
  statistics: 'counter.stats.test',
  identity: 'identity.example.test',
  chat: 'widget.chat.test',
  'default chat': 'other.chat.test',
} as const
type Watched = { page: Page; asked: Set<string>; warnings: string[]; errors: string[] }

/** A page of a browser in which every third party fails. */
async function watched(
  context: BrowserContext,
  fail: (route: Route) => Promise<void> | void,
): Promise<Watched> {
  const asked = new Set<string>()
  await context.setExtraHTTPHeaders({ 'X-Forwarded-For': '8.8.8.8' })
  await context.route(
    (url) => url.hostname.endsWith('.test'),
    (route) => {
      asked.add(new URL(route.request().url()).hostname)
      return fail(route)
    },
  )
  const page = await context.newPage()
  const warnings: string[] = []
  const errors: string[] = []
  page.on('console', (message) => {
    const { hostname } = new URL(message.location().url || 'about:blank', 'http://none')
    // The browser's own line about a file of another host cannot be prevented, nor that an error page answers as one.
    if (
      message.type() === 'error' &&
      /^Failed to load resource/.test(message.text()) &&
      (hostname.endsWith('.test') || message.location().url === page.url())
    )
      return
    if (message.type() === 'warning') warnings.push(message.text())
    if (message.type() === 'error') errors.push(message.text())
  })
  page.on('pageerror', (error) => errors.push(error.message))
  return { page, asked, warnings, errors }
}

/** Every third party has been asked: prompt after 3 s, chat after 5 s of rest. */
const allAsked = ({ page, asked }: Watched): Promise<void> =>
  expect
    .poll(() => [...asked].sort(), { timeout: 40_000, message: page.url() })
    .toEqual(Object.values(hosts).sort())

/** The toast of the sign-in that failed: it goes by itself, so it is waited for from the start. */
const toast = ({ page }: Watched): Promise<void> =>
  expect(page.locator('[data-shell="toast"]')).toContainText('Registration failed!', {
    timeout: 40_000,
  })

/** What a page with failing third parties still has to do. */
async function works({ page }: Watched, route: string): Promise<void> {
  await expect(page.locator('html')).toHaveAttribute('data-page', route)
  await expect(page.locator('h1')).toBeVisible()
  await page.locator('[data-shell="chat-buttons"] button').click()
  await expect(page.locator('[data-shell="message-panel"]')).toBeVisible({ timeout: 15_000 })
  const target = href('en', route === 'pricing' ? 'faq' : 'pricing')
  await follow(page, target)
  await expect(page.locator('html')).toHaveAttribute(
    'data-page',
    route === 'pricing' ? 'faq' : 'pricing',
  )
}

/** One route of each kind: what waits for third parties belongs to the shell, so that it is the same on the others. */
const kinds = [
  'home',
  'pricing',
  'download',
  'blog-article',
  'doc',
  'solution',
  'alternative',
  'faq',
]
const everyKind = [
  ...plainPages,
  ...contentPages.filter(
    (entry, index) => contentPages.findIndex((other) => other.route === entry.route) === index,
  ),
].filter((entry) => kinds.includes(entry.route))

test('with every third party blocked each kind of page works, and says one thing about each in the console at most', async ({
  browser,
}) => {
  test.setTimeout(600_000)
  expect(everyKind).toHaveLength(kinds.length)
  const left = [...everyKind]
  const open = async (): Promise<void> => {
    for (let entry = left.shift(); entry; entry = left.shift()) {
      const context = await browser.newContext()
      const tab = await watched(context, (route) => route.abort())
      await tab.page.goto(addressOn(site, 'en', href('en', entry.route, entry.params)))
      await hydrated(tab.page)
      await Promise.all([allAsked(tab), toast(tab)])
      await works(tab, entry.route)
      expect(tab.errors, tab.page.url()).toEqual([])
      expect([...tab.warnings].sort(), tab.page.url()).toEqual([
        expect.stringMatching(/^the chat script failed/),
        expect.stringMatching(/^the identity script failed/),
      ])
      await context.close()
    }
  }
  // Most of the time is waiting for the clock of the page.
  await Promise.all(Array.from({ length: 4 }, open))
})

for (const { name, fail } of [
  {
    name: 'answer with an error',
    fail: (route: Route) =>
      route.fulfill({ status: 503, contentType: 'text/html', body: '<h1>Unavailable</h1>' }),
  },
  {
    name: 'answer with something that is no script',
    fail: (route: Route) =>
      route.fulfill({
        status: 200,
        contentType: 'application/json',
        headers: { 'X-Content-Type-Options': 'nosniff' },
        body: '{}',
      }),
  },
]) {
  test(`with third parties that ${name} the page works all the same`, async ({ context }) => {
    const tab = await watched(context, fail)
    await tab.page.goto(addressOn(site, 'en', '/pricing'))
    await hydrated(tab.page)
    await Promise.all([allAsked(tab), toast(tab)])
    await works(tab, 'pricing')
    expect(tab.warnings.length).toBeLessThanOrEqual(2)
    expect(
      tab.errors.filter(
        (text) => !/^Refused to execute script from 'https:\/\/[\w.]+\.test\//.test(text),
      ),
    ).toEqual([])
  })
}

test('with third parties that never answer the page works all the same', async ({ context }) => {
  const tab = await watched(context, () => undefined)
  await tab.page.goto(addressOn(site, 'en', '/pricing'))
  await hydrated(tab.page)
  // One after the other: what hangs holds up only what comes after it of the same party.
  await expect.poll(() => tab.asked.size, { timeout: 40_000 }).toBeGreaterThanOrEqual(3)
  await follow(tab.page, '/faq')
  await expect(tab.page.locator('html')).toHaveAttribute('data-page', 'faq')
  // Who wants to write does not wait for a widget that does not come.
  await tab.page.locator('[data-shell="chat-buttons"] button').click()
  await expect(tab.page.locator('[data-shell="message-panel"]')).toBeVisible({ timeout: 15_000 })
  expect([tab.errors, tab.warnings.length <= 1]).toEqual([[], true])
})
