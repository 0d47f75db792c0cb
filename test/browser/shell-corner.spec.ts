import { expect, test, type Page } from '@playwright/test'
import { qrCode } from '../../client/shell/qr-code'
import { startTestSite, type TestSite } from '../../testing/site'
import { hydrated, watchPage } from '../../testing/watch-page'

let site: TestSite
test.beforeAll(async () => {
  site = await startTestSite()
})
test.afterAll(() => site.stop())

const part = (page: Page, name: string) => page.locator(`[data-shell="${name}"]`)
const address = (host: string, path: string): string => `http://${host}:${site.port}${path}`

test('the consultation button is Chinese only; its popup opens by hover and by tap, Escape closes it', async ({
  page,
  browser,
}) => {
  await page.goto(address('zh.localhost', '/pricing'))
  await page.mouse.move(300, 300)
  await part(page, 'consult').locator('button').hover()
  await expect(part(page, 'consult-popup').locator('svg')).toBeVisible()
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
  await small.goto(address('zh.localhost', '/pricing'))
  await part(small, 'consult').locator('button').tap()
  await expect(part(small, 'consult-popup')).toBeVisible()
  await part(small, 'consult').locator('button').tap()
  await expect(part(small, 'consult-popup')).toHaveCount(0)
  for (const path of ['/pricing', '/tc/pricing']) {
    await small.goto(address('localhost', path))
    await part(small, 'chat-buttons').waitFor()
    await expect(part(small, 'consult')).toHaveCount(0)
  }
  await touch.close()
})

test('the QR code has the size and the finders of its version', () => {
  const rows = qrCode('mailto:hello@example.com') ?? []
  expect(rows.length).toBe(25)
  for (const [y, x] of [
    [0, 0],
    [0, 18],
    [18, 0],
  ] as const) {
    const finder = rows.slice(y, y + 7).map((row) =>
      row
        .slice(x, x + 7)
        .map((dark) => (dark ? '#' : '.'))
        .join(''),
    )
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
  expect(qrCode('x'.repeat(106))?.length).toBe(37)
  expect(qrCode('x'.repeat(107))).toBeNull()
})

for (const size of [
  { width: 320, height: 568 },
  { width: 360, height: 640 },
  { width: 667, height: 375 },
  { width: 1200, height: 800 },
]) {
  test(`nothing in the corner covers another at ${size.width} × ${size.height}`, async ({
    page,
    context,
  }) => {
    await context.grantPermissions(['clipboard-write'])
    await page.setViewportSize(size)
    await page.goto(address('zh.localhost', '/pricing'))
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

test('what has the focus is never covered', async ({ page }) => {
  test.setTimeout(120_000)
  for (const [size, path] of [
    [{ width: 360, height: 640 }, '/pricing'],
    [{ width: 1200, height: 700 }, '/docs/automation'],
  ] as const) {
    await page.setViewportSize(size)
    await page.goto(address('zh.localhost', path))
    await hydrated(page)
    await part(page, 'consult').waitFor()
    if (size.width < 768) await part(page, 'signup-banner').waitFor()
    let stops = 0
    for (; stops < 250; stops += 1) {
      await page.keyboard.press('Tab')
      await page.waitForTimeout(20)
      await expect
        .poll(
          () =>
            page.evaluate(() => {
              const active = document.activeElement
              // Tabs are hidden radio buttons: what is seen is their label.
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

test('a theme follows the system until one is chosen, and is there before the first paint', async ({
  page,
}) => {
  const { problems } = watchPage(page)
  const dark = (): Promise<boolean> =>
    page.evaluate(() => getComputedStyle(document.documentElement).colorScheme === 'dark')
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.goto(address('localhost', '/'))
  await hydrated(page)
  expect(await dark()).toBe(true)
  await expect(page.locator('html')).not.toHaveAttribute('data-theme')
  await expect(part(page, 'theme')).toHaveAttribute('aria-pressed', 'true')
  await part(page, 'theme').click()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light')
  await expect(part(page, 'theme')).toHaveAttribute('aria-pressed', 'false')
  expect(await dark()).toBe(false)
  // Without the site's scripts: the constant at the start of the head does it alone.
  await page.route('**/assets/*.js', (route) => route.abort())
  await page.goto(address('localhost', '/pricing'))
  expect(await dark()).toBe(false)
  expect(problems.filter((text) => !/Failed to load resource|ERR_FAILED/.test(text))).toEqual([])
})
