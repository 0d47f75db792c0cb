import { rmSync } from 'node:fs'
import { expect, type Page } from '@playwright/test'
import { drawQrCode } from '../../../client/shell/draw-qr-code'
import { test, withAnimations } from '../../../testing/browser-test'
import { contentWith, mailboxes } from '../../../testing/content-copy'
import { startTestSite, type TestSite } from '../../../testing/site'
import { hydrated, watchPage } from '../../../testing/watch-page'

test.use(withAnimations)

let site: TestSite
const content = contentWith(mailboxes, ['docs/automation'])
test.beforeAll(async () => {
  site = await startTestSite({ CONTENT_DIR: content })
})
test.afterAll(async () => {
  await site.stop()
  rmSync(content, { recursive: true, force: true })
})

const part = (page: Page, name: string) => page.locator(`[data-shell="${name}"]`)
const siteUrl = (host: string, path: string): string => `http://${host}:${site.port}${path}`

test('the consultation button exists in Chinese only; its popup opens on hover and tap, Escape closes it', async ({
  page,
  browser,
}) => {
  await page.goto(siteUrl('zh.localhost', '/pricing'))
  await page.mouse.move(300, 300)
  await part(page, 'consult').locator('button').hover()
  await expect(part(page, 'consult-popup').locator('svg')).toBeVisible()
  const address = (await part(page, 'consult-popup').locator('a').getAttribute('href')) ?? ''
  expect(address).toMatch(/^mailto:.+@/)
  await expect(part(page, 'consult-popup').locator('svg path').last()).toHaveAttribute(
    'd',
    drawQrCode(address).path,
  )
  await part(page, 'consult-popup').hover()
  await page.waitForTimeout(400)
  await expect(part(page, 'consult-popup')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(part(page, 'consult-popup')).toHaveCount(0)
  await part(page, 'consult').locator('button').press('Enter')
  await expect(part(page, 'consult-popup')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(part(page, 'consult').locator('button')).toBeFocused()

  const touch = await browser.newContext({
    hasTouch: true,
    isMobile: true,
    viewport: { width: 360, height: 640 },
  })
  const small = await touch.newPage()
  await small.goto(siteUrl('zh.localhost', '/pricing'))
  await part(small, 'consult').locator('button').tap()
  await expect(part(small, 'consult-popup')).toBeVisible()
  await part(small, 'consult').locator('button').tap()
  await expect(part(small, 'consult-popup')).toHaveCount(0)
  for (const path of ['/pricing', '/tc/pricing']) {
    await small.goto(siteUrl('localhost', path))
    await part(small, 'chat-buttons').waitFor()
    await expect(part(small, 'consult')).toHaveCount(0)
  }
  await touch.close()
})

test('the QR code has a quiet zone and the finder patterns of its version', () => {
  const { size, path } = drawQrCode('mailto:hello@example.com')
  const quietZone = 4
  expect(size).toBe(25 + 2 * quietZone)
  const rows = Array.from({ length: size }, () => new Array<string>(size).fill('.'))
  for (const [, x, y] of path.matchAll(/M(\d+) (\d+)h1v1h-1z/g)) {
    const row = rows[Number(y)]
    if (row) row[Number(x)] = '#'
  }
  for (const [y, x] of [
    [0, 0],
    [0, 18],
    [18, 0],
  ] as const) {
    const [top, left] = [y + quietZone, x + quietZone]
    const finder = rows.slice(top, top + 7).map((row) => row.slice(left, left + 7).join(''))
    expect(finder).toEqual([
      '#######',
      '#.....#',
      '#.###.#',
      '#.###.#',
      '#.###.#',
      '#.....#',
      '#######',
    ])
  }
  const inside = (at: number): boolean => at >= quietZone && at < size - quietZone
  const outer = rows.flatMap((row, y) => row.filter((_, x) => !inside(x) || !inside(y)))
  expect(outer).not.toContain('#')
})

for (const size of [
  { width: 320, height: 568 },
  { width: 360, height: 640 },
  { width: 667, height: 375 },
  { width: 1200, height: 800 },
]) {
  test(`floating elements do not cover each other at ${size.width} × ${size.height}`, async ({
    page,
    context,
  }) => {
    await context.grantPermissions(['clipboard-write'])
    await page.setViewportSize(size)
    await page.goto(siteUrl('zh.localhost', '/pricing'))
    await hydrated(page)
    await part(page, 'consult').waitFor()
    await page.evaluate(() => window.scrollTo(0, 1500))
    await page.waitForTimeout(300)
    await page.evaluate(() => window.scrollTo(0, 1400))
    await part(page, 'scroll-top').waitFor()
    const apart = async (): Promise<void> => {
      const boxes = await page
        .locator(
          '[data-shell]:is([data-shell="signup-banner"], [data-shell="language-offer"], [data-shell="chat-buttons"], [data-shell="message-panel"], [data-shell="consult"], [data-shell="consult-popup"], [data-shell="scroll-top"], [data-shell="toast"])',
        )
        .evaluateAll((elements) =>
          elements.map((element) => {
            const { left, right, top, bottom } = element.getBoundingClientRect()
            return { name: element.getAttribute('data-shell'), left, right, top, bottom }
          }),
        )
      const overlaps = boxes.flatMap((a, index) =>
        boxes
          .slice(index + 1)
          .flatMap((b) =>
            a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
              ? [`${a.name} and ${b.name}`]
              : [],
          ),
      )
      expect(overlaps).toEqual([])
      for (const box of boxes)
        expect(
          box.left >= 0 && box.right <= size.width && box.bottom <= size.height && box.top >= 64,
          `${box.name} is in view: ${JSON.stringify(box)}`,
        ).toBe(true)
    }
    await page.waitForTimeout(400)
    await apart()
    await part(page, 'consult').locator('button').click()
    await page.waitForTimeout(300)
    await apart()
    await part(page, 'chat-buttons').locator('button').click()
    await page.waitForTimeout(300)
    await apart()
    await part(page, 'message-panel').locator('[data-action="copy"]').first().click()
    await part(page, 'toast').waitFor()
    await page.waitForTimeout(300)
    await apart()
  })
}

test('floating elements never cover the focused element', async ({ page }) => {
  test.setTimeout(120_000)
  for (const [size, path] of [
    [{ width: 360, height: 640 }, '/pricing'],
    [{ width: 1200, height: 700 }, '/docs/automation'],
  ] as const) {
    await page.setViewportSize(size)
    await page.goto(siteUrl('zh.localhost', path))
    await hydrated(page)
    await part(page, 'consult').waitFor()
    if (size.width < 768) await part(page, 'signup-banner').waitFor()
    let stops = 0
    for (; stops < 250; stops += 1) {
      await page.keyboard.press('Tab')
      await expect
        .poll(
          () =>
            page.evaluate(() => {
              const active = document.activeElement
              // Tabs are hidden radio buttons, so their label is checked.
              const focused =
                active instanceof HTMLInputElement ? (active.labels?.[0] ?? active) : active
              if (!focused || focused === document.body) return 'end'
              const { left, top, width, height } = focused.getBoundingClientRect()
              const spots = [
                [0.5, 0.5],
                [0.1, 0.5],
                [0.9, 0.5],
              ].map(([x = 0, y = 0]) =>
                document.elementFromPoint(left + x * width, top + y * height),
              )
              const seen = spots.some(
                (spot) => spot !== null && (focused.contains(spot) || spot.contains(focused)),
              )
              return seen
                ? 'seen'
                : `${focused.outerHTML.slice(0, 100)} at ${left}, ${top} lies under ${spots[0]?.outerHTML.slice(0, 100)}`
            }),
          { timeout: 3000 },
        )
        .toMatch(/seen|end/)
      if (await page.evaluate(() => document.activeElement === document.body)) break
    }
    expect(stops).toBeGreaterThan(30)
  }
})

test('the theme follows the system until the visitor chooses one, and applies before the first paint', async ({
  page,
}) => {
  const { problems } = watchPage(page)
  const dark = (): Promise<boolean> =>
    page.evaluate(() => getComputedStyle(document.documentElement).colorScheme === 'dark')
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.goto(siteUrl('localhost', '/'))
  await hydrated(page)
  expect(await dark()).toBe(true)
  await expect(page.locator('html')).not.toHaveAttribute('data-theme')
  await expect(part(page, 'theme')).toHaveAttribute('aria-pressed', 'true')
  await part(page, 'theme').click()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light')
  await expect(part(page, 'theme')).toHaveAttribute('aria-pressed', 'false')
  expect(await dark()).toBe(false)
  // Without the site's scripts, the inline script at the start of the head sets the theme.
  await page.route('**/assets/*.js', (route) => route.abort())
  await page.goto(siteUrl('localhost', '/pricing'))
  expect(await dark()).toBe(false)
  expect(problems.filter((text) => !/Failed to load resource|ERR_FAILED/.test(text))).toEqual([])
})
