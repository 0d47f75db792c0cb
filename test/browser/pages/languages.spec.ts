import { expect, type BrowserContext } from '@playwright/test'
import { localeCodes, locales, type LocaleCode } from '../../../shared/i18n/locales'
import {
  redirectFor,
  switchLocale,
  type Page as SitePage,
} from '../../../shared/routes/availability'
import { href } from '../../../shared/routes/href'
import { test } from '../../../testing/browser-test'
import { measureLayout } from '../../../testing/measure-layout'
import { follow } from '../../../testing/navigate'
import { hostNames, type TestSite } from '../../../testing/site'
import { hydrated, untilAttached, withoutPrefetch } from '../../../testing/watch-page'
import { languageSwitches } from '../../cases/language-switches'

let site: TestSite
test.beforeAll(async ({ sharedSite }) => {
  site = await sharedSite()
})

const address = (code: LocaleCode, path: string): string =>
  `http://${hostNames[locales[code].domain]}:${site.port}${path}`
const cookieOf = async (context: BrowserContext, host: string) =>
  (await context.cookies()).find(
    ({ name, domain }) => name === 'i18n_redirected' && domain === host,
  )

/**
 * One switch for each pair of hosts in the table. The links of all its switches are tested without
 * a browser (`pages.test.ts`).
 */
const switchesOfHosts = [
  ...new Map(
    languageSwitches.map((one) => [`${locales[one[1]].domain} ${locales[one[2]].domain}`, one]),
  ).values(),
]

test('the language menu opens the same page and saves the language in the cookie', async ({
  browser,
}) => {
  for (const [page, from, to] of switchesOfHosts) {
    // A page that has been left may still set the cookie, when its beacon is answered.
    const context = await browser.newContext()
    await withoutPrefetch(context)
    const tab = await context.newPage()
    await tab.goto(address(from, href(from, page.route, page.params)), { waitUntil: 'commit' })
    await hydrated(tab)
    await tab.locator('[data-shell="language-menu"] > summary').click()
    await tab.locator(`[data-shell="language-menu"] a[hreflang="${locales[to].language}"]`).click()
    const target = switchLocale(page, to)
    if (!target) throw new Error('the table names pages that exist in both languages')
    await tab.waitForURL(address(to, href(to, target.route, target.params)))
    await expect(tab.locator('html')).toHaveAttribute('lang', locales[to].language)
    await expect(tab.locator('html')).toHaveAttribute('data-page', target.route)
    await hydrated(tab)
    const cookie = await cookieOf(context, hostNames[locales[from].domain])
    expect({
      value: cookie?.value,
      path: cookie?.path,
      sameSite: cookie?.sameSite,
      httpOnly: cookie?.httpOnly,
    }).toEqual({ value: to, path: '/', sameSite: 'Lax', httpOnly: false })
    expect(((cookie?.expires ?? 0) - Date.now() / 1000) / 86_400).toBeCloseTo(365, 0)
    await context.close()
  }
})

const savedLanguage = async (context: BrowserContext) =>
  (await cookieOf(context, 'localhost'))?.value
const saveLanguage = (context: BrowserContext, code: LocaleCode) =>
  context.addCookies([{ name: 'i18n_redirected', value: code, url: address('en', '/') }])

test('the answer to an earlier call does not undo the choice of a language', async ({
  context,
}) => {
  const call = '/api/home/base-info'
  await saveLanguage(context, 'en')
  const tab = await context.newPage()
  let choose = (): void => undefined
  const chosen = new Promise<void>((resolve) => (choose = resolve))
  await tab.route('**/api/**', async (route) => {
    // The page's own calls get no answer, which could set the cookie at any time.
    if (!route.request().url().endsWith(call)) return route.abort()
    const response = await route.fetch()
    await chosen
    return route.fulfill({ response })
  })
  await tab.route(address('en', '/es/pricing'), async (route) => {
    await expect.poll(() => savedLanguage(context)).toBe('es')
    choose()
    // The call was sent with English, and so its answer sets English.
    await expect.poll(() => savedLanguage(context)).toBe('en')
    await route.continue()
  })
  await tab.goto(address('en', '/pricing'))
  await hydrated(tab)
  const called = tab.waitForRequest(`**${call}`)
  await tab.evaluate((path) => void fetch(path), call)
  await called
  await tab.locator('[data-shell="language-menu"] > summary').click()
  await tab.locator('[data-shell="language-menu"] a[hreflang="es-ES"]').click()
  await tab.waitForURL(address('en', '/es/pricing'))
  await expect.poll(() => savedLanguage(context)).toBe('es')
})

test('event batches, which may be answered after the page is left, carry no language', async ({
  context,
}) => {
  await saveLanguage(context, 'en')
  const tab = await context.newPage()
  const batch = tab.waitForRequest(
    // Not a beacon, which always carries cookies.
    (request) =>
      request.url().endsWith('/api/sys/config/event') && request.resourceType() === 'fetch',
  )
  await tab.goto(address('en', '/pricing'))
  expect((await (await batch).allHeaders())['cookie']).toBeUndefined()
})

test('the language menu opens the home page if the page does not exist in the language', async ({
  page,
}) => {
  for (const [path, to] of [
    ['/alternatives/octo-browser', 'zh'],
    ['/blog', 'ru'],
  ] as const) {
    await page.goto(address('en', path))
    await expect(
      page.locator(`[data-shell="language-menu"] a[hreflang="${locales[to].language}"]`),
    ).toHaveAttribute('href', address(to, '/'))
  }
  expect(redirectFor({ route: 'blog', params: {} }, 'ru')).not.toBeNull()
})

test('after switching from the Chinese host to English, the next visit is in English', async ({
  browser,
}) => {
  const context = await browser.newContext({ locale: 'th-TH' })
  const page = await context.newPage()
  await page.goto(address('zh', '/'))
  await hydrated(page)
  await page.locator('[data-shell="language-menu"] > summary').click()
  await page.locator('[data-shell="language-menu"] a[hreflang="en-US"]').click()
  await page.waitForURL(address('en', '/'))
  await hydrated(page)
  await expect.poll(() => savedLanguage(context)).toBe('en')
  const next = await context.newPage()
  await next.goto(address('en', '/'))
  expect(next.url()).toBe(address('en', '/'))
  await context.close()
})

test('a visitor is redirected once, on entry at the root, and then stays in the chosen language', async ({
  browser,
}) => {
  // A headless browser's user agent looks like a crawler, and crawlers are never redirected.
  const context = await browser.newContext({
    locale: 'es-ES',
    userAgent:
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  })
  const page = await context.newPage()
  await page.goto(address('en', '/'))
  expect(page.url()).toBe(address('en', '/es'))
  await hydrated(page)
  await page.locator('[data-shell="language-menu"] > summary').click()
  await page.locator('[data-shell="language-menu"] a[hreflang="en-US"]').click()
  await page.waitForURL(address('en', '/'))
  await context.close()
})

test('the same page is offered in the preferred language until the offer is closed', async ({
  browser,
}) => {
  const context = await browser.newContext({ locale: 'ru-RU' })
  const page = await context.newPage()
  await page.goto(address('en', '/pricing'))
  const offer = page.locator('[data-shell="language-offer"]')
  await expect(offer).toBeVisible()
  await expect(offer).toHaveAttribute('lang', 'ru-RU')
  await expect(offer.locator('a')).toHaveAttribute('href', address('ru', '/pricing'))
  // The offer follows the page, also when its texts cannot be fetched again.
  await page.route('**/api/site/offer?*', (route) => route.abort())
  await untilAttached(page, '#root > [role="status"]')
  await follow(page, '/faq')
  await expect(offer.locator('a')).toHaveAttribute('href', address('ru', '/faq'))
  await page.unroute('**/api/site/offer?*')
  await offer.locator('[data-action="close"]').click()
  await expect(offer).toHaveCount(0)
  await expect(page.getByRole('main')).toBeFocused()
  await page.reload()
  await hydrated(page)
  await page.waitForTimeout(500)
  await expect(offer).toHaveCount(0)
  // There is no offer if the page does not exist in that language.
  const other = await (await browser.newContext({ locale: 'ru-RU' })).newPage()
  await other.goto(address('en', '/blog'))
  await hydrated(other)
  await other.waitForTimeout(500)
  await expect(other.locator('[data-shell="language-offer"]')).toHaveCount(0)
  await context.close()
})

/** A page of each layout: pictures and cards, table of prices, landing page, document. */
const layouts: readonly SitePage[] = [
  { route: 'home', params: {} },
  { route: 'pricing', params: {} },
  { route: 'solution', params: { id: 'e-commerce' } },
  { route: 'doc', params: { id: 'proxies' } },
]

for (const { route, params } of layouts)
  test(`buttons, menus and headings of the page ${route} fit in every language, from 320 px on`, async ({
    browser,
  }) => {
    const context = await browser.newContext({ javaScriptEnabled: false })
    const tab = await context.newPage()
    const found: unknown[] = []
    for (const code of localeCodes) {
      await tab.setViewportSize({ width: 320, height: 700 })
      await tab.goto(address(code, href(code, route, params)))
      for (const width of [320, 1024]) {
        await tab.setViewportSize({ width, height: 700 })
        const { overflow, clipped, orphans, broken } = await measureLayout(tab)
        if (overflow > 0 || [...clipped, ...orphans, ...broken].length > 0)
          found.push({ code, width, overflow, clipped, orphans, broken })
      }
    }
    await context.close()
    expect(found).toEqual([])
  })
