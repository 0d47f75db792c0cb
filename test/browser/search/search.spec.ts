import { expect, type Page } from '@playwright/test'
import { search } from '../../../shared/constants'
import { locales } from '../../../shared/i18n/locales'
import { createSiteSearch } from '../../../client/search/site-search'
import { findViolations } from '../../../testing/axe'
import { test } from '../../../testing/browser-test'
import { addressOn, follow, openReady } from '../../../testing/navigate'
import { hostNames, type TestSite } from '../../../testing/site'
import { hydrated, watchPage } from '../../../testing/watch-page'

let site: TestSite
test.beforeAll(async ({ sharedSite }) => {
  site = await sharedSite()
})

const dialog = (page: Page) => page.locator('[data-shell="search"]')
const options = (page: Page) => dialog(page).locator('[role="option"]')
const openSearch = async (page: Page): Promise<void> => {
  // A key that is pressed before React has hydrated the shortcuts is lost.
  await expect(async () => {
    await page.keyboard.press('Control+k')
    await expect(dialog(page).getByRole('combobox')).toBeFocused({ timeout: 2000 })
  }).toPass()
}
async function open(
  page: Page,
  path: string,
  { host = 'localhost', width = 1200 } = {},
): Promise<void> {
  await page.setViewportSize({ width, height: 720 })
  await page.goto(`http://${host}:${site.port}${path}`)
  await hydrated(page)
}

test('sends a query after a pause of 150 ms and aborts overtaken requests', async () => {
  const requests: Array<{
    query: string
    signal: AbortSignal
    respond: (total: number) => void
    fail: () => void
  }> = []
  let timers: Array<{ ms: number; run: () => void }> = []
  const siteSearch = createSiteSearch({
    fetchResult: (query, signal) =>
      new Promise((resolve, reject) =>
        requests.push({
          query,
          signal,
          respond: (total) => resolve({ hits: [], total }),
          fail: () => reject(new Error('no')),
        }),
      ),
    clock: {
      after: (ms, run) => {
        const timer = { ms, run }
        timers.push(timer)
        return () => void (timers = timers.filter((other) => other !== timer))
      },
    },
  })
  const runTimers = (): void => timers.splice(0).forEach(({ run }) => run())
  siteSearch.setQuery('p')
  siteSearch.setQuery('pr')
  expect(timers.map(({ ms }) => ms)).toEqual([search.debounceMs])
  runTimers()
  expect(requests.map(({ query }) => query)).toEqual(['pr'])
  siteSearch.setQuery('pro')
  expect(requests[0]?.signal.aborted).toBe(true)
  requests[0]?.respond(9)
  runTimers()
  await Promise.resolve()
  expect(siteSearch.view.get()).toMatchObject({ query: 'pro', state: 'loading', result: null })
  requests[1]?.fail()
  await expect.poll(() => siteSearch.view.get().state).toBe('failed')
  siteSearch.retry()
  runTimers()
  requests[2]?.respond(3)
  await expect
    .poll(() => siteSearch.view.get())
    .toMatchObject({ state: 'done', result: { total: 3 } })
  siteSearch.setQuery('  ')
  expect(siteSearch.view.get().state).toBe('idle')
})

test('opens with Ctrl+K, / and its button, and restores the focus', async ({ page }) => {
  const watched = watchPage(page)
  await open(page, '/pricing')
  await page.keyboard.press('Control+k')
  await expect(dialog(page)).toBeVisible()
  await expect(dialog(page).getByRole('combobox')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toHaveCount(0)
  await page.keyboard.press('/')
  await expect(dialog(page).getByRole('combobox')).toHaveValue('')
  await page.keyboard.type('a/b')
  await expect(dialog(page).getByRole('combobox')).toHaveValue('a/b')
  await page.keyboard.press('Escape')
  const button = page.locator('header [data-action="search"]')
  await button.click()
  await expect(dialog(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(button).toBeFocused()
  expect(watched.problems).toEqual([])
})

test('searches while typing, selects with arrow keys, opens on Enter, and remembers the query', async ({
  page,
}) => {
  await open(page, '/')
  await openSearch(page)
  await page.keyboard.type('proxies', { delay: 20 })
  await expect(options(page).first()).toBeVisible()
  await expect(options(page).first()).toHaveAttribute('aria-selected', 'true')
  await expect(dialog(page).getByRole('status')).toHaveText(/^\d+ results?$/)
  await expect(dialog(page).locator('mark').first()).toHaveText(/prox/i)
  const field = dialog(page).getByRole('combobox')
  await expect(field).toHaveAttribute(
    'aria-activedescendant',
    (await options(page).first().getAttribute('id')) ?? '',
  )
  // An input method uses this key.
  await field.dispatchEvent('keydown', { key: 'ArrowDown', keyCode: 229 })
  await expect(options(page).first()).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('ArrowDown')
  await expect(options(page).nth(1)).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('ArrowUp')
  const target = await options(page).first().getAttribute('href')
  await page.keyboard.press('Enter')
  await page.waitForURL(`**${target}`)
  await hydrated(page)
  await page.keyboard.press('/')
  const recent = dialog(page).getByRole('button', { name: 'proxies', exact: true })
  await recent.click()
  await expect(options(page).first()).toHaveAttribute('href', target ?? '')
})

test('recent queries are cleared for good', async ({ page }) => {
  await page.addInitScript(() => {
    if (sessionStorage.getItem('tested') !== null) return
    sessionStorage.setItem('tested', '')
    localStorage.setItem('recent_searches', '["proxies","teams"]')
  })
  await open(page, '/faq')
  await openSearch(page)
  const recent = dialog(page).locator('[data-track="search-recent"]')
  await expect(recent).toHaveText(['proxies', 'teams'])
  await dialog(page).locator('[data-action="forget"]').click()
  await expect(recent).toHaveCount(0)
  await expect(dialog(page).getByRole('combobox')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toHaveCount(0)
  await openSearch(page)
  await expect(recent).toHaveCount(0)
})

test('opens the list of all pages when the dialog cannot be loaded', async ({ page }) => {
  await page.route(/\/assets\/search\./, (route) => route.abort())
  await open(page, '/faq')
  await page.locator('header [data-action="search"]').click()
  await page.waitForURL('**/links')
})

test('without a network its button says so and changes nothing; later it works', async ({
  page,
  context,
}) => {
  await open(page, '/faq')
  await page.waitForSelector('[data-shell="chat-buttons"]')
  const button = page.locator('header [data-action="search"]')
  await context.setOffline(true)
  await button.click()
  await expect(page.locator('[data-shell="toast"]')).toHaveAttribute('role', 'alert')
  await context.setOffline(false)
  await button.click()
  await expect(dialog(page)).toBeVisible()
  expect(new URL(page.url()).pathname).toBe('/faq')
})

test('shows messages for no results and for a failed search', async ({ page }) => {
  await open(page, '/docs/faq')
  await openSearch(page)
  await page.keyboard.type('zzqqxx')
  await expect(dialog(page).getByRole('status')).toContainText('zzqqxx')
  await page.route('**/api/site/search?**', (route) =>
    route.fulfill({
      status: 503,
      contentType: 'application/json',
      body: '{"code":50301,"msg":"busy","data":null}',
    }),
  )
  await page.keyboard.type('y')
  await expect(dialog(page).getByRole('alert')).toBeVisible()
  await page.unroute('**/api/site/search?**')
  await dialog(page).locator('[data-track="search-retry"]').click()
  await expect(dialog(page).getByRole('alert')).toHaveCount(0)
  await expect(dialog(page).getByRole('combobox')).toBeFocused()
  await dialog(page).getByRole('combobox').fill('proxy')
  await expect(options(page).first()).toBeVisible()
})

test('a click on the backdrop closes it; a selection of text that ends there does not', async ({
  page,
}) => {
  await open(page, '/faq')
  await openSearch(page)
  const field = dialog(page).getByRole('combobox')
  await field.fill('zzqqxx')
  await field.hover()
  await page.mouse.down()
  await page.mouse.move(20, 700)
  await page.mouse.up()
  await expect(dialog(page)).toHaveJSProperty('open', true)
  await expect(field).toHaveValue('zzqqxx')
  await page.mouse.click(20, 700)
  await expect(dialog(page)).toHaveCount(0)
})

test('single-key shortcuts can be switched off', async ({ browser }) => {
  // A tablet with a keyboard.
  const context = await browser.newContext({ hasTouch: true, isMobile: true })
  const page = await context.newPage()
  await open(page, '/docs/proxies')
  await page.keyboard.press('/')
  await dialog(page).getByRole('checkbox').uncheck()
  await page.keyboard.press('Escape')
  await page.keyboard.press('/')
  await page.keyboard.press('n')
  await page.waitForTimeout(300)
  await expect(dialog(page)).toHaveCount(0)
  expect(new URL(page.url()).pathname).toBe('/docs/proxies')
  await context.close()
})

test('is accessible, fills the screen of a phone, and has no English text in other languages', async ({
  page,
}) => {
  // Without the fade-in, whose half-transparent colors have too little contrast.
  await page.emulateMedia({ reducedMotion: 'reduce' })
  for (const code of ['en', 'zh', 'th', 'ru'] as const) {
    const { prefix, domain } = locales[code]
    await open(page, `${prefix || '/'}`, {
      host: hostNames[domain],
      width: code === 'th' || code === 'ru' ? 360 : 1200,
    })
    await openSearch(page)
    await dialog(page).getByRole('combobox').fill('API')
    await expect(options(page).first()).toBeVisible()
    if (code !== 'en')
      expect(await dialog(page).getAttribute('aria-label')).not.toBe('Search this site')
    expect(await findViolations(page, 'all', '[data-shell="search"]')).toEqual([])
    const box = await dialog(page).boundingBox()
    if (code === 'th') expect(box).toMatchObject({ x: 0, y: 0, width: 360, height: 720 })
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth),
    ).toBe(true)
  }
})

test('matches are visible in forced colors', async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active', colorScheme: 'dark' })
  await open(page, '/faq')
  await openSearch(page)
  await dialog(page).getByRole('combobox').fill('proxy')
  const colors = await options(page)
    .locator('mark')
    .first()
    .evaluate((mark) =>
      [mark, mark.parentElement ?? mark].map((element) => getComputedStyle(element).color),
    )
  expect(colors[0]).toBe(colors[1])
})

test('the 404 page opens the search', async ({ page }) => {
  await open(page, '/no-such-page-at-all')
  await page.locator('main [data-action="search"]').click()
  await expect(dialog(page).getByRole('combobox')).toBeFocused()
})

test('closes when the next page is shown, which gets the focus', async ({ page }) => {
  await openReady(page, addressOn(site, 'en', '/faq'))
  await follow(page, '/no-such-page')
  await page.locator('main [data-action="search"]').click()
  await dialog(page).getByRole('combobox').fill('zzqqxx')
  await dialog(page).locator('[data-track="search-links"]').click()
  await expect(page.locator('html')).toHaveAttribute('data-page', 'links')
  await expect(dialog(page)).toHaveCount(0)
  await expect(page.locator('main h1')).toBeFocused()
  await openSearch(page)
  await page.goBack()
  await expect(page.getByText('Page not found: /no-such-page')).toBeVisible()
  await expect(dialog(page)).toHaveCount(0)
  await expect(page.locator('main h1')).toBeFocused()
})
