import { expect, type Page } from '@playwright/test'
import { test, withAnimations } from '../../../testing/browser-test'
import { addressOn, follow, openReady } from '../../../testing/navigate'
import { type TestSite } from '../../../testing/site'
import { hydrated } from '../../../testing/watch-page'

test.use(withAnimations)

let site: TestSite
test.beforeAll(async ({ sharedSite }) => {
  site = await sharedSite()
})

async function open(page: Page, path: string, width: number, host = 'localhost'): Promise<void> {
  await page.setViewportSize({ width, height: 720 })
  await page.goto(`http://${host}:${site.port}${path}`)
  await hydrated(page)
  await page.waitForSelector('[data-shell="chat-buttons"]')
}
const menus = (page: Page) => page.locator('header nav details')

test('one menu is open at a time; Escape closes it and restores the focus; a click outside closes it; arrow keys move', async ({
  page,
}) => {
  await open(page, '/pricing', 1200)
  const titles = menus(page).locator('summary')
  await titles.nth(0).click()
  await titles.nth(1).click()
  await expect(page.locator('header details[open]')).toHaveCount(1)
  await expect(menus(page).nth(1)).toHaveAttribute('open', '')
  await page.keyboard.press('ArrowDown')
  await expect(menus(page).nth(1).locator('a').first()).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  await expect(menus(page).nth(1).locator('a').last()).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.locator('header details[open]')).toHaveCount(0)
  await expect(titles.nth(1)).toBeFocused()
  await page.locator('[data-shell="language-menu"] summary').click()
  await expect(page.locator('[data-shell="language-menu"] a[hreflang]')).toHaveCount(14)
  await page.locator('h1').click()
  await expect(page.locator('header details[open]')).toHaveCount(0)
  await titles.nth(0).click()
  for (let step = 0; step < 7; step += 1) await page.keyboard.press('Tab')
  await expect(page.locator('header details[open]')).toHaveCount(0)
  await expect(titles.nth(1)).toBeFocused()
  await expect(page.locator('header nav a[aria-current="page"]')).toHaveAttribute(
    'href',
    '/pricing',
  )
})

test('the drawer traps the focus, stops the page from scrolling and closes on Escape', async ({
  page,
}) => {
  await open(page, '/', 360)
  const drawer = page.locator('details[data-drawer]')
  await drawer.locator('summary').press('Enter')
  await expect(drawer).toHaveAttribute('open', '')
  for (let step = 0; step < 20; step += 1) {
    await page.keyboard.press('Tab')
    expect(
      await page.evaluate(() =>
        Boolean(
          document.activeElement?.closest('details[data-drawer], details[data-drawer] + div'),
        ),
      ),
    ).toBe(true)
  }
  await page.mouse.move(180, 500)
  await page.mouse.wheel(0, 600)
  await page.waitForTimeout(200)
  expect(await page.evaluate(() => window.scrollY)).toBe(0)
  await expect(page.locator('main')).toHaveJSProperty('inert', true)
  await page.keyboard.press('Escape')
  await expect(drawer).not.toHaveAttribute('open')
  await expect(drawer.locator('summary')).toBeFocused()
  await expect(page.locator('main')).toHaveJSProperty('inert', false)
  await drawer.locator('summary').click()
  await page.locator('[data-shell="language-menu"] summary').click()
  await expect(drawer).not.toHaveAttribute('open')
  await expect(page.locator('[data-shell="language-menu"]')).toHaveAttribute('open', '')
  await drawer.locator('summary').click()
  await page.setViewportSize({ width: 1300, height: 720 })
  await expect(page.locator('main')).toHaveJSProperty('inert', false)
})

test('the search above the open drawer keeps Tab and Escape to itself', async ({ page }) => {
  await open(page, '/', 360)
  const drawer = page.locator('details[data-drawer]')
  await drawer.locator('summary').click()
  await expect(page.locator('main')).toHaveJSProperty('inert', true)
  await page.locator('header [data-action="search"]').click()
  const search = page.locator('[data-shell="search"]')
  await expect(search.getByRole('combobox')).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(search.locator('[data-action="close"]')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(search).toHaveCount(0)
  await expect(drawer).toHaveAttribute('open', '')
})

for (const path of ['/faq', '/no-such-page']) {
  test(`back to ${path} with the drawer open leaves a page that takes focus and input`, async ({
    page,
  }) => {
    await page.setViewportSize({ width: 360, height: 720 })
    await openReady(page, addressOn(site, 'en', '/pricing'))
    await follow(page, path)
    await follow(page, '/download')
    await page.locator('details[data-drawer] summary').click()
    await expect(page.locator('main')).toHaveJSProperty('inert', true)
    await page.goBack()
    await expect(page).toHaveURL(addressOn(site, 'en', path))
    await expect(page.locator('main h1')).toBeFocused()
    await expect(page.locator('main')).toHaveJSProperty('inert', false)
  })
}

test('the language menu works without script', async ({ browser }) => {
  const context = await browser.newContext({
    javaScriptEnabled: false,
    viewport: { width: 360, height: 720 },
  })
  const page = await context.newPage()
  await page.goto(`http://localhost:${site.port}/pricing`)
  await expect(page.locator('[data-shell="theme"]')).toBeHidden()
  await page.locator('[data-shell="language-menu"] summary').click()
  await page.locator('[data-shell="language-menu"] a[hreflang="es-ES"]').click()
  await page.waitForURL('**/es/pricing')
  await context.close()
})

test('the stopped error screen says so in the status that takes the focus', async ({ page }) => {
  await page.goto(`http://localhost:${site.port}/error/502`)
  await hydrated(page)
  const screen = page.locator('[data-shell="error-screen"]')
  const status = await screen.locator('[role="status"]').elementHandle()
  await screen.locator('[data-action="stop"]').press('Enter')
  await expect(screen.locator('[role="status"]')).toHaveText(/stopped/i)
  await expect(screen.locator('[role="status"]')).toBeFocused()
  // Screen readers announce a text only in a status that was there before.
  expect(await status?.isVisible()).toBe(true)
  await expect(screen.locator('[data-shell="countdown"], [data-action="stop"]')).toHaveCount(0)
})

for (const { host, first, to } of [
  { host: 'localhost', first: false, to: '/blog' },
  { host: 'zh.localhost', first: true, to: '/blog' },
  { host: 'ru.localhost', first: false, to: '/' },
]) {
  test(`the error screen on ${host} counts five seconds down and redirects to ${to}`, async ({
    page,
  }) => {
    await page.clock.install({ time: 0 })
    await page.clock.pauseAt(1000)
    await page.goto(`http://${host}:${site.port}/error/502`)
    await hydrated(page)
    const screen = page.locator('[data-shell="error-screen"]')
    const seconds = screen.locator('[data-shell="countdown"]')
    await expect(screen.getByRole('img', { name: '502 not found' })).toBeVisible()
    await expect(seconds).toHaveText('5')
    expect(
      await seconds.evaluate((element) => element.parentElement?.firstElementChild === element),
    ).toBe(first)
    // The countdown starts at hydration.
    await page.waitForTimeout(200)
    await page.clock.runFor(4000)
    await expect(seconds).toHaveText('1')
    await page.clock.runFor(1000)
    await page.waitForURL((url) => url.pathname === to)
  })
}
