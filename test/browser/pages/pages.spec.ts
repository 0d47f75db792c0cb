import { expect } from '@playwright/test'
import { locales, type LocaleCode } from '../../../shared/i18n/locales'
import { redirectFor } from '../../../shared/routes/availability'
import { href } from '../../../shared/routes/href'
import { test, withPrefetch } from '../../../testing/browser-test'
import { contentPages, plainPages } from '../../../testing/pages'
import { hostNames, type TestSite } from '../../../testing/site'
import { hydrated, watchPage } from '../../../testing/watch-page'

let site: TestSite
test.beforeAll(async ({ sharedSite }) => {
  site = await sharedSite()
})

const address = (code: LocaleCode, path: string): string =>
  `http://${hostNames[locales[code].domain]}:${site.port}${path}`
/** One page of each route. */
const everyRoute = [
  ...plainPages,
  ...contentPages.filter(
    (entry, index) => contentPages.findIndex((other) => other.route === entry.route) === index,
  ),
]

test.use(withPrefetch)

test('ten clicked links open the pages that they name', async ({ page }) => {
  const { problems } = watchPage(page)
  await page.goto(address('en', '/'))
  const targets = await page
    .locator('main a[href^="/"], footer a[href^="/"]')
    .evaluateAll((links) =>
      [...new Set(links.map((link) => link.getAttribute('href') ?? ''))].filter(
        (href) => !/^\/(?:app|downloads)\b|#/.test(href),
      ),
    )
  const step = Math.max(1, Math.floor(targets.length / 10))
  const chosen = targets.filter((_, index) => index % step === 0).slice(0, 10)
  expect(chosen.length).toBe(10)
  await hydrated(page)
  for (const target of chosen) {
    await page.locator(`main a[href="${target}"], footer a[href="${target}"]`).first().click()
    await page.waitForURL((url) => url.pathname === target)
    await expect(page.locator('html')).not.toHaveAttribute('data-page', /^(?:home|error-404)$/)
    await expect(page.locator('h1')).toBeVisible()
    await page.goBack()
    await expect(page.locator('html')).toHaveAttribute('data-page', 'home')
  }
  expect(problems).toEqual([])
})

test('the pages are readable without JavaScript', async ({ browser }) => {
  const context = await browser.newContext({
    javaScriptEnabled: false,
    viewport: { width: 360, height: 700 },
  })
  const page = await context.newPage()
  await page.goto(address('en', '/docs/automation'))
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.locator('label.tabs-label').nth(1).click()
  await expect(page.locator('.tabs-panel').nth(1)).toBeVisible()
  await context.close()
})

// The other languages of different scripts: accessibility.spec.ts.
test('no page in Russian scrolls sideways at 320 pixels', async ({ browser }) => {
  // Widths depend on style sheets only, and a page without scripts loads in a third of the time.
  const context = await browser.newContext({
    javaScriptEnabled: false,
    viewport: { width: 320, height: 640 },
  })
  const page = await context.newPage()
  for (const entry of everyRoute) {
    if (redirectFor(entry, 'ru') || ['docs', 'case'].includes(entry.route)) continue
    const path = href('ru', entry.route, entry.params)
    await page.goto(address('ru', path))
    expect({
      path,
      width: await page.evaluate(() => document.documentElement.scrollWidth),
    }).toEqual({ path, width: 320 })
  }
  await context.close()
})

test('the countdown of the error screen can be stopped, and its button leads back', async ({
  page,
}) => {
  await page.clock.install({ time: 0 })
  await page.clock.pauseAt(1000)
  await page.goto(address('en', '/error/502'))
  await hydrated(page)
  await expect(page.locator('[data-shell="countdown"]')).toHaveText(/[45]/)
  await page.locator('[data-action="stop"]').click()
  await expect(page.locator('[data-action="stop"]')).toHaveCount(0)
  await page.clock.runFor(10_000)
  expect(new URL(page.url()).pathname).toBe('/error/502')
  await page.locator('[data-action="back"]').click()
  await page.waitForURL((url) => url.pathname === '/blog')
})
