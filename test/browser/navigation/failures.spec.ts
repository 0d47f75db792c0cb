import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { test, withAnimations, withPrefetch } from '../../../testing/browser-test'
import { addressOn, countLoads, follow, insertLink, openReady } from '../../../testing/navigate'
import { buildFolder } from '../../../testing/root'
import { releaseFolder, temporaryFolder } from '../../../testing/release-with-tests'
import { startTestSite, type TestSite } from '../../../testing/site'
import { hydrated } from '../../../testing/watch-page'

test.use({ ...withAnimations, ...withPrefetch })

let site: TestSite
test.beforeAll(async ({ sharedSite }) => {
  site = await sharedSite()
})
const en = (path: string): string => addressOn(site, 'en', path)

/**
 * A copy of the running build with another id, built `laterMs` ms after it. It is inside the
 * project, so that it finds the project's packages.
 */
function copyAsNextBuild(laterMs: number): string {
  const folder = join(dirname(buildFolder()), 'b0b0b0b0b0b0b0b0')
  // Left behind, it would be the newest build, which is what a site serves.
  releaseFolder(folder)
  cpSync(buildFolder(), folder, { recursive: true })
  const file = join(folder, 'build.json')
  const info = JSON.parse(readFileSync(file, 'utf8')) as { id: string; timestamp: number }
  writeFileSync(
    file,
    JSON.stringify({ ...info, id: basename(folder), timestamp: info.timestamp + laterMs }),
  )
  return folder
}
/** Errors in the page's console, as they come. */
function consoleErrors(page: Page): string[] {
  const errors: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text())
  })
  return errors
}
const triggerVisibilityChange = async (page: Page): Promise<void> =>
  page.evaluate(() => void document.dispatchEvent(new Event('visibilitychange')))

/** No prefetching, so that every request of a test is known. */
const savesData = (page: Page): Promise<unknown> =>
  page.addInitScript(() =>
    Object.defineProperty(navigator, 'connection', { value: { saveData: true } }),
  )

test('after a deployment the next click is one full load; old code is still served', async ({
  page,
}) => {
  const dataDir = temporaryFolder('data')
  const old = await startTestSite({ DATA_DIR: dataDir })
  const assets = JSON.parse(readFileSync(join(buildFolder(), 'assets.json'), 'utf8')) as {
    pages: Record<string, { js: string[] }>
  }
  await page.clock.install()
  await openReady(page, addressOn(old, 'en', '/faq'))
  const loads = countLoads(page)
  // The prefetched payload of the old build must not be shown.
  await page.waitForLoadState('networkidle')
  await page.mouse.move(0, 600)
  await old.stop()
  const folder = copyAsNextBuild(60_000)
  const next = await startTestSite({ DATA_DIR: dataDir, PORT: String(old.port) }, folder)
  try {
    expect(await page.locator('html').getAttribute('data-build')).toBe(basename(buildFolder()))
    // A click waits at most 150 ms for the number of the newest build. The page's clock is stopped,
    // so this time cannot run out, however slow the machine is.
    await page.clock.pauseAt(Date.now() + 1000)
    await page.locator('header a[href="/pricing"]').click()
    await expect(page.locator('html')).toHaveAttribute('data-build', 'b0b0b0b0b0b0b0b0')
    await page.clock.resume()
    await expect(page.locator('html')).toHaveAttribute('data-page', 'pricing')
    await expect(page).toHaveURL(addressOn(next, 'en', '/pricing'))
    expect(loads.count()).toBe(1)
    for (const file of assets.pages['Download']?.js ?? [])
      expect((await next.get(file)).status).toBe(200)
    await hydrated(page)
    await openReady(page, page.url())
    await follow(page, '/faq')
    await expect(page.locator('html')).toHaveAttribute('data-page', 'faq')
  } finally {
    await next.stop()
    rmSync(folder, { recursive: true })
    rmSync(dataDir, { recursive: true })
  }
})

test('a later build makes the next navigation a load; an earlier build does not', async ({
  page,
}) => {
  let latest = { id: 'older', timestamp: 1 }
  const requests: string[] = []
  await page.route('**/builds/latest.json?*', (route) => {
    requests.push(route.request().url())
    return route.fulfill({ json: latest })
  })
  await openReady(page, en('/faq'))
  const loads = countLoads(page)
  await expect.poll(async () => (await site.get('/builds/latest.json')).status).toBe(200)
  await triggerVisibilityChange(page)
  await expect.poll(() => requests.length).toBe(1)
  expect(requests[0]).toMatch(/latest\.json\?\d{13}$/)
  await follow(page, '/pricing')
  expect(loads.count()).toBe(0)
  latest = { id: 'newer', timestamp: Date.now() + 1_000_000 }
  await triggerVisibilityChange(page)
  await expect.poll(() => requests.length).toBe(2)
  await page.waitForTimeout(200)
  await page.locator('header a[href="/download"]').click()
  await expect.poll(() => loads.count()).toBe(1)
  await expect(page.locator('html')).toHaveAttribute('data-page', 'download')
})

test('the page asks for the latest build every five minutes', async ({ page }) => {
  const requests: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/builds/latest.json')) requests.push(request.url())
  })
  await page.clock.install({ time: 0 })
  await page.clock.pauseAt(1000)
  await openReady(page, en('/faq'))
  await page.clock.runFor(299_000)
  expect(requests).toEqual([])
  await page.clock.runFor(1_500)
  await expect.poll(() => requests.length).toBe(1)
  // The next poll is skipped while a request is pending. After a later request over the same
  // connection the first answer has been read.
  await page.waitForLoadState('networkidle')
  await page.evaluate(() => fetch('/readyz').then((response) => response.text()))
  await page.clock.runFor(300_000)
  await expect.poll(() => requests.length).toBe(2)
})

test('a page whose code cannot be fetched is reloaded once, then shows the error screen', async ({
  page,
}) => {
  const failures: string[] = []
  await page.exposeFunction('failed', (kind: string) => failures.push(kind))
  await page.addInitScript(() =>
    window.addEventListener('preload-error', (event) =>
      (window as unknown as { failed: (kind: string) => void }).failed(
        (event as CustomEvent<{ kind: string }>).detail.kind,
      ),
    ),
  )
  // Before the page opens, because the link in the menu is prefetched.
  await page.route(/\/assets\/page-Pricing-/, (route) => route.abort())
  await openReady(page, en('/faq'))
  await expect.poll(() => failures).toEqual(['chunk'])
  const loads = countLoads(page)
  await insertLink(page, '/pricing')
  await page.locator('#laid').click()
  await expect(page.locator('[data-shell="error-screen"]')).toBeVisible({ timeout: 15_000 })
  await page.locator('[data-action="stop"]').click()
  await page.waitForTimeout(1500)
  expect(loads.urls.map((url) => new URL(url).pathname)).toEqual(['/pricing', '/error/502'])
  // Its code was asked for by the prefetch, by the click, and by the reloaded page.
  expect(failures).toEqual(['chunk', 'chunk', 'chunk'])
})

test('a first page without its code is reloaded once, then shows the error screen', async ({
  page,
}) => {
  await page.route(/\/assets\/page-Pricing-/, (route) => route.abort())
  const loads = countLoads(page)
  await page.goto(en('/pricing'))
  await expect(page.locator('[data-shell="error-screen"]')).toBeVisible({ timeout: 15_000 })
  await page.locator('[data-action="stop"]').click()
  await page.waitForTimeout(1500)
  expect(loads.urls.map((url) => new URL(url).pathname)).toEqual([
    '/pricing',
    '/pricing',
    '/error/502',
  ])
})

test('with the code of all pages blocked there is no reload loop', async ({ page }) => {
  await page.route(/\/assets\/page-.*js$/, (route) => route.abort())
  const loads = countLoads(page)
  await page.goto(en('/pricing'))
  await expect(page.locator('[data-shell="error-screen"]')).toBeVisible({ timeout: 15_000 })
  await page.waitForTimeout(3000)
  expect(loads.count()).toBeLessThanOrEqual(4)
  const screen = page.locator('[data-shell="error-screen"]')
  await expect(screen).toBeVisible()
  // What needs the missing code is hidden; the way back works without it.
  await expect(screen.locator('[data-action="stop"], [data-shell="countdown"]')).toHaveCount(2)
  await expect(screen.locator('[data-action="stop"]')).toBeHidden()
  await expect(screen.locator('[data-shell="countdown"]')).toBeHidden()
  await expect(screen.locator('[data-action="back"]')).toHaveAttribute('href', '/blog')
})

test('a page whose code throws is reported to the console and loaded', async ({ page }) => {
  const errors = consoleErrors(page)
  await page.route(/\/pricing\/_payload/, async (route) => {
    const response = await route.fetch()
    return route.fulfill({ response, json: { ...((await response.json()) as object), data: null } })
  })
  await openReady(page, en('/faq'))
  const loads = countLoads(page)
  await insertLink(page, '/pricing')
  await page.locator('#laid').click()
  await expect.poll(() => loads.urls).toEqual([en('/pricing')])
  await expect(page.locator('main h1')).toBeVisible()
  expect(errors).toEqual([expect.stringMatching(/^TypeError/)])
})

test("links load pages fully while the router's code cannot be fetched", async ({ page }) => {
  await page.route(/\/assets\/router\./, (route) => route.abort())
  await page.goto(en('/faq'))
  await hydrated(page)
  const loads = countLoads(page)
  await page.locator('header a[href="/pricing"]').click()
  await expect(page.locator('html')).toHaveAttribute('data-page', 'pricing')
  expect(loads.urls).toEqual([en('/pricing')])
})

test('a page keeps its text without the code of its buttons, and the next click is a full load', async ({
  page,
}) => {
  const folder = join(buildFolder(), 'client', 'assets')
  const enhanceProse = readdirSync(folder).find(
    (name) =>
      /^\d+\.\w+\.js$/.test(name) &&
      readFileSync(join(folder, name), 'utf8').includes('prose-copy'),
  )
  await page.route(`**/assets/${enhanceProse}`, (route) => route.abort())
  const errors = consoleErrors(page)
  await openReady(page, en('/faq'))
  const loads = countLoads(page)
  const rejected = page.waitForEvent('pageerror')
  await follow(page, '/docs/proxies')
  await rejected
  await expect(page.locator('.prose pre').first()).toBeVisible()
  await expect
    .poll(() => errors.filter((text) => text.startsWith('chunk failed: Loading chunk')))
    .toHaveLength(1)
  await page.locator('header a[href="/pricing"]').click()
  await expect(page.locator('html')).toHaveAttribute('data-page', 'pricing')
  expect(loads.urls).toEqual([en('/pricing')])
})

test('a page is shown without an island that cannot be fetched', async ({ page }) => {
  const errors = consoleErrors(page)
  await page.route(/\/release\/_payload/, async (route) => {
    const response = await route.fetch()
    const payload = (await response.json()) as { islands: Array<{ html: string | null }> }
    for (const island of payload.islands) island.html = null
    return route.fulfill({ response, json: payload })
  })
  await page.route('**/__nuxt_island/**', (route) => route.fulfill({ status: 404, json: {} }))
  await openReady(page, en('/faq'))
  const loads = countLoads(page)
  await follow(page, '/release')
  await expect(page.locator('main h1')).toBeVisible()
  await expect(page.locator('main h2')).toHaveCount(0)
  await expect.poll(() => errors.join()).toContain('Error: island: status 404')
  expect(loads.urls).toEqual([])
})

for (const { name, pattern } of [
  { name: 'its floating elements', pattern: /\/assets\/floating\./ },
  { name: 'the language offer', pattern: /\/api\/site\/offer/ },
]) {
  test(`a page without ${name} reports no error, and opens the next page in place`, async ({
    browser,
  }) => {
    const context = await browser.newContext({ locale: 'ru-RU' })
    const page = await context.newPage()
    await savesData(page)
    const errors: Error[] = []
    page.on('pageerror', (error) => errors.push(error))
    let failures = 0
    await page.route(pattern, (route) => {
      failures += 1
      return route.abort()
    })
    await openReady(page, en('/faq'))
    await expect.poll(() => failures).toBeGreaterThan(0)
    const loads = countLoads(page)
    await follow(page, '/pricing')
    await expect(page.locator('html')).toHaveAttribute('data-page', 'pricing')
    expect([loads.urls, errors]).toEqual([[], []])
    await context.close()
  })
}

test('back loads the page of the entry when its payload cannot be fetched', async ({ page }) => {
  await savesData(page)
  await page.route(/\/faq\/_payload/, (route) => route.abort())
  const errors = consoleErrors(page)
  await openReady(page, en('/faq#main'))
  await follow(page, '/pricing')
  const loads = countLoads(page)
  await page.goBack()
  await expect(page.locator('html')).toHaveAttribute('data-page', 'faq')
  expect([loads.urls, page.url()]).toEqual([[en('/faq')], en('/faq#main')])
  expect(errors.filter((text) => text.startsWith('payload failed: /faq'))).toHaveLength(1)
})

test('a payload that cannot be fetched is reported once, and the click becomes a load', async ({
  page,
}) => {
  const errors: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' && message.text().includes('payload failed'))
      errors.push(message.text())
  })
  await page.route(/\/pricing\/_payload/, (route) =>
    route.fulfill({ status: 200, contentType: 'text/html', body: '<html>a proxy</html>' }),
  )
  await openReady(page, en('/faq'))
  // The prefetch reports it; the click does not report it again.
  await expect.poll(() => errors.length).toBe(1)
  const loads = countLoads(page)
  await page.locator('header a[href="/pricing"]').click()
  await expect(page.locator('html')).toHaveAttribute('data-page', 'pricing')
  expect(loads.count()).toBe(1)
  expect(errors.length).toBe(1)
})

test('each request that only reads is repeated once on 503, without a full page load', async ({
  browser,
}) => {
  const context = await browser.newContext({ locale: 'es-ES' })
  const page = await context.newPage()
  await savesData(page)
  const counts: Record<string, number> = {}
  const isRead = ({ pathname }: URL): boolean =>
    /^\/(?:builds|api\/site|__nuxt_island)\/|\/_payload\.json$/.test(pathname)
  await page.route(isRead, async (route) => {
    const { pathname, searchParams } = new URL(route.request().url())
    const key = pathname.replace(/_[0-9a-f]{16}\.json$/, '') + (searchParams.get('name') ?? '')
    counts[key] = (counts[key] ?? 0) + 1
    if (counts[key] === 1) return route.fulfill({ status: 503, json: { code: 50300, data: null } })
    if (pathname !== '/release/_payload.json') return route.continue()
    // The page then asks for its island by address.
    const response = await route.fetch()
    const payload = (await response.json()) as { islands: Array<{ html: string | null }> }
    for (const island of payload.islands) island.html = null
    return route.fulfill({ response, json: payload })
  })
  await openReady(page, en('/faq'))
  const loads = countLoads(page)
  await expect(page.locator('[data-shell="language-offer"]')).toBeVisible()
  expect(counts['/api/site/offer']).toBe(2)
  await follow(page, '/release')
  await expect(page.locator('main h2').first()).toBeVisible()
  await triggerVisibilityChange(page)
  await follow(page, '/no/such/page')
  await expect(page.getByText('Page not found: /no/such/page')).toBeVisible()
  await page.locator('main [data-action="search"]').click()
  await page.getByRole('combobox').fill('proxy')
  await expect(page.locator('[data-shell="search"] [role="option"]').first()).toBeVisible()
  await expect.poll(() => counts['/builds/latest.json']).toBe(2)
  const build = basename(buildFolder())
  expect(counts).toMatchObject({
    [`/builds/meta/${build}.json`]: 2,
    '/builds/latest.json': 2,
    '/release/_payload.json': 2,
    '/__nuxt_island/ReleaseList': 2,
    '/no/such/page/_payload.json': 2,
    '/api/site/missing': 2,
    '/api/site/textssearch': 2,
    '/api/site/search': 2,
    '/api/site/visitor-settings': 2,
  })
  expect(loads.urls).toEqual([])
  await context.close()
})

for (const { fault, from } of [
  { fault: 'a 503', from: '/faq' },
  { fault: 'no answer', from: '/_icons' },
] as const) {
  test(`after two times ${fault} the loading bar of ${from} shows its error state, then the page is loaded`, async ({
    page,
  }) => {
    await savesData(page)
    let requests = 0
    await page.route(/\/pricing\/_payload/, (route) => {
      requests += 1
      return fault === 'a 503' ? route.fulfill({ status: 503 }) : route.abort()
    })
    await openReady(page, en(from))
    const loads = countLoads(page)
    // Stored, because the page that notices it is left at once.
    await page.evaluate(() => {
      const bar = document.querySelector<HTMLElement>('[data-shell="loading-bar"]')
      if (bar)
        new MutationObserver(() =>
          sessionStorage.setItem('bar-state', bar.dataset['state'] ?? ''),
        ).observe(bar, { attributeFilter: ['data-state'] })
    })
    await insertLink(page, '/pricing')
    await page.locator('#laid').click()
    await expect(page.locator('html')).toHaveAttribute('data-page', 'pricing')
    const state = await page.evaluate(() => sessionStorage.getItem('bar-state'))
    const facts = { requests, state, loads: loads.count() }
    expect(facts).toEqual({ requests: 2, state: 'error', loads: 1 })
  })
}

test('a click without a network shows a toast and changes nothing; later clicks work', async ({
  page,
  context,
}) => {
  await savesData(page)
  await openReady(page, addressOn(site, 'es', '/es/faq'))
  await page.waitForSelector('[data-shell="chat-buttons"]')
  const loads = countLoads(page)
  await follow(page, '/es/download')
  await context.setOffline(true)
  await page.locator('header a[href="/es/pricing"]').click()
  await expect(page.locator('[data-shell="toast"]')).toContainText('No tienes conexión')
  await expect(page.locator('[data-shell="toast"]')).toHaveAttribute('role', 'alert')
  expect(new URL(page.url()).pathname).toBe('/es/download')
  await expect(page.locator('[data-shell="loading-bar"]')).not.toHaveAttribute(
    'data-state',
    'loading',
  )
  // The previous page was loaded, so its payload is not cached and the visitor stays on this page.
  await page.goBack({ waitUntil: 'commit' }).catch(() => undefined)
  await expect.poll(() => new URL(page.url()).pathname).toBe('/es/download')
  await context.setOffline(false)
  await page.locator('header a[href="/es/pricing"]').click()
  await expect(page.locator('html')).toHaveAttribute('data-page', 'pricing')
  expect(loads.urls).toEqual([])
})
