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

/** Counts requests for payloads and for code of pages that are out at the same time; each is held back for a while. */
async function countPreloads(page: Page): Promise<{ most: () => number; payloads: string[] }> {
  const payloads: string[] = []
  let out = 0
  let most = 0
  // Numbered chunks are left out: those of the floating parts and of the visitor's side come at the same time.
  await page.route(/_payload\.json|\/assets\/page-/, async (route) => {
    if (route.request().url().includes('_payload')) payloads.push(route.request().url())
    out += 1
    most = Math.max(most, out)
    await new Promise((resolve) => setTimeout(resolve, 60))
    out -= 1
    await route.continue().catch(() => undefined)
  })
  return { most: () => most, payloads }
}
const connection = (value: { saveData?: boolean; effectiveType?: string }) =>
  [
    (given: object) => Object.defineProperty(navigator, 'connection', { value: given }),
    value,
  ] as const

test('links in view are fetched ahead, at most four requests at once, each once, and the click then asks for nothing', async ({
  page,
}) => {
  const { most, payloads } = await countPreloads(page)
  // The page of all links: dozens of them are in view.
  await openReady(page, en('/links'))
  await expect.poll(() => payloads.length, { timeout: 15_000 }).toBeGreaterThan(8)
  await page.waitForTimeout(1500)
  expect(most()).toBeLessThanOrEqual(prefetch.atOnce)
  expect(most()).toBeGreaterThan(1)
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

for (const given of [{ saveData: true }, { effectiveType: '2g' }, { effectiveType: 'slow-2g' }]) {
  test(`nothing is fetched ahead with ${JSON.stringify(given)}, not even under the pointer`, async ({
    page,
  }) => {
    await page.addInitScript(...connection(given))
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

test('a link under the pointer or with focus is fetched before it is clicked', async ({ page }) => {
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
