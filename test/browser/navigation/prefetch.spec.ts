import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { prefetch } from '../../../shared/constants'
import { test, withPrefetch } from '../../../testing/browser-test'
import { contentWith } from '../../../testing/content-copy'
import { addressOn, countLoads, insertLink, openReady } from '../../../testing/navigate'
import { startTestSite, type TestSite } from '../../../testing/site'

test.use(withPrefetch)

let site: TestSite
let content: string
test.beforeAll(async () => {
  content = contentWith({})
  site = await startTestSite({ CONTENT_DIR: content })
})
test.afterAll(async () => {
  await site.stop()
  rmSync(content, { recursive: true })
})
const en = (path: string): string => addressOn(site, 'en', path)

/** Counts concurrent requests for payloads and code of pages; each is delayed by 60 ms. */
async function countPreloads(
  page: Page,
): Promise<{ maxInFlight: () => number; payloads: string[] }> {
  const payloads: string[] = []
  let inFlight = 0
  let maxInFlight = 0
  // Numbered chunks are not counted: those of the shell and of deferred services load at the same
  // time.
  await page.route(/_payload\.json|\/assets\/page-/, async (route) => {
    if (route.request().url().includes('_payload')) payloads.push(route.request().url())
    inFlight += 1
    maxInFlight = Math.max(maxInFlight, inFlight)
    await new Promise((resolve) => setTimeout(resolve, 60))
    inFlight -= 1
    await route.continue().catch(() => undefined)
  })
  return { maxInFlight: () => maxInFlight, payloads }
}
const fakeConnection = (value: { saveData?: boolean; effectiveType?: string }) =>
  [
    (connection: object) => Object.defineProperty(navigator, 'connection', { value: connection }),
    value,
  ] as const

test('visible links are prefetched once, four requests at a time; clicks request nothing', async ({
  page,
}) => {
  const { maxInFlight, payloads } = await countPreloads(page)
  // The links page shows dozens of links.
  await openReady(page, en('/links'))
  await expect.poll(() => payloads.length, { timeout: 15_000 }).toBeGreaterThan(8)
  await page.waitForTimeout(1500)
  expect(maxInFlight()).toBeLessThanOrEqual(prefetch.maxConcurrent)
  expect(maxInFlight()).toBeGreaterThan(1)
  expect(new Set(payloads).size).toBe(payloads.length)
  expect(payloads.length).toBeLessThanOrEqual(24)
  expect(payloads.filter((url) => url.includes('/pricing/_payload')).length).toBe(1)
  const loads = countLoads(page)
  await page.context().setOffline(true)
  await page.locator('header a[href="/pricing"]').click()
  await expect(page.locator('html')).toHaveAttribute('data-page', 'pricing')
  await page.context().setOffline(false)
  expect(loads.urls).toEqual([])
  expect(payloads.filter((url) => url.includes('/pricing/_payload')).length).toBe(1)
})

for (const connection of [
  { saveData: true },
  { effectiveType: '2g' },
  { effectiveType: 'slow-2g' },
]) {
  test(`nothing is prefetched with ${JSON.stringify(connection)}`, async ({ page }) => {
    await page.addInitScript(...fakeConnection(connection))
    const { payloads } = await countPreloads(page)
    await openReady(page, en('/'))
    await page.locator('header a[href="/pricing"]').hover()
    await page.locator('header a[href="/download"]').focus()
    await page.waitForTimeout(3000)
    expect(payloads).toEqual([])
    await page.locator('header a[href="/pricing"]').click()
    await expect(page.locator('html')).toHaveAttribute('data-page', 'pricing')
    expect(payloads.length).toBe(1)
  })
}

test('visible links are prefetched in browsers without requestIdleCallback, as Safari', async ({
  page,
}) => {
  await page.addInitScript(() => Reflect.deleteProperty(window, 'requestIdleCallback'))
  const { payloads } = await countPreloads(page)
  await openReady(page, en('/links'))
  expect(await page.evaluate(() => 'requestIdleCallback' in window)).toBe(false)
  await expect.poll(() => payloads.length).toBeGreaterThan(8)
  await expect.poll(() => payloads.some((url) => url.includes('/pricing/_payload'))).toBe(true)

  // The payload of another build makes the next click a load, although its page is prefetched.
  await page.route(/\/release\/1\.2\.0\/_payload/, async (route) => {
    const response = await route.fetch()
    const payload = (await response.json()) as object
    return route.fulfill({ response, json: { ...payload, buildId: 'b0b0b0b0b0b0b0b0' } })
  })
  await insertLink(page, '/release/1.2.0')
  const answered = page.waitForResponse(/\/release\/1\.2\.0\/_payload/)
  await page.locator('#laid').hover()
  await (await answered).finished()
  const loads = countLoads(page)
  await page.locator('header a[href="/pricing"]').click()
  await expect(page.locator('html')).toHaveAttribute('data-page', 'pricing')
  expect(loads.urls).toEqual([en('/pricing')])
})

test('a link under the pointer is prefetched before it is clicked', async ({ page }) => {
  await page.setViewportSize({ width: 1200, height: 300 })
  const { payloads } = await countPreloads(page)
  await openReady(page, en('/_icons'))
  await page.evaluate(() => {
    const link = document.createElement('a')
    Object.assign(link, { href: '/release/1.2.0', id: 'late', textContent: 'late' })
    document.querySelector('main')?.prepend(link)
  })
  await page.waitForTimeout(500)
  expect(payloads.filter((url) => url.includes('/release/1.2.0'))).toEqual([])
  await page.locator('#late').hover()
  await expect.poll(() => payloads.filter((url) => url.includes('/release/1.2.0')).length).toBe(1)
})

test('a payload of more than a minute is asked for again, so a click follows a new redirect', async ({
  page,
  context,
}) => {
  const redirects = join(content, 'redirects.yaml')
  const payloads: string[] = []
  page.on('request', (request) => void payloads.push(request.url()))
  const requestsFor = (path: string): number =>
    payloads.filter((url) => url.includes(`${path}/_payload.json`)).length
  const route = page.locator('html')
  const clickTo = (path: string) => page.locator(`header a[href="${path}"]`).click()
  await page.clock.install()
  await openReady(page, en('/faq'))
  const loads = countLoads(page)
  await expect.poll(() => requestsFor('/pricing')).toBe(1)
  await expect.poll(() => requestsFor('/download')).toBe(1)
  writeFileSync(redirects, '- { from: /pricing, to: /about-us, status: 302 }\n')
  try {
    await expect.poll(async () => (await site.get('/pricing')).status).toBe(302)

    // Under a minute: the payload is the look-up.
    await clickTo('/pricing')
    await expect(route).toHaveAttribute('data-page', 'pricing')
    expect(requestsFor('/pricing')).toBe(1)

    // Older: the pointer on the link asks again, and the click uses that answer.
    await clickTo('/download')
    await expect(route).toHaveAttribute('data-page', 'download')
    await page.clock.fastForward(prefetch.lookUpMs)
    await page.locator('header a[href="/pricing"]').hover()
    await expect.poll(() => requestsFor('/pricing')).toBe(2)
    await clickTo('/pricing')
    await expect(page).toHaveURL(en('/about-us'))
    await expect(route).toHaveAttribute('data-page', 'about-us')
    expect(requestsFor('/pricing')).toBe(2)

    // The browser's buttons ask too, and without a network an older payload is shown.
    await page.clock.fastForward(prefetch.lookUpMs)
    await page.goBack()
    await expect(route).toHaveAttribute('data-page', 'download')
    expect(requestsFor('/download')).toBe(2)
    await page.clock.fastForward(prefetch.lookUpMs)
    await context.setOffline(true)
    await page.goForward()
    await expect(route).toHaveAttribute('data-page', 'about-us')
    expect(loads.urls).toEqual([])
  } finally {
    writeFileSync(redirects, '[]\n')
  }
})
