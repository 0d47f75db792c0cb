import { rmSync } from 'node:fs'
import { expect, type Page, type Route } from '@playwright/test'
import { stackBoxes } from '../../../client/shell/floating-layout'
import type { Clock } from '../../../client/platform/clock'
import { createLoadingBar } from '../../../client/navigation/loading-bar'
import { chat, loadingBar, signupBanner, toast } from '../../../shared/constants'
import { test, withAnimations } from '../../../testing/browser-test'
import { contentWith, mailboxes } from '../../../testing/content-copy'
import { startTestSite, type TestSite } from '../../../testing/site'
import { watchPage } from '../../../testing/watch-page'

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

const phone = { width: 360, height: 640 }
/** Opens a page whose clock only advances when the test advances it. */
async function open(
  page: Page,
  path: string,
  { host = 'localhost', size = { width: 1200, height: 800 } } = {},
): Promise<void> {
  await page.setViewportSize(size)
  await page.clock.install({ time: 0 })
  await page.clock.pauseAt(1000)
  await page.goto(`http://${host}:${site.port}${path}`)
  await page.waitForSelector('[data-shell="chat-buttons"]')
}
const scrollTo = async (page: Page, y: number): Promise<void> => {
  await page.evaluate((top) => window.scrollTo({ top, behavior: 'instant' }), y)
  // The scroll event is dispatched with the next real frame, independent of the page's fake clock.
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(y)
  await page.waitForTimeout(60)
  await page.clock.runFor(200)
}
const part = (page: Page, name: string) => page.locator(`[data-shell="${name}"]`)

/** A clock that a test advances. */
function manualClock(): Clock & { move: (ms: number) => void } {
  let now = 0
  let waiting: Array<{ at: number; run: () => void }> = []
  const after = (ms: number, run: () => void): (() => void) => {
    const entry = { at: now + ms, run }
    waiting.push(entry)
    return () => void (waiting = waiting.filter((other) => other !== entry))
  }
  return {
    now: () => now,
    after,
    frame: (run) => after(16, run),
    move(ms) {
      const end = now + ms
      for (;;) {
        const next = waiting.filter((entry) => entry.at <= end).sort((a, b) => a.at - b.at)[0]
        if (!next) break
        waiting = waiting.filter((entry) => entry !== next)
        now = next.at
        next.run()
      }
      now = end
    },
  }
}

test('the loading bar follows its durations: 200, 2000, 500 and 400 ms', () => {
  const clock = manualClock()
  const bar = createLoadingBar(clock)
  const state = () => bar.view.get()
  bar.start()
  clock.move(loadingBar.throttleMs - 1)
  expect(state()).toEqual({ state: 'idle', progress: 0, visible: false })
  clock.move(1)
  expect(state()).toMatchObject({ state: 'loading', visible: true })
  clock.move(loadingBar.durationMs / 2)
  const half = state().progress
  clock.move(loadingBar.durationMs / 2 + 16)
  // Ease-out: more progress in the first half than in the second, and never complete by time alone.
  expect(half).toBeGreaterThan(state().progress / 2)
  expect(state().progress).toBeLessThan(100)
  bar.finish()
  expect(state()).toEqual({ state: 'finished', progress: 100, visible: true })
  clock.move(loadingBar.hideDelayMs - 1)
  expect(state().visible).toBe(true)
  clock.move(1)
  expect(state()).toEqual({ state: 'finished', progress: 100, visible: false })
  clock.move(loadingBar.resetDelayMs - 1)
  expect(state().state).toBe('finished')
  clock.move(1)
  expect(state()).toEqual({ state: 'idle', progress: 0, visible: false })

  bar.start()
  clock.move(loadingBar.throttleMs - 1)
  bar.finish()
  clock.move(10_000)
  expect(state().state).toBe('idle')
  bar.start()
  bar.fail()
  expect(state()).toMatchObject({ state: 'error', visible: true })
})

test('the loading bar shows while an internal link is loading, not for other links', async ({
  page,
}) => {
  await open(page, '/')
  const bar = part(page, 'loading-bar')
  await expect(bar).toHaveAttribute('role', 'progressbar')
  await expect(bar).toHaveAttribute('data-state', 'idle')
  await expect(bar).toBeHidden()
  // The server does not answer: the bar stays visible.
  await page.route(/\/pricing\/_payload/, () => undefined)
  await page.waitForSelector('#root > [role="status"]', { state: 'attached' })
  await page.evaluate(() => {
    const link = document.createElement('a')
    Object.assign(link, { href: '#main', textContent: 'here' })
    document.body.append(link)
    link.click()
    link.remove()
  })
  await page.clock.runFor(loadingBar.throttleMs)
  await expect(bar).toHaveAttribute('data-state', 'idle')
  await page.locator('header a[href="/pricing"]').click()
  await page.clock.runFor(loadingBar.throttleMs - 1)
  await expect(bar).toHaveAttribute('data-state', 'idle')
  await page.clock.runFor(loadingBar.durationMs / 2)
  await expect(bar).toHaveAttribute('data-state', 'loading')
  await expect(bar).toBeVisible()
  expect(await bar.evaluate((element: HTMLElement) => element.offsetHeight)).toBe(
    loadingBar.heightPx,
  )
  expect(Number(await bar.getAttribute('aria-valuenow'))).toBeGreaterThan(45)
})

test('the scroll-to-top button appears beyond one viewport height and scrolls to the top', async ({
  page,
}) => {
  await open(page, '/pricing')
  await scrollTo(page, 800)
  await expect(part(page, 'scroll-top')).toHaveCount(0)
  await scrollTo(page, 801)
  await part(page, 'scroll-top').click()
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0)
  await page.clock.runFor(200)
  await expect(part(page, 'scroll-top')).toHaveCount(0)
  await expect(page.locator('#main')).toBeFocused()
})

test('the sign-up banner follows its durations and can be closed', async ({ page }) => {
  await open(page, '/pricing', { size: phone })
  const banner = part(page, 'signup-banner')
  await page.clock.runFor(signupBanner.appearAfterMs - 1)
  await expect(banner).toHaveCount(0)
  await page.clock.runFor(1)
  await expect(banner).toBeVisible()
  await scrollTo(page, 400)
  await expect(banner).toHaveCount(0)
  await scrollTo(page, 300)
  await expect(banner).toBeVisible()
  await scrollTo(page, 500)
  await page.clock.runFor(signupBanner.reappearAfterMs - 201)
  await expect(banner).toHaveCount(0)
  await page.clock.runFor(201)
  await expect(banner).toBeVisible()
  // The click hits the banner's padding when it is at rest, and its close button while it slides
  // in.
  await banner.evaluate((element) =>
    Promise.all(element.getAnimations().map((animation) => animation.finished)),
  )
  await page.mouse.click(phone.width * (signupBanner.closeZoneRatio + 0.02), phone.height - 3)
  await expect(banner).toBeVisible()
  await page.mouse.click(phone.width * signupBanner.closeZoneRatio - 2, phone.height - 3)
  await expect(banner).toHaveCount(0)
  await scrollTo(page, 100)
  await page.clock.runFor(2 * signupBanner.reappearAfterMs)
  await expect(banner).toHaveCount(0)

  await page.reload()
  await page.waitForSelector('[data-shell="chat-buttons"]')
  await page.clock.runFor(signupBanner.appearAfterMs)
  await banner.locator('[data-action="close"]').press('Enter')
  await expect(banner).toHaveCount(0)
  await expect(page.getByRole('main')).toBeFocused()
  await page.setViewportSize({ width: 768, height: 800 })
  await page.reload()
  await page.waitForSelector('[data-shell="chat-buttons"]')
  await page.clock.runFor(signupBanner.appearAfterMs)
  await expect(banner).toHaveCount(0)
})

test('the sign-up banner stays away while the message panel is open', async ({ page }) => {
  await open(page, '/pricing', { size: phone })
  await part(page, 'chat-buttons').locator('button').click()
  await expect(part(page, 'message-panel')).toBeVisible()
  await page.clock.runFor(signupBanner.appearAfterMs)
  await expect(part(page, 'signup-banner')).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(part(page, 'signup-banner')).toBeVisible()
})

test('a toast stays 3.6 s, longer under pointer or focus', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-write', 'clipboard-read'])
  const { problems } = watchPage(page)
  await open(page, '/pricing')
  const show = async (): Promise<void> => {
    await part(page, 'message-panel').locator('[data-action="copy"]').first().click()
    await expect(part(page, 'toast')).toBeVisible()
  }
  await part(page, 'chat-buttons').locator('button').click()
  await show()
  await expect(part(page, 'toast')).toHaveAttribute('role', 'status')
  await page.clock.runFor(toast.displayMs - 1)
  await expect(part(page, 'toast')).toBeVisible()
  await page.clock.runFor(1)
  await expect(part(page, 'toast')).toHaveCount(0)
  await show()
  await page.clock.runFor(1000)
  await part(page, 'toast').hover()
  await part(page, 'toast').locator('button').focus()
  await page.mouse.move(600, 300)
  await page.clock.runFor(10_000)
  await expect(part(page, 'toast')).toBeVisible()
  await part(page, 'message-panel').locator('[data-action="close"]').focus()
  await page.clock.runFor(toast.displayMs - 1001)
  await expect(part(page, 'toast')).toBeVisible()
  await page.clock.runFor(1)
  await expect(part(page, 'toast')).toHaveCount(0)
  await show()
  await part(page, 'toast').locator('button').click()
  await expect(part(page, 'toast')).toHaveCount(0)
  await expect(page.getByRole('main')).toBeFocused()
  expect(problems).toEqual([])
})

for (const { name, clipboard } of [
  { name: 'the browser refuses', clipboard: '{ writeText: () => Promise.reject(new Error()) }' },
  { name: 'the page is served over plain http', clipboard: 'undefined' },
]) {
  test(`an alert says that an address could not be copied when ${name}`, async ({ page }) => {
    await open(page, '/pricing')
    await page.evaluate(`Object.defineProperty(navigator, 'clipboard', { value: ${clipboard} })`)
    await part(page, 'chat-buttons').locator('button').click()
    await part(page, 'message-panel').locator('[data-action="copy"]').first().click()
    await expect(part(page, 'toast')).toHaveText(/The address could not be copied/)
    await expect(part(page, 'toast')).toHaveAttribute('role', 'alert')
  })
}

test('the chat button is 98 px above the edge and opens a panel that restores the focus', async ({
  page,
}) => {
  await open(page, '/pricing')
  const box = await part(page, 'chat-buttons').boundingBox()
  expect(800 - (box?.y ?? 0) - (box?.height ?? 0)).toBe(chat.bottomOffsetPx + chat.gapPx)
  await part(page, 'chat-buttons').locator('button').press('Enter')
  await expect(part(page, 'chat-buttons')).toHaveCount(0)
  await expect(part(page, 'message-panel').locator('[data-action="close"]')).toBeFocused()
  await expect(part(page, 'message-panel').locator('a[href^="mailto:"]')).toHaveCount(3)
  await page.keyboard.press('Escape')
  await expect(part(page, 'message-panel')).toHaveCount(0)
  await expect(part(page, 'chat-buttons').locator('button')).toBeFocused()
})

test('the message panel stays open while the visitor reads on, and keeps the message until it is sent', async ({
  page,
}) => {
  await open(page, '/download')
  const panel = part(page, 'message-panel')
  const button = part(page, 'chat-buttons').locator('button')
  const text = panel.locator('[name="message"]')
  await page.route('**/api/site/texts?*', (route) => route.abort())
  await button.click()
  await expect(panel.getByRole('alert')).toHaveText('The form is not available right now.')
  await page.unroute('**/api/site/texts?*')
  await panel.getByRole('button', { name: 'Try again' }).press('Enter')
  await expect(panel.locator('[name="name"]')).toBeFocused()
  await text.fill('Does it run on Linux?')
  await page.locator('h1').click()
  await page.waitForSelector('#root > [role="status"]', { state: 'attached' })
  await page.locator('header a[href="/pricing"]').click()
  await expect(page.locator('html')).toHaveAttribute('data-page', 'pricing')
  await expect(page.locator('main h1')).toBeFocused()
  await expect(text).toHaveValue('Does it run on Linux?')
  const languages = part(page, 'language-menu')
  await languages.locator('summary').click()
  await page.keyboard.press('Escape')
  await expect(languages).not.toHaveAttribute('open')
  await text.press('Control+k')
  await expect(part(page, 'search').getByRole('combobox')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(part(page, 'search')).toHaveCount(0)
  await expect(text).toBeFocused()
  await text.dispatchEvent('keydown', { key: 'Escape', isComposing: true })
  // Safari's event of the same key.
  await text.dispatchEvent('keydown', { key: 'Escape', keyCode: 229 })
  await panel.locator('[data-action="close"]').press('Shift+Tab')
  // Chromium puts the panel itself into the order of Tab, because its content scrolls.
  await page.keyboard.press('Shift+Tab')
  await expect(panel).toHaveCount(0)
  await button.click()
  await expect(text).toHaveValue('Does it run on Linux?')
  await panel.locator('[name="name"]').fill('Ada')
  await panel.locator('[name="email"]').fill('ada@example.com')
  const requests: Route[] = []
  await page.route('**/api/site/message', (route) => void requests.push(route))
  await expect(panel.locator('[role="status"]')).toHaveText('')
  const send = panel.locator('button[type="submit"]')
  await send.click()
  await expect(send).toHaveText('Sending…')
  await page.keyboard.press('Escape')
  await expect(panel).toHaveCount(0)
  await button.click()
  await expect(send).toHaveText('Sending…')
  await send.press('Enter')
  await expect(text).not.toBeEditable()
  for (const request of requests)
    await request.fulfill({ json: { code: 0, msg: 'ok', data: null } })
  await expect(panel.locator('[role="status"]')).toHaveText(/\S/)
  expect(requests).toHaveLength(1)
  await expect(panel.locator('[role="status"]')).toBeFocused()
  await panel.locator('[data-action="close"]').click()
  await button.click()
  await expect(text).toHaveValue('')
})

test('where the browser refuses to store anything, each choice is valid for the page', async ({
  browser,
}) => {
  const context = await browser.newContext({ locale: 'ru-RU' })
  const page = await context.newPage()
  const errors: Error[] = []
  page.on('pageerror', (error) => errors.push(error))
  await page.addInitScript(() => {
    const refuse = (): never => {
      throw new DOMException('no', 'QuotaExceededError')
    }
    Object.assign(Storage.prototype, { getItem: refuse, setItem: refuse, removeItem: refuse })
  })
  await page.goto(`http://localhost:${site.port}/docs/automation`)
  await part(page, 'language-offer').locator('[data-action="close"]').click()
  await expect(part(page, 'language-offer')).toHaveCount(0)
  await part(page, 'theme').click()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await page.keyboard.press('/')
  await part(page, 'search').getByRole('checkbox').uncheck()
  await page.keyboard.press('Escape')
  await expect(part(page, 'search')).toHaveCount(0)
  await page.locator('.tabs-input').nth(1).focus()
  await page.keyboard.press('Space')
  await expect(page.locator('.tabs-panel').nth(1)).toBeVisible()
  // When the page is left, its scroll position is stored.
  await page.waitForSelector('#root > [role="status"]', { state: 'attached' })
  await page.evaluate(() => window.dispatchEvent(new Event('pagehide')))
  expect(errors).toEqual([])
  await context.close()
})

test('floating elements are stacked from the bottom without overlap', () => {
  const column = { left: 300, right: 350, height: 48 }
  expect(
    stackBoxes([
      { left: 0, right: 360, height: 64, bottom: 0 },
      { ...column, bottom: 98 },
      { ...column, bottom: 16 },
      { left: 0, right: 200, height: 40, bottom: 16 },
    ]),
  ).toEqual([0, 98, 154, 72])
})
