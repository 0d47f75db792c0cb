import Sqlite from 'better-sqlite3'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { test } from '../../../testing/browser-test'
import { follow, openReady, scrollTo } from '../../../testing/navigate'
import { eventually, type TestSite } from '../../../testing/site'

let site: TestSite
test.beforeAll(async ({ sharedSite }) => {
  site = await sharedSite({ TRUST_PROXY: '1', RATE_OTHER: '0', RATE_EVENTS: '0' })
})
test.use({
  viewport: { width: 1000, height: 800 },
  extraHTTPHeaders: { 'X-Forwarded-For': '8.8.8.8' },
})

const address = (path: string): string => `http://localhost:${site.port}${path}`
/** Makes the page look hidden, which sends the pending events, and then visible again. */
const hide = (page: Page): Promise<void> =>
  page.evaluate(() => {
    for (const value of ['hidden', 'visible']) {
      Object.defineProperty(document, 'visibilityState', { value, configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))
    }
  })
/** What was exposed so far on all pages, as `path key position`, sorted. */
function exposures(): string[] {
  const database = new Sqlite(join(site.dataDir, 'site.db'), { readonly: true })
  try {
    const rows = database.prepare("SELECT url, data FROM events WHERE kind = 'expose'").all()
    return (rows as Array<{ url: string; data: string }>)
      .map(({ url, data }) => {
        const { addition } = JSON.parse(data) as { addition: { key: string; position?: number } }
        return `${new URL(url).pathname} ${addition.key} ${addition.position ?? ''}`.trim()
      })
      .filter((text) => text.includes('case-'))
      .sort()
  } finally {
    database.close()
  }
}
async function expectExposures(page: Page, expected: readonly string[]): Promise<void> {
  // Two frames: observers report in the next one.
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  )
  await eventually(async () => {
    await hide(page)
    expect(exposures()).toEqual([...expected].sort())
  })
}

/** Elements beside the page, which navigations inside the site leave alone. */
const elements: Readonly<Record<string, string>> = {
  'case-half': 'position:fixed;bottom:-50px;height:100px;width:50px',
  'case-less': 'position:fixed;bottom:-51px;height:100px;width:50px;left:60px',
  'case-side': 'position:fixed;right:-26px;height:50px;width:50px;top:200px',
  'case-none': 'display:none;position:fixed;height:50px;width:50px;top:300px',
  'case-empty': 'position:fixed;height:0;width:0;top:300px;left:300px',
  // Three windows tall: at most a third of it is ever visible.
  'case-tall': 'position:absolute;top:500px;height:2400px;width:10px;left:0',
}

test('an element is reported once for each page view, when half of it is visible', async ({
  page,
}) => {
  await openReady(page, address('/about-us'))
  await page.waitForFunction(() => document.cookie.includes('device_id='))
  await page.evaluate((cases) => {
    for (const [key, style] of [...Object.entries(cases), ['case-half', cases['case-half']]]) {
      const element = document.createElement('div')
      element.style.cssText = style ?? ''
      element.dataset['expose'] = key
      document.body.append(element)
    }
  }, elements)
  const first = ['/about-us case-half 1', '/about-us case-half 2']
  await expectExposures(page, first)

  await page.evaluate(() => {
    const hidden = document.querySelector<HTMLElement>('[data-expose="case-none"]')
    if (hidden) hidden.style.display = 'block'
  })
  await expectExposures(page, [...first, '/about-us case-none'])

  // 350 px of the tall element are visible, then 450 px: half of the window.
  await scrollTo(page, 50)
  await expectExposures(page, [...first, '/about-us case-none'])
  await scrollTo(page, 150)
  const all = [...first, '/about-us case-none', '/about-us case-tall']
  await expectExposures(page, all)
  await scrollTo(page, 0)
  await scrollTo(page, 150)
  await expectExposures(page, all)

  // Another page: what is visible is reported again, and scrolls to its top.
  await follow(page, '/faq')
  const second = ['/faq case-half 1', '/faq case-half 2', '/faq case-none']
  await expectExposures(page, [...all, ...second])
  await scrollTo(page, 150)
  await expectExposures(page, [...all, ...second, '/faq case-tall'])
})
