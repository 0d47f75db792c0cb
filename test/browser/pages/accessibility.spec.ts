import { expect, type BrowserContext, type Page } from '@playwright/test'
import { breakpoints } from '../../../shared/constants'
import { locales, type LocaleCode } from '../../../shared/i18n/locales'
import { href } from '../../../shared/routes/href'
import { findViolations, type AxeCheck } from '../../../testing/axe'
import { test } from '../../../testing/browser-test'
import { hostNames, type TestSite } from '../../../testing/site'
import { templatePages, templatePagesIn } from '../../../testing/template-pages'
import { hydrated, watchPage, withoutPrefetch } from '../../../testing/watch-page'

// This is the slowest file. Its tests share no state, so they run at the same time.
test.describe.configure({ mode: 'parallel' })

let site: TestSite
test.beforeAll(async ({ sharedSite }) => {
  site = await sharedSite()
})

const address = (code: LocaleCode, path: string): string =>
  `http://${hostNames[locales[code].domain]}:${site.port}${path}`

async function show(page: Page, code: LocaleCode, path: string): Promise<void> {
  await page.goto(address(code, path), { waitUntil: 'commit' })
  await hydrated(page)
}
/** Runs in the page: resolves when files have arrived and the window was painted after them. */
const arrivedAndPainted = (files: readonly string[]): Promise<unknown> =>
  new Promise<void>((resolve) => {
    const missing = new Set(files)
    const observer = new PerformanceObserver((list) => {
      for (const { name } of list.getEntries())
        for (const file of missing) if (name.includes(file)) missing.delete(file)
      if (missing.size > 0) return
      observer.disconnect()
      resolve()
    })
    observer.observe({ type: 'resource', buffered: true })
  }).then(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))

/** Waits until the scripts that load after hydration have run and the window was painted again. */
async function settle(page: Page): Promise<void> {
  // It would leave the page after 5 s.
  if (page.url().endsWith('/error/502')) await page.locator('[data-action="stop"]').click()
  await page.evaluate(arrivedAndPainted, ['/visitor.', '/api/site/visitor-settings'])
}

/** Records the layout shifts of every page of the context, without those after input, like CLS. */
async function watchShifts(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const shifts: Array<{ value: number; nodes: string[] }> = []
    Object.assign(window, { shifts })
    type Shift = PerformanceEntry & {
      value: number
      hadRecentInput: boolean
      sources: ReadonlyArray<{ node: Node | null }>
    }
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as Shift[])
        if (!entry.hadRecentInput)
          shifts.push({
            value: entry.value,
            nodes: entry.sources.map(({ node }) =>
              node instanceof Element
                ? `${node.localName}.${node.className}`
                : String(node?.nodeName),
            ),
          })
    }).observe({ type: 'layout-shift', buffered: true })
  })
}
const shiftsOf = (page: Page): Promise<Array<{ value: number }>> =>
  page.evaluate(() => (window as unknown as { shifts: Array<{ value: number }> }).shifts)

/** Records the formats of `Intl` that a page creates. There should be none (decision 123). */
const watchFormats = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript(() => {
    const formats: string[] = []
    Object.assign(window, { formats })
    const record = <T extends object>(format: T, name: string): T =>
      new Proxy(format, {
        construct(target, args, newTarget) {
          formats.push(name)
          // Cast: both are constructors.
          return Reflect.construct(target as never, args, newTarget) as object
        },
      })
    Intl.DateTimeFormat = record(Intl.DateTimeFormat, 'date')
    Intl.NumberFormat = record(Intl.NumberFormat, 'number')
  })
const formatsOf = (page: Page): Promise<string[]> =>
  page.evaluate(() => (window as unknown as { formats: string[] }).formats)

const headingsAndRouteOf = (page: Page): Promise<{ headings: number; route: string | undefined }> =>
  page.evaluate(() => ({
    headings: document.querySelectorAll('h1').length,
    route: document.documentElement.dataset['page'],
  }))

/** Controls below 24 pixels that are not inline in a sentence (WCAG 2.5.8). */
const smallTargets = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    Array.from(
      document.querySelectorAll<HTMLElement>(
        'a[href], button, summary, select, input:not(.tabs-input)',
      ),
    ).flatMap((element) => {
      const { width, height } = element.getBoundingClientRect()
      const inSentence = getComputedStyle(element).display === 'inline'
      return width === 0 ||
        inSentence ||
        (width >= 24 && height >= 24) ||
        element.closest('[class*=skip]')
        ? []
        : [
            `${element.localName} ${element.className} ${width}x${height} ${element.textContent?.slice(0, 30)}`,
          ]
    }),
  )

/**
 * Everything that a visit of a page can show is checked in one visit of each template. Themes
 * differ in colors only, which do not depend on width or language. So each width has one tour with
 * all of axe's rules, and another language at the same width needs none about colors.
 */
const tours: ReadonlyArray<{ code: LocaleCode; width: number; axe: AxeCheck; dark: boolean }> = [
  { code: 'en', width: 360, axe: 'all', dark: true },
  { code: 'zh', width: breakpoints.md, axe: 'all', dark: false },
  { code: 'th', width: 360, axe: 'not colors', dark: false },
]
for (const { code, width, axe, dark } of tours) {
  // In parts, so that several workers share the work.
  for (const part of [0, 1]) {
    test(`every template in ${code} at ${width} pixels hydrates silently and without formats, keeps its layout, has large targets and no axe violations, and does not scroll sideways at 320 pixels, part ${part + 1}`, async ({
      browser,
    }) => {
      test.setTimeout(300_000)
      const context = await browser.newContext({
        viewport: { width, height: 800 },
        // A reader who prefers another language is offered it, which is tested below.
        locale: locales[code].language,
      })
      await withoutPrefetch(context)
      await watchShifts(context)
      await watchFormats(context)
      const page = await context.newPage()
      const { problems, foreign } = watchPage(page)
      for (const [index, entry] of templatePages.entries()) {
        if (index % 2 !== part || !templatePagesIn(code).includes(entry)) continue
        const path = href(code, entry.route, entry.params)
        await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'no-preference' })
        await show(page, code, path)
        await settle(page)
        let shifts = await shiftsOf(page)
        // A processor that is busy paints a page before it has arrived completely, which moves it
        // once. What is wrong with a page moves it in every visit.
        for (let retries = 0; shifts.length > 0 && retries < 3; retries += 1) {
          await show(page, code, path)
          await settle(page)
          shifts = await shiftsOf(page)
        }
        const seen = {
          path,
          problems: [...problems],
          shifts,
          formats: await formatsOf(page),
          small: await smallTargets(page),
          ...(await headingsAndRouteOf(page)),
        }
        const quiet = { path, problems: [], shifts: [], formats: [], small: [], headings: 1 }
        expect(seen).toEqual({ ...quiet, route: entry.route })
        await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
        if (axe === 'all' || index % 4 < 2) expect(await findViolations(page, axe)).toEqual([])
        if (dark) {
          await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
          expect(await findViolations(page, 'colors')).toEqual([])
        }
        await page.setViewportSize({ width: breakpoints.xs, height: 800 })
        const narrow = await page.evaluate(() => document.documentElement.scrollWidth)
        expect({ path, narrow }).toEqual({ path, narrow: breakpoints.xs })
        await page.setViewportSize({ width, height: 800 })
      }
      expect(foreign).toEqual([])
      await context.close()
    })
  }
}

for (const width of [breakpoints.xs, breakpoints.xl]) {
  test(`axe finds no violations with menus, drawer and language menu open at ${width} pixels, in either theme`, async ({
    browser,
  }) => {
    const context = await browser.newContext({
      reducedMotion: 'reduce',
      viewport: { width, height: 900 },
    })
    await withoutPrefetch(context)
    const page = await context.newPage()
    for (const code of ['en', 'zh'] as const) {
      await page.emulateMedia({ colorScheme: 'light' })
      await show(page, code, '/')
      for (const summary of await page.locator('header summary:visible').all()) {
        await summary.click()
        // The rest of the page is examined with closed menus, above; the colors in one language.
        const checks = code === 'en' ? (['all', 'colors'] as const) : (['not colors'] as const)
        for (const check of checks) {
          await page.emulateMedia({ colorScheme: check === 'colors' ? 'dark' : 'light' })
          expect(await findViolations(page, check, 'header')).toEqual([])
        }
        if (await summary.isVisible()) await page.keyboard.press('Escape')
      }
    }
    await context.close()
  })
}

test("banner and language offer shift a phone's layout by 0.02 at most", async ({ browser }) => {
  const context = await browser.newContext({
    viewport: { width: 360, height: 740 },
    locale: 'fr-FR',
    userAgent:
      'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36',
  })
  await watchShifts(context)
  const page = await context.newPage()
  for (const path of ['/pricing', '/docs/proxies', '/solutions/tiktok', '/download']) {
    await show(page, 'en', path)
    await settle(page)
    await page.locator('[data-shell="language-offer"]').waitFor({ timeout: 10_000 })
    await page.locator('[data-shell="signup-banner"]').waitFor({ timeout: 10_000 })
    await settle(page)
    const moved = (await shiftsOf(page)).reduce((sum, { value }) => sum + value, 0)
    expect({ path, moved, still: moved <= 0.02 }).toEqual({ path, moved, still: true })
  }
  await context.close()
})

test('forced colors show which tab and which page is selected', async ({ browser }) => {
  const context = await browser.newContext({ forcedColors: 'active' })
  const page = await context.newPage()
  await show(page, 'en', '/')
  const underlines = await page
    .locator('main .tabs')
    .first()
    .locator('.tabs-label')
    .evaluateAll((labels) => labels.map((label) => getComputedStyle(label).borderBottomColor))
  expect(new Set(underlines.slice(1)).size).toBe(1)
  expect(underlines[0]).not.toBe(underlines[1])
  await show(page, 'en', '/docs/proxies')
  await expect(
    page.locator('aside a[aria-current="page"], nav a[aria-current="page"]').first(),
  ).toHaveCSS('outline-style', 'solid')
  await context.close()
})
