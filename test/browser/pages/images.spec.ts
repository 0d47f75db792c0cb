import { expect } from '@playwright/test'
import sharp from 'sharp'
import { test } from '../../../testing/browser-test'
import { type TestSite } from '../../../testing/site'
import { hydrated, watchPage } from '../../../testing/watch-page'

let site: TestSite
test.beforeAll(async ({ sharedSite }) => {
  site = await sharedSite()
})
const address = (path: string): string => `http://localhost:${site.port}${path}`

type Seen = { tag: string; url: string; shifts: number }
/** Records the largest contentful paint and all layout shifts from the start of the page. */
const observe = (): void => {
  const seen: Seen = { tag: '', url: '', shifts: 0 }
  Object.assign(window, { seen })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      Object.assign(seen, {
        tag: (entry as PerformanceEntry & { element?: Element }).element?.tagName ?? '',
        url: (entry as PerformanceEntry & { url?: string }).url ?? '',
      })
  }).observe({ type: 'largest-contentful-paint', buffered: true })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      seen.shifts += (entry as PerformanceEntry & { value: number }).value
  }).observe({ type: 'layout-shift', buffered: true })
}
const seenOn = (page: import('@playwright/test').Page): Promise<Seen> =>
  page.evaluate(() => (window as unknown as { seen: Seen }).seen)

for (const { name, viewport } of [
  { name: 'a telephone', viewport: { width: 360, height: 740 } },
  { name: 'a desk', viewport: { width: 1280, height: 900 } },
]) {
  for (const path of [
    '/blog/choosing-a-proxy-type',
    '/blog',
    '/news/website-in-fourteen-languages',
  ]) {
    test(`the cover is the largest contentful paint of ${path}, preloaded and fetched once, on ${name}`, async ({
      page,
    }) => {
      await page.setViewportSize(viewport)
      const { problems } = watchPage(page)
      await page.addInitScript(observe)
      const fetched: string[] = []
      page.on(
        'request',
        (request) => void (request.url().includes('/_image/') && fetched.push(request.url())),
      )
      await page.goto(address(path))
      await hydrated(page)
      await expect.poll(async () => (await seenOn(page)).tag).toBe('IMG')
      const { url } = await seenOn(page)
      expect(url).toMatch(/\/_image\/w_\d+,f_avif,photo,v_[0-9a-f]{12}\/content\//)
      const preload = page.locator('link[rel="preload"][as="image"]')
      await expect(preload).toHaveCount(1)
      expect(await preload.getAttribute('imagesrcset')).toContain(new URL(url).pathname)
      expect(await preload.getAttribute('fetchpriority')).toBe('high')
      expect(fetched.filter((asked) => asked === url)).toHaveLength(1)
      // One size and one format of each picture: no second download of another candidate.
      const names = fetched.map((asked) => asked.split('/content/')[1])
      expect(new Set(names).size).toBe(names.length)
      expect((await seenOn(page)).shifts).toBeLessThan(0.01)
      expect(problems).toEqual([])
    })
  }
}

test('pictures below the first screen load when they are scrolled near', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 500 })
  await page.goto(address('/blog'))
  await hydrated(page)
  const images = page.locator('main .picture > img')
  expect(await images.first().getAttribute('loading')).toBeNull()
  for (let index = 1; index < (await images.count()); index += 1)
    expect(await images.nth(index).getAttribute('loading')).toBe('lazy')
})

test('a late picture does not shift the layout', async ({ page }) => {
  await page.addInitScript(observe)
  await page.route('**/_image/**', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 700))
    await route.continue()
  })
  await page.goto(address('/blog'))
  await expect(page.locator('.picture > img').first()).toHaveAttribute('data-state', 'loaded')
  expect((await seenOn(page)).shifts).toBeLessThan(0.01)
})

test('a blurred background is shown until the picture has loaded', async ({ page }) => {
  let release = (): void => undefined
  const released = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/_image/**', async (route) => {
    await released
    await route.continue()
  })
  await page.goto(address('/blog'), { waitUntil: 'domcontentloaded' })
  const filter = (): Promise<string> =>
    page
      .locator('.picture')
      .first()
      .evaluate(
        (element) =>
          `${getComputedStyle(element, '::before').content} ${getComputedStyle(element, '::before').filter}`,
      )
  expect(await filter()).toContain('blur')
  release()
  await expect(page.locator('.picture > img').first()).toHaveAttribute('data-state', 'loaded')
  expect(await filter()).toMatch(/^none /)
})

for (const when of ['before', 'after'] as const) {
  test(`a picture that fails ${when} hydration shows the placeholder, once`, async ({ page }) => {
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.route('**/_image/**', (route) => route.abort())
    if (when === 'before')
      await page.route('**/assets/main*.js', async (route) => {
        await new Promise((resolve) => setTimeout(resolve, 800))
        await route.continue()
      })
    await page.goto(address('/blog/choosing-a-proxy-type'))
    const image = page.locator('.picture > img').first()
    await expect(image).toHaveAttribute('data-state', 'failed')
    await expect
      .poll(() =>
        image.evaluate(
          (element: HTMLImageElement) =>
            `${new URL(element.currentSrc).pathname} ${element.complete && element.naturalWidth > 0}`,
        ),
      )
      .toBe('/picture-missing.svg true')
    // The alt text stays: it describes what the placeholder replaces.
    expect(await image.getAttribute('alt')).not.toBe('')
    expect(asked.filter((path) => path === '/picture-missing.svg')).toHaveLength(1)
  })
}

test('a placeholder that fails is not replaced again', async ({ page }) => {
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await page.route(/_image|picture-missing/, (route) => route.abort())
  await page.goto(address('/blog/choosing-a-proxy-type'))
  await expect(page.locator('.picture > img').first()).toHaveAttribute('data-state', 'failed')
  await page.waitForTimeout(500)
  expect(asked.filter((path) => path === '/picture-missing.svg')).toHaveLength(1)
})

test('every icon of the sprite is drawn on the icons page', async ({ page }) => {
  const { problems } = watchPage(page)
  await page.goto(address('/_icons'))
  await page.waitForLoadState('networkidle')
  const boxes = await page.locator('main li > svg').evaluateAll((symbols) =>
    symbols.map((symbol) => {
      const { x, y, width, height } = symbol.getBoundingClientRect()
      return {
        left: Math.round(x + scrollX),
        top: Math.round(y + scrollY),
        width: Math.round(width),
        height: Math.round(height),
      }
    }),
  )
  expect(boxes.length).toBeGreaterThan(40)
  const picture = await page.screenshot({ fullPage: true })
  // The area of an icon that is missing in the sprite has only one color.
  const empty = await Promise.all(
    boxes.map(async (box) =>
      (await sharp(await sharp(picture).extract(box).png().toBuffer()).stats()).channels.every(
        ({ min, max }) => min === max,
      ),
    ),
  )
  expect(empty.filter(Boolean)).toEqual([])
  expect(problems).toEqual([])
})
