import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { currencies, tooltip, type Currency } from '../../../shared/constants'
import { formatMoney } from '../../../shared/money'
import { priceOf, referralEarnings } from '../../../shared/plans'
import { test } from '../../../testing/browser-test'
import { planOf, product } from '../../../testing/product'
import { root } from '../../../testing/root'
import { type TestSite } from '../../../testing/site'
import { hydrated } from '../../../testing/watch-page'

let site: TestSite
test.beforeAll(async ({ sharedSite }) => {
  site = await sharedSite()
})

const address = (path: string): string => `http://localhost:${site.port}${path}`

test('prices change with the period and the currency, without script', async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(address('/pricing'))
  const solo = page
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name: 'Solo', exact: true }) })
  const { monthly } = planOf('solo')
  const months = product.paid_months_per_year
  for (const period of ['month', 'year'] as const)
    for (const code of Object.keys(currencies) as Currency[]) {
      await page.locator(`input[value="${period}"]`).check()
      await page.locator(`input[value="${code}"]`).check()
      await expect(solo.locator('strong:visible')).toHaveText([
        formatMoney(monthly[code] * (period === 'year' ? months : 1), code, {
          decimals: 0,
        }),
      ])
      expect(priceOf(monthly, code, 'year', months)).toBe(monthly[code] * months)
    }
  await context.close()
})

test('a group of tabs is one tab stop, and arrow keys select', async ({ page }) => {
  await page.goto(address('/docs/automation'))
  await hydrated(page)
  const tabs = page.locator('.tabs-input')
  await tabs.first().focus()
  await expect(page.locator('.tabs-panel').first()).toBeVisible()
  await page.keyboard.press('ArrowRight')
  await expect(tabs.nth(1)).toBeFocused()
  await expect(page.locator('.tabs-panel').nth(1)).toBeVisible()
  await expect(page.locator('.tabs-panel').first()).toBeHidden()
  await page.keyboard.press('Tab')
  await expect(page.locator('.tabs-input:focus')).toHaveCount(0)
})

test('an accordion opens and closes on Enter and Space', async ({ page }) => {
  await page.goto(address('/faq'))
  const second = page.locator('main details').nth(1)
  await second.locator('summary').focus()
  await expect(second).not.toHaveAttribute('open')
  await page.keyboard.press('Enter')
  await expect(second).toHaveAttribute('open')
  await page.keyboard.press('Space')
  await expect(second).not.toHaveAttribute('open')
})

test('a copy button copies the code beside it and announces it', async ({ browser }) => {
  const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] })
  const page = await context.newPage()
  await page.goto(address('/docs/proxies'))
  await hydrated(page)
  const code = page.locator('.prose-frame pre').first()
  await page.getByRole('button', { name: 'Copy code' }).first().click()
  await expect(page.getByRole('status').filter({ hasText: 'Copied' })).toHaveCount(1)
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    (await code.textContent())?.trim(),
  )
  // The mark and the message end after a while. A copy that fails has neither.
  const marked = page.locator('[data-copied]')
  await expect(marked).toHaveCount(1)
  await expect(marked).toHaveCount(0)
  await expect(page.getByRole('status').filter({ hasText: 'Copied' })).toHaveCount(0)
  await page.evaluate(async () => {
    Object.assign(navigator.clipboard, { writeText: () => Promise.reject(new Error('no')) })
    document.querySelector<HTMLElement>('.prose-frame button[data-copy]')?.click()
    await new Promise((resolve) => setTimeout(resolve))
  })
  expect(await marked.count()).toBe(0)

  await page.goto(address('/_icons'))
  await hydrated(page)
  await expect(async () => {
    await page.locator('#icon-globe').click()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('globe')
  }).toPass()
  await expect(page.getByRole('status').filter({ hasText: 'globe copied' })).toHaveCount(1)
  await context.close()
})

test('the icons page shows each icon with its view box from the sprite', async ({ page }) => {
  await page.goto(address('/_icons'))
  const sprite = await page.locator('use').first().getAttribute('href')
  const symbols = Array.from(
    (await site.get(sprite?.split('#')[0] ?? '')).body.matchAll(
      /<symbol id="([^"]+)" viewBox="([^"]+)"/g,
    ),
    ([, name, box]) => ({ name, box }),
  )
  expect(symbols.length).toBeGreaterThan(30)
  for (const { name, box } of symbols)
    await expect(page.locator(`#icon-${name}`)).toContainText(`${box}`)
  await expect(page.locator('main li')).toHaveCount(symbols.length)
})

test('an overflowing table can be focused, scrolled and enlarged; the dialog restores the focus', async ({
  page,
}) => {
  await page.setViewportSize({ width: 320, height: 640 })
  await page.goto(address('/blog/choosing-a-proxy-type'))
  await hydrated(page)
  const scroller = page.locator('.table-scroll').first()
  await expect(scroller).toHaveAttribute('tabindex', '0')
  await scroller.focus()
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => scroller.evaluate((element) => element.scrollLeft)).toBeGreaterThan(0)
  const open = page.getByRole('button', { name: 'Enlarge table' }).first()
  await open.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Table' })
  await expect(dialog).toBeVisible()
  for (let tab = 0; tab < 4; tab += 1) {
    await page.keyboard.press('Tab')
    expect(
      await page.evaluate(
        () =>
          document.activeElement === document.body ||
          document.activeElement?.closest('dialog') !== null,
      ),
    ).toBe(true)
  }
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(open).toBeFocused()
})

test('a tooltip shows truncated text after its delay and stays under the pointer', async ({
  page,
}) => {
  await page.clock.install({ time: 0 })
  await page.goto(address('/download'))
  await hydrated(page)
  const cut = page
    .locator('main [data-ellipsis]')
    .filter({ hasText: /^[0-9a-f]{64}$/ })
    .first()
  await expect(cut).toHaveAttribute('tabindex', '0')
  // Otherwise real time on a slow machine would count too. Not before: React shows parts of the
  // page that come late by this clock.
  await page.clock.pauseAt(600_000)
  const box = page.getByRole('tooltip')
  // Scrolling it into view hides the tooltip, and the scroll event is dispatched with the next
  // frame.
  await cut.scrollIntoViewIfNeeded()
  await page.waitForTimeout(300)
  await cut.hover()
  await page.clock.runFor(tooltip.delayMs - 100)
  await expect(box).toHaveCount(0)
  await page.clock.runFor(200)
  await expect(box).toHaveText((await cut.textContent()) ?? '')
  expect((await box.boundingBox())?.width).toBeLessThanOrEqual(tooltip.maxWidthPx)
  await box.hover()
  await page.clock.runFor(1000)
  await expect(box).toHaveCount(1)
  // It closes 200 ms after the pointer has left it: time to cross the gap between it and its text.
  await page.mouse.move(0, 0)
  await page.clock.runFor(199)
  await expect(box).toHaveCount(1)
  await page.clock.runFor(1)
  await expect(box).toHaveCount(0)
  await cut.hover()
  await page.clock.runFor(tooltip.delayMs)
  await expect(box).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(box).toHaveCount(0)
  await cut.focus()
  await page.clock.runFor(tooltip.delayMs)
  await expect(box).toHaveCount(1)
  await page.mouse.move(0, 0)
  await cut.blur()
  await page.clock.runFor(1000)
  await expect(box).toHaveCount(0)

  // Text that is not truncated has no tooltip and is not a tab stop.
  const whole = page.locator('nav [data-ellipsis]').first()
  await expect(whole).not.toHaveAttribute('tabindex')
  await whole.hover()
  await page.clock.runFor(2 * tooltip.delayMs)
  await expect(box).toHaveCount(0)
})

test("the calculator shows an example, then the visitor's numbers, and explains invalid input", async ({
  page,
  browser,
}) => {
  const still = await browser.newContext({ javaScriptEnabled: false })
  const plain = await still.newPage()
  await plain.goto(address('/referral-program'))
  await expect(plain.locator('output')).toContainText('$')
  await still.close()

  await page.goto(address('/referral-program'))
  await hydrated(page)
  const business = planOf('business')
  await page.getByLabel('Customers you refer').fill('7')
  await page.getByLabel('Plan they choose').selectOption('business')
  await expect(page.locator('output')).toContainText(
    formatMoney(referralEarnings(7, business.monthly, 'USD', product.referral.percent), 'USD', {
      decimals: 0,
    }),
  )
  await page.getByLabel('Customers you refer').fill('0')
  await expect(page.getByRole('alert')).toContainText('whole number')
  await expect(page.getByLabel('Customers you refer')).toHaveAttribute('aria-invalid', 'true')
})

test('the table of contents marks the current heading', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto(address('/docs/proxies'))
  await hydrated(page)
  const contents = page.getByRole('navigation', { name: 'On this page' })
  await contents.getByRole('link', { name: 'Change a proxy' }).click()
  await expect(contents.locator('[aria-current]')).toHaveText('Change a proxy')
})

test('an article prints without header, footer and navigation', async ({ page }) => {
  await page.goto(address('/docs/automation'))
  await hydrated(page)
  await page.evaluate(() => document.documentElement.setAttribute('data-theme', 'dark'))
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  for (const hidden of ['header', 'footer', '.prose-button'])
    await expect(page.locator(hidden).first()).toBeHidden()
  for (const panel of await page.locator('.tabs-panel').all()) await expect(panel).toBeVisible()
  expect(await page.locator('h1').evaluate((heading) => getComputedStyle(heading).color)).toBe(
    'rgb(0, 0, 0)',
  )
  const light = { '--tok-string': '#0f6b5c', '--danger': '#b42318', '--dimmed': 'none' }
  expect(
    await page.evaluate((names) => {
      const style = getComputedStyle(document.documentElement)
      return Object.fromEntries(names.map((name) => [name, style.getPropertyValue(name)]))
    }, Object.keys(light)),
  ).toEqual(light)
})

test('the styles load no web fonts', () => {
  expect(readFileSync(join(root, 'client', 'styles', 'tokens.css'), 'utf8')).not.toContain(
    '@font-face',
  )
})
