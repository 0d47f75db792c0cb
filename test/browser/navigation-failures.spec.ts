import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect, test, type Page } from '@playwright/test'
import { addressOn, countLoads, follow, layLink, openReady } from '../../testing/navigate'
import { buildFolder } from '../../testing/root'
import { startTestSite, temporaryFolder, type TestSite } from '../../testing/site'
import { hydrated } from '../../testing/watch-page'

let site: TestSite
test.beforeAll(async () => {
  site = await startTestSite()
})
test.afterAll(() => site.stop())
const en = (path: string): string => addressOn(site, 'en', path)

/** The running build again, as if it were the next one: another id, and built `later` ms after it. It lies where the packages of the project are found. */
function nextBuild(later: number): string {
  const folder = join(dirname(buildFolder()), 'b0b0b0b0b0b0b0b0')
  cpSync(buildFolder(), folder, { recursive: true })
  const file = join(folder, 'build.json')
  const info = JSON.parse(readFileSync(file, 'utf8')) as { id: string; timestamp: number }
  writeFileSync(
    file,
    JSON.stringify({ ...info, id: basename(folder), timestamp: info.timestamp + later }),
  )
  return folder
}
const showsHidden = async (page: Page): Promise<void> =>
  page.evaluate(() => void document.dispatchEvent(new Event('visibilitychange')))

test('a deployment in the middle: the next click is one full load and lands right; code of the old build is still served', async ({
  page,
}) => {
  const dataDir = temporaryFolder('data')
  const old = await startTestSite({ DATA_DIR: dataDir })
  const assets = JSON.parse(readFileSync(join(buildFolder(), 'assets.json'), 'utf8')) as {
    pages: Record<string, { js: string[] }>
  }
  await openReady(page, addressOn(old, 'en', '/faq'))
  const loads = countLoads(page)
  // Fetched ahead from the old build: that must not hide the new one.
  await page.locator('header a[href="/pricing"]').hover()
  await page.waitForTimeout(500)
  await page.mouse.move(0, 600)
  await old.stop()
  const folder = nextBuild(60_000)
  const next = await startTestSite({ DATA_DIR: dataDir, PORT: String(old.port) }, folder)
  try {
    expect(await page.locator('html').getAttribute('data-build')).toBe(basename(buildFolder()))
    await page.locator('header a[href="/pricing"]').click()
    await expect(page.locator('html')).toHaveAttribute('data-build', 'b0b0b0b0b0b0b0b0')
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

test('a later build found by asking makes the next navigation a load; an earlier one does not', async ({
  page,
}) => {
  let latest = { id: 'older', timestamp: 1 }
  const asked: string[] = []
  await page.route('**/builds/latest.json?*', (route) => {
    asked.push(route.request().url())
    return route.fulfill({ json: latest })
  })
  await openReady(page, en('/faq'))
  const loads = countLoads(page)
  await expect.poll(async () => (await site.get('/builds/latest.json')).status).toBe(200)
  await showsHidden(page)
  await expect.poll(() => asked.length).toBe(1)
  expect(asked[0]).toMatch(/latest\.json\?\d{13}$/)
  await follow(page, '/pricing')
  expect(loads.count()).toBe(0)
  latest = { id: 'newer', timestamp: Date.now() + 1_000_000 }
  await showsHidden(page)
  await expect.poll(() => asked.length).toBe(2)
  await page.waitForTimeout(200)
  await page.locator('header a[href="/download"]').click()
  await expect.poll(() => loads.count()).toBe(1)
  await expect(page.locator('html')).toHaveAttribute('data-page', 'download')
})

test('the latest build is asked for every five minutes', async ({ page }) => {
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/builds/latest.json')) asked.push(request.url())
  })
  await page.clock.install({ time: 0 })
  await page.clock.pauseAt(1000)
  await openReady(page, en('/faq'))
  await page.clock.runFor(299_000)
  expect(asked).toEqual([])
  await page.clock.runFor(1_500)
  await expect.poll(() => asked.length).toBe(1)
  // Its answer has been read: while one is on its way, no other is asked for. A later answer over the same connection tells.
  await page.waitForLoadState('networkidle')
  await page.evaluate(() => fetch('/readyz').then((response) => response.text()))
  await page.clock.runFor(300_000)
  await expect.poll(() => asked.length).toBe(2)
})

test('a page whose code cannot be fetched is loaded anew once, then the error screen comes, and nothing loops', async ({
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
  // Before the page is there: the menu's link is fetched ahead.
  await page.route(/\/assets\/page-Pricing-/, (route) => route.abort())
  await openReady(page, en('/faq'))
  const loads = countLoads(page)
  await layLink(page, '/pricing')
  await page.locator('#laid').click()
  await expect(page.locator('[data-shell="error-screen"]')).toBeVisible({ timeout: 15_000 })
  await page.locator('[data-action="stop"]').click()
  await page.waitForTimeout(1500)
  expect(loads.urls.map((url) => new URL(url).pathname)).toEqual(['/pricing', '/error/502'])
  expect(failures).toContain('chunk')
})

test('a first page whose code cannot be fetched is loaded anew once, then the error screen comes', async ({
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

test('where all code of pages is blocked nothing loops either', async ({ page }) => {
  await page.route(/\/assets\/page-/, (route) => route.abort())
  const loads = countLoads(page)
  await page.goto(en('/pricing'))
  await expect(page.locator('[data-shell="error-screen"]')).toBeVisible({ timeout: 15_000 })
  await page.waitForTimeout(3000)
  expect(loads.count()).toBeLessThanOrEqual(4)
  await expect(page.locator('[data-shell="error-screen"]')).toBeVisible()
})

test('a payload that cannot be fetched is told of once, and the click becomes a load', async ({
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
  const loads = countLoads(page)
  await page.locator('header a[href="/pricing"]').click()
  await expect(page.locator('html')).toHaveAttribute('data-page', 'pricing')
  expect(loads.count()).toBe(1)
  expect(errors.length).toBe(1)
})

test('a click without a network says so and changes nothing; with a network it works again', async ({
  page,
  context,
}) => {
  await page.addInitScript(() =>
    Object.defineProperty(navigator, 'connection', { value: { saveData: true } }),
  )
  await openReady(page, addressOn(site, 'es', '/es/faq'))
  await page.waitForSelector('[data-shell="chat-buttons"]')
  const loads = countLoads(page)
  await follow(page, '/es/download')
  await context.setOffline(true)
  await page.locator('header a[href="/es/pricing"]').click()
  await expect(page.locator('[data-shell="toast"]')).toContainText('No hay conexión')
  await expect(page.locator('[data-shell="toast"]')).toHaveAttribute('role', 'alert')
  expect(new URL(page.url()).pathname).toBe('/es/download')
  await expect(page.locator('[data-shell="loading-bar"]')).not.toHaveAttribute(
    'data-state',
    'loading',
  )
  // Back to a page that was loaded, not clicked: it is not kept, so the visitor stays where he is.
  await page.goBack({ waitUntil: 'commit' }).catch(() => undefined)
  await expect.poll(() => new URL(page.url()).pathname).toBe('/es/download')
  await context.setOffline(false)
  await page.locator('header a[href="/es/pricing"]').click()
  await expect(page.locator('html')).toHaveAttribute('data-page', 'pricing')
  expect(loads.urls).toEqual([])
})
