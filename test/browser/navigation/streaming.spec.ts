/** Pages that stream, in front of a backend that answers late. */
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, type Page } from '@playwright/test'
import { test, withAnimations } from '../../../testing/browser-test'
import { searchSite, startTestSite, type TestSite } from '../../../testing/site'
import { startUpstream, type TestUpstream } from '../../../testing/upstream'
import { hydrated, watchPage } from '../../../testing/watch-page'

const delayMs = 800
/** Holds back what follows the first part of a document, until the test has looked at that. */
let gate = Promise.resolve()
let openGate = (): void => undefined
let backend: TestUpstream
test.use(withAnimations)

let site: TestSite
let slowNetwork: Server
let port = 0

test.beforeAll(async () => {
  backend = await startUpstream((recorded, response) => {
    const { pathname, searchParams } = new URL(recorded.url ?? '', 'http://backend')
    const data = { url: `https://files.test/${searchParams.get('system') ?? ''}.zip` }
    const isFile = pathname.endsWith('/get-latest-version')
    const answer = (): void =>
      void response
        .writeHead(200, { 'Content-Type': 'application/json' })
        .end(JSON.stringify({ code: 0, data: isFile ? data : {} }))
    if (isFile) setTimeout(answer, delayMs)
    else answer()
  })
  site = await startTestSite({ API_UPSTREAM: backend.origin })
  // The first search takes longer than a 404 page waits for it.
  await searchSite(site, 'automation', 'en')
  slowNetwork = createServer((incoming, outgoing) => {
    const { method, url: path, headers } = incoming
    const sent = request(
      { host: '127.0.0.1', port: site.port, method, path, headers },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
        const isPage = String(answer.headers['content-type']).startsWith('text/html')
        answer.once('data', (chunk: Buffer) => {
          outgoing.write(chunk)
          answer.pause()
          void (isPage ? gate : Promise.resolve()).then(() => answer.pipe(outgoing))
        })
        answer.once('end', () => outgoing.end())
      },
    )
    incoming.pipe(sent)
  })
  await new Promise<void>((resolve) => slowNetwork.listen(0, '127.0.0.1', resolve))
  port = (slowNetwork.address() as AddressInfo).port
})
test.afterAll(async () => {
  slowNetwork.close()
  await Promise.all([site.stop(), backend.stop()])
})

type Shifts = Array<{ value: number; of: string[] }>
const shiftsOf = (page: Page): Promise<Shifts> =>
  page.evaluate(() => (window as unknown as { shifts: Shifts }).shifts)

async function open(page: Page, path: string) {
  await page.addInitScript(() => {
    const shifts: Shifts = []
    Object.assign(window, { shifts })
    type Shift = PerformanceEntry & {
      value: number
      sources: ReadonlyArray<{ node?: Node | null }>
    }
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as Shift[])
        shifts.push({
          value: entry.value,
          of: entry.sources.map(({ node }) => (node instanceof Element ? node.outerHTML : '')),
        })
    }).observe({ type: 'layout-shift', buffered: true })
  })
  const watched = watchPage(page)
  await page.goto(`http://localhost:${port}${path}`, { waitUntil: 'commit' })
  return watched
}

/**
 * Each page is one that no other case has made: the second visit gets the stored copy. A busy site
 * leaves suggestions out of a 404 page, so there are other pages to try.
 */
const similarPage = { late: '[data-shell="nearest"] a', href: /^\/[a-z]/ }
const macFile = {
  late: '[data-island="DownloadFiles"] a[data-system="com_mac"]',
  href: /^https:\/\/files\.test\/com_mac\.zip$/,
}
const phone = { width: 390, height: 844 }
const desk = { width: 1280, height: 800 }
const cases = [
  {
    paths: ['/docs/automatio', '/docs/automati', '/docs/automat'],
    viewport: phone,
    locale: 'en-US',
    ...similarPage,
  },
  {
    paths: ['/docs/profil', '/docs/profi', '/docs/prof'],
    viewport: desk,
    locale: 'en-US',
    ...similarPage,
  },
  { paths: ['/download'], viewport: phone, locale: 'en-US', ...macFile },
  { paths: ['/es/download'], viewport: desk, locale: 'es-ES', ...macFile },
] as const

for (const { paths, viewport, locale, late, href } of cases)
  test(`${paths[0]} shows its late part without a layout shift, ${viewport.width} px wide`, async ({
    browser,
  }) => {
    const context = await browser.newContext({ viewport, locale })
    const page = await context.newPage()
    let path: string = paths[0]
    for (path of paths) {
      gate = new Promise((resolve) => (openGate = resolve))
      const { problems } = await open(page, path)
      await expect(page.locator('h1')).toBeVisible()
      await expect(page.locator(`${late}:visible`)).toHaveCount(0)
      // A busy browser paints the first part in pieces, which moves the header once.
      await page.evaluate(() => (window as unknown as { shifts: Shifts }).shifts.splice(0))
      openGate()
      await page.waitForLoadState()
      await hydrated(page)
      expect(problems).toEqual([])
      if ((await page.locator(late).count()) > 0) break
    }
    await expect(page.locator(late).first()).toBeVisible()
    expect(await page.locator(late).first().getAttribute('href')).toMatch(href)
    await expect(page.locator('[data-late]')).toHaveCount(1)
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
    expect(await shiftsOf(page)).toEqual([])
    const { problems } = await open(page, path)
    await expect(page.locator(late).first()).toBeVisible()
    await hydrated(page)
    await expect(page.locator('[data-late]')).toHaveCount(0)
    expect(problems).toEqual([])
    await context.close()
  })

test('a page keeps its late part when it hydrates before that comes', async ({ page }) => {
  gate = new Promise((resolve) => (openGate = resolve))
  const router = page.waitForResponse(/\/assets\/router\.[^/]*js$/)
  await open(page, '/fr/download')
  await hydrated(page)
  await router
  openGate()
  const file = page.locator('[data-late] a[data-system="com_mac"]:visible')
  await expect(file).toHaveAttribute('href', macFile.href)
})
