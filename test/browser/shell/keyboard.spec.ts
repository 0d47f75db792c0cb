import { expect, type Page } from '@playwright/test'
import { test } from '../../../testing/browser-test'
import { type TestSite } from '../../../testing/site'
import { hydrated, withoutPrefetch } from '../../../testing/watch-page'

let site: TestSite
test.beforeAll(async ({ sharedSite }) => {
  site = await sharedSite()
})

type Stop = { what: string; visible: boolean; outlined: boolean; covered: string }

/** The focused element: whether it is in the window, shows its focus, and is not covered. */
const focused = (page: Page): Promise<Stop | null> =>
  page.evaluate(() => {
    const element = document.activeElement
    if (!(element instanceof HTMLElement) || element === document.body) return null
    // For a hidden radio button, its label shows the focus.
    const seen = element.matches('input[type="radio"]')
      ? (element.closest('label') ??
        document.querySelector(`label[for="${CSS.escape(element.id)}"]`) ??
        element)
      : element
    const { left, right, top, bottom } = seen.getClientRects()[0] ?? seen.getBoundingClientRect()
    const over = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
    // A card shows the focus of its link, on the link's overlay or around itself.
    const style = [
      ...[seen, element, ...seen.children, seen.closest('li, article')].flatMap((one) =>
        one ? [getComputedStyle(one)] : [],
      ),
      getComputedStyle(seen, '::after'),
    ]
    return {
      what: `${element.localName} ${element.textContent?.trim().slice(0, 40)}`,
      visible: bottom > 0 && top < innerHeight && right > 0 && left < innerWidth,
      outlined: style.some(
        ({ outlineStyle, outlineWidth }) =>
          outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2,
      ),
      covered:
        over && !seen.contains(over) && !over.contains(seen)
          ? `${over.localName}.${over.className}`
          : '',
    }
  })

for (const { path, width } of [
  { path: '/', width: 1200 },
  { path: '/pricing', width: 360 },
  { path: '/docs/proxies', width: 1200 },
  { path: '/blog', width: 360 },
  { path: '/alternatives/gologin', width: 360 },
  { path: '/download', width: 767 },
]) {
  test(`${path} can be used with the keyboard at ${width} pixels, and the focus is always visible`, async ({
    browser,
  }) => {
    test.setTimeout(120_000)
    const context = await browser.newContext({
      viewport: { width, height: 700 },
      reducedMotion: 'reduce',
    })
    // Each focused link would be prefetched.
    await withoutPrefetch(context)
    const page = await context.newPage()
    await page.goto(`http://localhost:${site.port}${path}`)
    await hydrated(page)
    // The floating elements come after hydration; the focus must not be below them.
    await page.locator('[data-shell="chat-buttons"]').waitFor()
    const reachable = await page.locator('main a[href]:visible, main button:visible').count()
    const stops: Stop[] = []
    for (let presses = 0; presses < 400; presses += 1) {
      await page.keyboard.press('Tab')
      const stop = await focused(page)
      if (!stop) break
      stops.push(stop)
    }
    expect(
      stops.filter(({ visible, outlined, covered }) => !visible || !outlined || covered),
    ).toEqual([])
    // The keyboard reached every link and button of `main`.
    expect(stops.length).toBeGreaterThan(reachable)
    await context.close()
  })
}

test('menus, the theme switch and tabs work without a mouse', async ({ page }) => {
  await page.setViewportSize({ width: 1200, height: 800 })
  await page.goto(`http://localhost:${site.port}/`)
  await hydrated(page)
  await page.keyboard.press('Tab')
  await expect(page.locator(':focus')).toHaveAttribute('href', '#main')
  await page.keyboard.press('Enter')
  await expect(page.locator('main')).toBeFocused()

  const menu = page
    .locator('header details')
    .filter({ has: page.locator('a[href="/features"], a[href="/rpa"]') })
    .first()
  await menu.locator('summary').focus()
  await page.keyboard.press('Enter')
  await expect(menu).toHaveAttribute('open', '')
  await page.keyboard.press('Escape')
  await expect(menu).not.toHaveAttribute('open', '')
  await expect(menu.locator('summary')).toBeFocused()

  const tabs = page.locator('main .tabs').first()
  await tabs.locator('input').first().focus()
  await page.keyboard.press('ArrowRight')
  await expect(tabs.locator('input').nth(1)).toBeChecked()
  await expect(tabs.locator('.tabs-panel').nth(1)).toBeVisible()
})
