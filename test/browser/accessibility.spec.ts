import AxeBuilder from '@axe-core/playwright'
import { expect, test, type BrowserContext, type Page } from '@playwright/test'
import { breakpoints } from '../../shared/constants'
import { locales, type LocaleCode } from '../../shared/i18n/locales'
import { href } from '../../shared/routes/href'
import { hostNames, startTestSite, type TestSite } from '../../testing/site'
import { templatePages, templatePagesIn } from '../../testing/template-pages'
import { hydrated } from '../../testing/watch-page'

// This is the slowest file. Its tests share no state, so two workers can run them.
test.describe.configure({ mode: 'parallel' })

let site: TestSite
test.beforeAll(async () => {
  site = await startTestSite()
})
test.afterAll(() => site.stop())

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
const address = (code: LocaleCode, path: string): string =>
  `http://${hostNames[locales[code].domain]}:${site.port}${path}`

/** Violations that axe reports, in a form short enough for a failure message. */
async function violations(page: Page, theme: 'light' | 'dark' = 'light'): Promise<unknown[]> {
  // The themes differ in colors only, and a complete check takes a second. Reports violations only
  // and does not merge frames: lists of passed checks cost as much time as the checks.
  const axe = new AxeBuilder({ page }).options({ resultTypes: ['violations'] }).setLegacyMode(true)
  const { violations: found } = await (
    theme === 'light'
      ? axe.withTags(rules)
      : axe.withRules(['color-contrast', 'link-in-text-block'])
  ).analyze()
  return found.map(({ id, nodes }) => ({
    page: page.url(),
    id,
    nodes: nodes.map(({ target }) => target.join(' ')),
  }))
}

/** Prefetching is not tested here and would keep the network busy for a second on each page. */
const withoutPrefetch = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript(() =>
    Object.defineProperty(navigator, 'connection', {
      value: Object.assign(new EventTarget(), { saveData: true, effectiveType: '4g' }),
    }),
  )

async function show(page: Page, code: LocaleCode, path: string): Promise<void> {
  await page.goto(address(code, path))
  await hydrated(page)
}
/** Waits until the scripts that load after hydration have run. */
async function settle(page: Page, code: LocaleCode, path: string): Promise<void> {
  await show(page, code, path)
  await page.waitForLoadState('networkidle')
}

for (const [name, half] of [
  ['first', 0],
  ['second', 1],
] as const) {
  test(`axe finds no violations on any template in either theme, ${name} half`, async ({
    browser,
  }) => {
    test.setTimeout(300_000)
    const context = await browser.newContext({ colorScheme: 'light', reducedMotion: 'reduce' })
    await withoutPrefetch(context)
    const page = await context.newPage()
    const found: unknown[] = []
    for (const [index, entry] of templatePagesIn('en').entries()) {
      if (index % 2 !== half) continue
      await page.emulateMedia({ colorScheme: 'light' })
      await show(page, 'en', href('en', entry.route, entry.params))
      found.push(...(await violations(page)))
      await page.emulateMedia({ colorScheme: 'dark' })
      found.push(...(await violations(page, 'dark')))
    }
    expect(found).toEqual([])
    await context.close()
  })
}

for (const theme of ['light', 'dark'] as const) {
  test(`axe finds no violations with menus, drawer and language menu open in the ${theme} theme`, async ({
    browser,
  }) => {
    for (const width of [breakpoints.xs, breakpoints.xl]) {
      const context = await browser.newContext({
        colorScheme: theme,
        reducedMotion: 'reduce',
        viewport: { width, height: 900 },
      })
      await withoutPrefetch(context)
      const page = await context.newPage()
      for (const code of ['en', 'zh'] as const) {
        await show(page, code, '/')
        for (const summary of await page.locator('header summary:visible').all()) {
          await summary.click()
          expect(await violations(page, theme)).toEqual([])
          if (await summary.isVisible()) await page.keyboard.press('Escape')
        }
      }
      await context.close()
    }
  })
}

test('axe finds no violations on a phone in Chinese and Thai', async ({ browser }) => {
  test.setTimeout(300_000)
  const context = await browser.newContext({
    viewport: { width: breakpoints.xs, height: 700 },
    reducedMotion: 'reduce',
  })
  await withoutPrefetch(context)
  const page = await context.newPage()
  const found: unknown[] = []
  for (const [index, entry] of templatePages.entries()) {
    const code = index % 2 === 0 ? 'zh' : 'th'
    if (!templatePagesIn(code).includes(entry)) continue
    await show(page, code, href(code, entry.route, entry.params))
    found.push(...(await violations(page)))
  }
  expect(found).toEqual([])
  await context.close()
})

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

for (const { width, code } of [
  { width: 360, code: 'en' },
  { width: breakpoints.md, code: 'zh' },
] as const) {
  test(`the layout does not shift at ${width} pixels in ${code}, and targets are at least 24 pixels or inline`, async ({
    browser,
  }) => {
    test.setTimeout(200_000)
    const context = await browser.newContext({ viewport: { width, height: 800 } })
    await withoutPrefetch(context)
    await watchShifts(context)
    const page = await context.newPage()
    for (const entry of templatePagesIn(code)) {
      const path = href(code, entry.route, entry.params)
      await settle(page, code, path)
      await page.waitForTimeout(150)
      expect({ code, path, shifts: await shiftsOf(page), small: await smallTargets(page) }).toEqual(
        { code, path, shifts: [], small: [] },
      )
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
    await settle(page, 'en', path)
    await page.locator('[data-shell="language-offer"]').waitFor()
    await page.locator('[data-shell="signup-banner"]').waitFor()
    await page.waitForTimeout(300)
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
