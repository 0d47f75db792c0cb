import { expect, test, type Page } from '@playwright/test'
import { prefetch } from '../../shared/constants'
import { addressOn, countLoads, openReady } from '../../testing/navigate'
import { startTestSite, type TestSite } from '../../testing/site'

let site: TestSite
test.beforeAll(async () => {
  site = await startTestSite()
})
test.afterAll(() => site.stop())
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
