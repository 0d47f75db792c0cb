import { expect, type Page } from '@playwright/test'
import { locales } from '../../../shared/i18n/locales'
import { href } from '../../../shared/routes/href'
import { test } from '../../../testing/browser-test'
import {
  addressOn,
  countLoads,
  factsOf,
  follow,
  insertLink,
  openReady,
} from '../../../testing/navigate'
import { type TestSite } from '../../../testing/site'
import { templatePagesIn } from '../../../testing/template-pages'
import { watchPage } from '../../../testing/watch-page'

let site: TestSite
test.beforeAll(async ({ sharedSite }) => {
  site = await sharedSite()
})

for (const code of ['en', 'zh', 'es'] as const) {
  test(`every template in ${code} opens by a click and equals the loaded page`, async ({
    page,
  }) => {
    const { problems, foreign } = watchPage(page)
    await openReady(page, addressOn(site, code, href(code, 'faq')))
    const loads = countLoads(page)
    const targets = templatePagesIn(code).filter(({ route }) => !route.startsWith('error-'))
    expect(targets.length).toBeGreaterThanOrEqual(30)
    for (const target of targets) {
      const path = href(code, target.route, target.params)
      await follow(page, path)
      const { body } = await site.get(path, { host: new URL(addressOn(site, code, '/')).hostname })
      expect({ path, ...(await factsOf(page)) }).toEqual({ path, ...(await factsOf(page, body)) })
      const { pathname, lang, text } = await page.evaluate(() => ({
        pathname: window.location.pathname,
        lang: document.documentElement.lang,
        text: document.querySelector('main')?.innerText,
      }))
      expect({ pathname, lang }).toEqual({ pathname: path, lang: locales[code].language })
      expect(text).toBeTruthy()
    }
    expect(loads.urls).toEqual([])
    expect(problems).toEqual([])
    expect(foreign).toEqual([])
  })
}

test('a page shown by a click has the same markup as the page loaded', async ({
  page,
  context,
}) => {
  const loaded = await context.newPage()
  const textOf = (tab: Page): Promise<string> =>
    tab.locator('main').evaluate((main) => (main as HTMLElement).innerText.replace(/\s+/g, ' '))
  await openReady(page, addressOn(site, 'en', '/faq'))
  for (const path of [
    '/',
    '/blog/choosing-a-proxy-type',
    '/docs/automation',
    '/alternatives/gologin',
    '/release',
    '/solutions/e-commerce',
    '/blog',
    '/synchronizer',
  ]) {
    await follow(page, path)
    await openReady(loaded, addressOn(site, 'en', path))
    // Some parts come after hydration, in either tab.
    await expect
      .poll(async () => (await textOf(loaded)) === (await textOf(page)), { message: path })
      .toBe(true)
  }
})

test("a page whose code is in the browser's cache keeps its text after hydration", async ({
  page,
}) => {
  const { problems } = watchPage(page)
  for (let visit = 0; visit < 4; visit += 1) {
    await openReady(page, addressOn(site, 'en', '/docs/automation'))
    await page.waitForTimeout(200)
    expect((await page.locator('.prose').first().innerText()).length).toBeGreaterThan(500)
  }
  expect(problems).toEqual([])
})

test('a click announces the title, focuses the heading and closes menus', async ({ page }) => {
  await page.setViewportSize({ width: 1200, height: 800 })
  await openReady(page, addressOn(site, 'en', '/faq'))
  await page.evaluate(() => {
    const shown: unknown[] = []
    Object.assign(window, { shown })
    window.addEventListener('page-shown', (event) =>
      shown.push((event as CustomEvent<unknown>).detail),
    )
  })
  await page.locator('header nav details summary').first().click()
  await page.locator('header nav details[open] a').first().click()
  await expect(page.locator('html')).toHaveAttribute('data-page', 'single')
  await expect(page.locator('#root > [role="status"]')).toHaveText(await page.title())
  await expect(page.locator('main h1')).toBeFocused()
  await expect(page.locator('header details[open]')).toHaveCount(0)
  await page.goBack()
  await expect(page.locator('html')).toHaveAttribute('data-page', 'faq')
  await expect(page.locator('main h1')).toBeFocused()
  expect(await page.evaluate(() => (window as unknown as { shown: unknown }).shown)).toEqual(
    [
      { route: 'single', trigger: 'push' },
      { route: 'faq', trigger: 'pop' },
    ].map((detail) => ({
      ...detail,
      url: expect.stringContaining(addressOn(site, 'en', '/')),
      referrer: expect.stringContaining(addressOn(site, 'en', '/')),
      title: expect.stringMatching(/./),
      duration: expect.any(Number),
    })),
  )
  // The next tab stop is after the heading, not at the top of the page.
  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.activeElement?.closest('header') === null)).toBe(true)
})

test('going back closes the drawer', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 640 })
  await openReady(page, addressOn(site, 'en', '/faq'))
  await follow(page, '/pricing')
  const drawer = page.locator('details[data-drawer]')
  await drawer.locator('summary').first().press('Enter')
  await expect(drawer).toHaveAttribute('open', '')
  await page.goBack()
  await expect(page.locator('html')).toHaveAttribute('data-page', 'faq')
  await expect(drawer).not.toHaveAttribute('open')
  await expect(page.locator('main')).toHaveJSProperty('inert', false)
})

test('the later of two clicks wins, even when its answer arrives first', async ({ page }) => {
  const { problems } = watchPage(page)
  await openReady(page, addressOn(site, 'en', '/links'))
  const loads = countLoads(page)
  await page.route(/\/pricing\/_payload/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 600))
    await route.continue().catch(() => undefined)
  })
  const seen: string[] = []
  await page.exposeFunction('seen', (route: string) => seen.push(route))
  await page.evaluate(() =>
    window.addEventListener('page-shown', (event) =>
      (window as unknown as { seen: (route: string) => void }).seen(
        (event as CustomEvent<{ route: string }>).detail.route,
      ),
    ),
  )
  await page.evaluate(() => {
    for (const path of ['/pricing', '/download'])
      (document.querySelector(`header a[href="${path}"]`) as HTMLElement).click()
  })
  await expect(page.locator('html')).toHaveAttribute('data-page', 'download')
  await page.waitForTimeout(1000)
  expect(new URL(page.url()).pathname).toBe('/download')
  expect(seen).toEqual(['download'])
  expect(loads.urls).toEqual([])
  expect(problems).toEqual([])
  await page.goBack()
  await expect(page.locator('html')).toHaveAttribute('data-page', 'links')
})

test('a missing page shows its message without a load', async ({ page }) => {
  await openReady(page, addressOn(site, 'es', '/es/pricing'))
  // The first search is slower than a 404 page waits for it, and such a page may be stored. So each
  // try is for another page.
  const similarPages = 'data-shell="nearest"'
  let tries = 0
  await expect
    .poll(async () => (await site.get(`/es/docs/proxy-${(tries += 1)}`)).body)
    .toContain(similarPages)
  const loads = countLoads(page)
  for (const [path, message] of [
    ['/es/no/such/page', 'Página no encontrada: /es/no/such/page'],
    ['/es/blog/nothing-of-the-kind', 'Página no encontrada: /es/blog/nothing-of-the-kind'],
    ['/es/docs/proxy', 'Página no encontrada: /es/docs/proxy'],
  ] as const) {
    await follow(page, path)
    await expect(page.locator('html')).toHaveAttribute('data-page', 'error-404')
    await expect(page.getByText(message)).toBeVisible()
    expect(await factsOf(page)).toEqual(await factsOf(page, (await site.get(path)).body))
    expect(new URL(page.url()).pathname).toBe(path)
  }
  await expect(page.locator(`[${similarPages}] a`).first()).toBeVisible()
  await follow(page, '/es/faq')
  await expect(page.locator('html')).toHaveAttribute('data-page', 'faq')
  await expect(page.locator('header nav a[href="/es/download"]')).toBeVisible()
  expect(loads.urls).toEqual([])
})

test('a link of a page without menus loads a page with menus', async ({ page }) => {
  await openReady(page, addressOn(site, 'es', '/es/no/such/page'))
  const loads = countLoads(page)
  await page.locator('main a[href="/es/links"]').click()
  await expect(page.locator('html')).toHaveAttribute('data-page', 'links')
  await expect(page.locator('header nav a[href="/es/download"]')).toBeVisible()
  expect(loads.urls).toHaveLength(1)
})

test('menus mark the page on the screen and the list above it', async ({ page }) => {
  const marked = (): Promise<string[]> =>
    page
      .locator('header nav [aria-current], footer nav ul:not([class]) [aria-current]')
      .evaluateAll((links) =>
        links.map((link) => `${link.getAttribute('href')} ${link.getAttribute('aria-current')}`),
      )
  await openReady(page, addressOn(site, 'en', '/blog/profile-hygiene'))
  expect(await marked()).toEqual(['/blog true', '/blog true'])
  await follow(page, '/pricing')
  await expect(page.locator('html')).toHaveAttribute('data-page', 'pricing')
  expect(await marked()).toEqual(['/pricing page', '/pricing page'])
})

test('clicks for another tab and links that are not pages are left to the browser', async ({
  page,
}) => {
  await openReady(page, addressOn(site, 'en', '/pricing'))
  const prevented = (
    href: string,
    attributes: Record<string, string>,
    options: Pick<MouseEventInit, 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey' | 'button'>,
  ): Promise<boolean> =>
    page.evaluate(
      ([to, more, init]) => {
        const link = document.createElement('a')
        Object.entries({ href: to, ...more }).forEach(([name, value]) =>
          link.setAttribute(name, value),
        )
        document.body.append(link)
        let isPrevented = false
        window.addEventListener(
          'click',
          (event) => {
            isPrevented = event.defaultPrevented
            event.preventDefault()
          },
          { once: true },
        )
        link.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, ...init }))
        link.remove()
        return isPrevented
      },
      [href, attributes, options] as const,
    )
  const leftToBrowser: ReadonlyArray<
    [string, Record<string, string>, Parameters<typeof prevented>[2]]
  > = [
    ['/faq', {}, { ctrlKey: true }],
    ['/faq', {}, { metaKey: true }],
    ['/faq', {}, { shiftKey: true }],
    ['/faq', {}, { altKey: true }],
    ['/faq', {}, { button: 1 }],
    ['/faq', { target: '_blank' }, {}],
    ['/faq', { download: '' }, {}],
    ['#main', {}, {}],
    ['/pricing#main', {}, {}],
    ['https://example.com/', {}, {}],
    ['mailto:a@example.com', {}, {}],
    ['/app', {}, {}],
    ['/app/register', {}, {}],
    ['/blog/feed.xml', {}, {}],
    ['/llms.txt', {}, {}],
    ['/api/site/offer?lang=es', {}, {}],
    ['/es/faq', {}, {}],
    [addressOn(site, 'zh', '/faq'), {}, {}],
  ]
  for (const [to, attributes, options] of leftToBrowser)
    expect({
      to,
      attributes,
      options,
      prevented: await prevented(to, attributes, options),
    }).toEqual({
      to,
      attributes,
      options,
      prevented: false,
    })
  for (const to of ['/pricing?utm_source=x', '/faq#main', '/release/1.2.0'])
    expect({ to, prevented: await prevented(to, {}, {}) }).toEqual({ to, prevented: true })
  // The page that the last click opens would remove the link.
  await page.waitForSelector('html[data-hydrated][data-page="release-detail"]')

  await insertLink(page, '/faq')
  // The site's log tells that the other tab loads the page. On a busy machine, Playwright does not
  // report every tab that opens.
  const loads = (): number => site.logs.filter(({ path }) => path === '/faq').length
  const before = loads()
  await page.locator('#laid').click({ modifiers: ['ControlOrMeta'] })
  await expect.poll(loads).toBe(before + 1)
  expect(new URL(page.url()).pathname).not.toBe('/faq')
})
