import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type BrowserContext, type Page, type Request, type Route } from '@playwright/test'
import { previewPath, previewSecret } from '../../../server/pages/previews/preview-link'
import { href } from '../../../shared/routes/href'
import { test } from '../../../testing/browser-test'
import { contentWith } from '../../../testing/content-copy'
import { addressOn, follow } from '../../../testing/navigate'
import { contentPages, plainPages } from '../../../testing/pages'
import { startTestSite, type TestSite } from '../../../testing/site'
import { hydrated, withoutPrefetch } from '../../../testing/watch-page'

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
  mkdirSync(join(content, 'blog/draft'))
  writeFileSync(
    join(content, 'blog/draft/en.md'),
    '---\ntitle: "Draft"\ndescription: "A draft"\ndate: 2026-11-12\ncategory: proxies\ndraft: true\n---\n\nUnfinished words.\n',
  )
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
/** `requested`: third-party hosts that the page has requested. */
type WatchedPage = { page: Page; requested: Set<string>; warnings: string[]; errors: string[] }

/** A page in which every third party fails. */
async function openWatched(
  context: BrowserContext,
  fail: (route: Route) => Promise<void> | void,
): Promise<WatchedPage> {
  const requested = new Set<string>()
  await context.setExtraHTTPHeaders({ 'X-Forwarded-For': '8.8.8.8' })
  await context.route(
    (url) => url.hostname.endsWith('.test'),
    (route) => {
      requested.add(new URL(route.request().url()).hostname)
      return fail(route)
    },
  )
  const page = await context.newPage()
  const warnings: string[] = []
  const errors: string[] = []
  page.on('console', (message) => {
    const { hostname } = new URL(message.location().url || 'about:blank', 'http://none')
    // The browser itself logs files of other hosts that fail, and the status of an error page.
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
  return { page, requested, warnings, errors }
}

/** Waits until every third party was requested: the prompt after 3 s, the chat after 5 s. */
const allRequested = ({ page, requested }: WatchedPage): Promise<void> =>
  expect
    .poll(() => [...requested].sort(), { timeout: 40_000, message: page.url() })
    .toEqual(Object.values(hosts).sort())

/** Waits for the toast of the failed sign-in. It hides automatically, so call this at the start. */
const signInToast = ({ page }: WatchedPage): Promise<void> =>
  expect(page.locator('[data-shell="toast"]')).toContainText('Registration failed!', {
    timeout: 40_000,
  })

/** Checks content, message panel and navigation of a page with failing third parties. */
async function expectWorkingPage({ page }: WatchedPage, route: string): Promise<void> {
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

/** One route of each kind. The shell loads the third parties, so other routes behave the same. */
const routes = [
  'home',
  'pricing',
  'download',
  'blog-article',
  'doc',
  'solution',
  'alternative',
  'faq',
]
const pages = [
  ...plainPages,
  ...contentPages.filter(
    (entry, index) => contentPages.findIndex((other) => other.route === entry.route) === index,
  ),
].filter((entry) => routes.includes(entry.route))

test('each kind of page works with every third party blocked; each warns at most once', async ({
  browser,
}) => {
  test.setTimeout(600_000)
  expect(pages).toHaveLength(routes.length)
  const remaining = [...pages]
  const open = async (): Promise<void> => {
    for (let entry = remaining.shift(); entry; entry = remaining.shift()) {
      const context = await browser.newContext()
      await withoutPrefetch(context)
      const tab = await openWatched(context, (route) => route.abort())
      await tab.page.goto(addressOn(site, 'en', href('en', entry.route, entry.params)))
      await hydrated(tab.page)
      await Promise.all([allRequested(tab), signInToast(tab)])
      await expectWorkingPage(tab, entry.route)
      expect(tab.errors, tab.page.url()).toEqual([])
      expect([...tab.warnings].sort(), tab.page.url()).toEqual([
        expect.stringMatching(/^the chat script failed/),
        expect.stringMatching(/^the identity script failed/),
      ])
      await context.close()
    }
  }
  // In parallel, because most of the time is spent waiting for timers of the page.
  await Promise.all(Array.from({ length: 4 }, open))
})

for (const { name, fail } of [
  {
    name: 'answer with an error',
    fail: (route: Route) =>
      route.fulfill({ status: 503, contentType: 'text/html', body: '<h1>Unavailable</h1>' }),
  },
  {
    name: 'answer with something other than a script',
    fail: (route: Route) =>
      route.fulfill({
        status: 200,
        contentType: 'application/json',
        headers: { 'X-Content-Type-Options': 'nosniff' },
        body: '{}',
      }),
  },
]) {
  test(`the page works with third parties that ${name}`, async ({ context }) => {
    const tab = await openWatched(context, fail)
    await tab.page.goto(addressOn(site, 'en', '/pricing'))
    await hydrated(tab.page)
    await Promise.all([allRequested(tab), signInToast(tab)])
    await expectWorkingPage(tab, 'pricing')
    expect(tab.warnings.length).toBeLessThanOrEqual(2)
    expect(
      tab.errors.filter(
        (text) => !/^Refused to execute script from 'https:\/\/[\w.]+\.test\//.test(text),
      ),
    ).toEqual([])
  })
}

test('a service that cannot start leaves the others running', async ({ context }) => {
  const tab = await openWatched(context, (route) => route.abort())
  await tab.page.addInitScript(() =>
    Object.defineProperty(crypto, 'subtle', {
      get() {
        throw new Error('forbidden')
      },
    }),
  )
  await tab.page.goto(addressOn(site, 'en', '/pricing'))
  await hydrated(tab.page)
  await allRequested(tab)
  expect(tab.warnings).toContain('a service did not start: Error: forbidden')
})

test('the page works with third parties that never answer', async ({ context }) => {
  const tab = await openWatched(context, () => undefined)
  await tab.page.goto(addressOn(site, 'en', '/pricing'))
  await hydrated(tab.page)
  // The statistics scripts load one after the other, so a hanging one delays only the next one.
  await expect.poll(() => tab.requested.size, { timeout: 40_000 }).toBeGreaterThanOrEqual(3)
  await follow(tab.page, '/faq')
  await expect(tab.page.locator('html')).toHaveAttribute('data-page', 'faq')
  // A visitor who wants to write gets the message panel instead of a widget that never loads.
  await tab.page.locator('[data-shell="chat-buttons"] button').click()
  await expect(tab.page.locator('[data-shell="message-panel"]')).toBeVisible({ timeout: 15_000 })
  expect([tab.errors, tab.warnings.length <= 1]).toEqual([[], true])
})

test('a preview starts no visitor module, and its address leaves the page in no request', async ({
  context,
}) => {
  const expires = Date.now() + 60 * 60 * 1000
  const preview = { collection: 'blog', id: 'draft', locale: 'en', expires } as const
  const link = previewPath(preview, previewSecret(site.dataDir))
  await context.addCookies([{ name: 'consent', value: 'accepted', domain: 'localhost', path: '/' }])
  const { page, requested, errors } = await openWatched(context, (route) => route.abort())
  const requests: Request[] = []
  page.on('request', (request) => requests.push(request))
  await page.clock.install()
  await page.goto(addressOn(site, 'en', link))
  await hydrated(page)
  await expect(page.locator('article')).toContainText('Unfinished words.')
  // The modules start when the page is idle; the prompt is due after 3 s, the chat after 5 s.
  await page.clock.runFor(60_000)
  await expect(page.locator('footer [data-action="consent"]')).toBeHidden()
  const register = page.locator('[data-action="register"]').first()
  await register.dispatchEvent('pointerdown')
  expect(new URL((await register.getAttribute('href')) ?? '', page.url()).search).not.toContain(
    'from=',
  )
  await follow(page, href('en', 'pricing'))
  await expect(page.locator('html')).toHaveAttribute('data-page', 'pricing')
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))

  const addresses = requests.map((request) => request.url())
  expect([...requested]).toEqual([])
  expect(addresses.filter((url) => /\/visitor\.\w+\.js$|\/api\/(?!site\/)/.test(url))).toEqual([])
  const token = link.split('/').at(-1) ?? ''
  const leaks = await Promise.all(
    requests.map(async (request) => [
      request.url(),
      JSON.stringify(await request.allHeaders()) + (request.postData() ?? ''),
    ]),
  )
  expect(leaks.filter(([, sent]) => sent?.includes(token))).toEqual([])
  expect(addresses.filter((url) => url.includes(token))).toEqual([addressOn(site, 'en', link)])
  expect(errors).toEqual([])
})
