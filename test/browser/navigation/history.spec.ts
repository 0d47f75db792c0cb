import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { test, withAnimations, withPrefetch } from '../../../testing/browser-test'
import {
  addressOn,
  countLoads,
  follow,
  insertLink,
  openReady,
  scrollTo,
  scrollY,
} from '../../../testing/navigate'
import { root } from '../../../testing/root'
import { temporaryFolder } from '../../../testing/release-with-tests'
import { startTestSite, type TestSite } from '../../../testing/site'
import { hydrated, watchPage } from '../../../testing/watch-page'

test.use({ ...withAnimations, ...withPrefetch })

let site: TestSite
test.beforeAll(async () => {
  const content = temporaryFolder('content')
  cpSync(join(root, 'content'), content, { recursive: true, preserveTimestamps: true })
  writeFileSync(
    join(content, 'redirects.yaml'),
    '- { from: /old-prices, to: /pricing, status: 301 }\n- { from: /elsewhere, to: "http://127.0.0.1:9/away", status: 302 }\n',
  )
  site = await startTestSite({ CONTENT_DIR: content })
})
test.afterAll(() => site.stop())
const en = (path: string): string => addressOn(site, 'en', path)

test('back and forward restore the scroll position; a new page starts at the top', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1200, height: 700 })
  await openReady(page, en('/pricing'))
  const loads = countLoads(page)
  await scrollTo(page, 500)
  await follow(page, '/faq')
  expect(await scrollY(page)).toBe(0)
  await scrollTo(page, 320)
  await follow(page, '/docs/automation')
  await scrollTo(page, 640)
  for (const [go, route, y] of [
    ['goBack', 'faq', 320],
    ['goBack', 'pricing', 500],
    ['goForward', 'faq', 320],
    ['goForward', 'doc', 640],
  ] as const) {
    await page[go]()
    await expect(page.locator('html')).toHaveAttribute('data-page', route)
    await expect.poll(() => scrollY(page)).toBe(y)
  }
  expect(loads.urls).toEqual([])
  // A reload of the same history entry restores it too.
  await page.reload()
  await hydrated(page)
  await expect.poll(() => scrollY(page)).toBe(640)
  await page.goBack()
  await expect(page.locator('html')).toHaveAttribute('data-page', 'faq')
  await expect.poll(() => scrollY(page)).toBe(320)
})

test('back before the router has been fetched shows the page once it is there', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1200, height: 700 })
  await openReady(page, en('/faq'))
  await scrollTo(page, 320)
  await follow(page, '/pricing')
  let sendRouter = (): void => undefined
  const isSent = new Promise<void>((resolve) => (sendRouter = resolve))
  await page.route(/\/assets\/router\./, (route) => isSent.then(() => route.continue()))
  await page.reload({ waitUntil: 'commit' })
  await hydrated(page)
  const loads = countLoads(page)
  await page.goBack({ waitUntil: 'commit' })
  await expect(page).toHaveURL(en('/faq'))
  await expect(page.locator('html')).toHaveAttribute('data-page', 'pricing')
  sendRouter()
  await expect(page.locator('html')).toHaveAttribute('data-page', 'faq')
  await expect.poll(() => scrollY(page)).toBe(320)
  await page.goForward()
  await expect(page.locator('html')).toHaveAttribute('data-page', 'pricing')
  expect(loads.urls).toEqual([])
})

test('back loads the page of its address while the router cannot be fetched', async ({ page }) => {
  await openReady(page, en('/faq'))
  await follow(page, '/pricing')
  await page.route(/\/assets\/router\./, (route) => route.abort())
  await page.reload()
  await hydrated(page)
  await page.goBack({ waitUntil: 'commit' })
  await expect(page.locator('html')).toHaveAttribute('data-page', 'faq')
  await expect(page).toHaveURL(en('/faq'))
  await hydrated(page)
  await page.goForward({ waitUntil: 'commit' })
  await expect(page.locator('html')).toHaveAttribute('data-page', 'pricing')
})

test('links to a heading scroll to it; back restores the position', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 700 })
  await openReady(page, en('/docs/proxies'))
  const loads = countLoads(page)
  await scrollTo(page, 40)
  await page.getByRole('navigation', { name: 'On this page' }).getByRole('link').last().click()
  await expect.poll(() => scrollY(page)).toBeGreaterThan(100)
  const hash = await page.evaluate(() => window.location.hash)
  // The browser scrolls smoothly: it has arrived when two readings agree.
  let headingY = -1
  await expect
    .poll(
      async () => {
        const previousY = headingY
        headingY = await scrollY(page)
        return headingY === previousY
      },
      { intervals: [500] },
    )
    .toBe(true)
  await follow(page, `/docs/automation`)
  await page.goBack()
  await expect(page).toHaveURL(en(`/docs/proxies${hash}`))
  // Within a few pixels: frames around code are added after the text, and the browser's scroll
  // anchoring adjusts the position.
  await expect.poll(async () => Math.abs((await scrollY(page)) - headingY)).toBeLessThan(10)
  await page.goBack()
  await expect(page).toHaveURL(en('/docs/proxies'))
  await expect.poll(() => scrollY(page)).toBe(40)
  await follow(page, '/faq')
  await follow(page, `/docs/proxies${hash}`)
  await expect(page).toHaveURL(en(`/docs/proxies${hash}`))
  expect(Math.abs((await scrollY(page)) - headingY)).toBeLessThan(40)
  await expect(page.locator(`[id="${decodeURIComponent(hash.slice(1))}"]`)).toBeFocused()
  expect(loads.urls).toEqual([])
})

test('a link with a hash that cannot be decoded opens its page at the top', async ({ page }) => {
  await openReady(page, en('/faq'))
  await scrollTo(page, 300)
  await follow(page, '/pricing#%E0%A4')
  await expect(page).toHaveURL(en('/pricing#%E0%A4'))
  await expect(page.locator('main h1')).toBeFocused()
  expect(await scrollY(page)).toBe(0)
})

test('a redirect to a relative target needs no load; an absolute target is loaded', async ({
  page,
}) => {
  const { problems } = watchPage(page)
  await openReady(page, en('/faq'))
  const loads = countLoads(page)
  await follow(page, '/old-prices?utm_source=mail#main')
  await expect(page).toHaveURL(en('/pricing?utm_source=mail#main'))
  await expect(page.locator('html')).toHaveAttribute('data-page', 'pricing')
  await page.goBack()
  await expect(page.locator('html')).toHaveAttribute('data-page', 'faq')
  // Redirects by a canonical URL rule and by availability.
  await follow(page, '/Pricing.html')
  await expect(page).toHaveURL(en('/pricing'))
  await follow(page, '/use-cases')
  await expect(page).toHaveURL(en('/solutions'))
  expect(loads.urls).toEqual([])
  expect(problems).toEqual([])
  await page.route('http://127.0.0.1:9/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<title>elsewhere</title>' }),
  )
  await insertLink(page, '/elsewhere')
  await page.locator('#laid').click()
  await page.waitForURL('http://127.0.0.1:9/away')
  expect(loads.count()).toBe(1)
  await page.goBack()
  await expect(page).toHaveURL(en('/solutions'))
})

test('a click on a link to the current page scrolls to the top and adds no history entry', async ({
  page,
}) => {
  await openReady(page, en('/faq'))
  await follow(page, '/pricing')
  const length = await page.evaluate(() => window.history.length)
  await scrollTo(page, 400)
  await follow(page, '/pricing')
  expect(await scrollY(page)).toBe(0)
  expect(await page.evaluate(() => window.history.length)).toBe(length)
  await page.goBack()
  await expect(page.locator('html')).toHaveAttribute('data-page', 'faq')
})

test('a page starts without the state of the page before it, also with the same template', async ({
  page,
}) => {
  await openReady(page, en('/faq'))
  await page.locator('main details summary').nth(1).click()
  await follow(page, '/pricing')
  await page.goBack()
  await expect(page.locator('main details').nth(1)).not.toHaveAttribute('open')
  await follow(page, '/blog/choosing-a-proxy-type')
  const first = await page.locator('main h1').innerText()
  const next = page.locator('main a[rel="next"], main a[rel="prev"]').first()
  const to = await next.getAttribute('href')
  await next.click()
  await expect(page).toHaveURL(en(to ?? ''))
  await expect(page.locator('main h1')).not.toHaveText(first)
})

test('nothing in the page blocks the back/forward cache', async ({ page }) => {
  await openReady(page, en('/pricing'))
  const handlers = await page.evaluate(() => ({
    unload: window.onunload,
    before: window.onbeforeunload,
  }))
  expect(handlers).toEqual({ unload: null, before: null })
  await page.evaluate(() => void ((window as unknown as { kept: boolean }).kept = true))
  await page.goto(addressOn(site, 'zh', '/faq'))
  await page.goBack()
  await expect(page).toHaveURL(en('/pricing'))
  const blocked = await page.evaluate(() => {
    const [entry] = performance.getEntriesByType('navigation') as Array<
      PerformanceNavigationTiming & {
        notRestoredReasons?: { reasons?: Array<{ reason: string }> } | null
      }
    >
    return (entry?.notRestoredReasons?.reasons ?? []).map(({ reason }) => reason)
  })
  // A browser under test may cache no pages at all, but no reason may come from this site.
  expect(
    blocked.filter((reason) =>
      /unload|response-cache-control|broadcastchannel|websocket|webrtc/i.test(reason),
    ),
  ).toEqual([])
  await follow(page, '/faq')
  await expect(page.locator('html')).toHaveAttribute('data-page', 'faq')
})

test('back right after a click leads back, even where React renders late', async ({ page }) => {
  // React schedules its work by messages of a channel.
  await page.addInitScript(() => {
    // The cast: `Reflect.get` cannot know that `postMessage` is a method.
    const post = Reflect.get(MessagePort.prototype, 'postMessage') as (
      this: MessagePort,
      message: unknown,
    ) => void
    MessagePort.prototype.postMessage = function (this: MessagePort, message: unknown) {
      setTimeout(() => post.call(this, message), 300)
    }
  })
  await openReady(page, en('/pricing'))
  const loads = countLoads(page)
  // Each round opens a page and goes back to `/pricing`. After the second, React Router's location
  // equals that after the first. It therefore showed nothing new once, and `/download` stayed.
  for (const target of ['/faq', '/download']) {
    await page.evaluate(() =>
      window.addEventListener(
        'page-shown',
        () => {
          document.documentElement.dataset['shown'] = location.pathname
          history.back()
        },
        { once: true },
      ),
    )
    await insertLink(page, target)
    await page.click('#laid')
    await expect(page.locator('html')).toHaveAttribute('data-shown', target)
    await expect(page.locator('html')).toHaveAttribute('data-page', 'pricing')
    expect(new URL(page.url()).pathname).toBe('/pricing')
  }
  expect(loads.count()).toBe(0)
})
