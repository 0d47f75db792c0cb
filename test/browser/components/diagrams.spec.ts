import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { locales, type LocaleCode } from '../../../shared/i18n/locales'
import { test } from '../../../testing/browser-test'
import { root } from '../../../testing/root'
import { hostNames, type TestSite } from '../../../testing/site'

// Diagrams and their labels depend on HTML and style sheets only, and a page without scripts loads
// in a third of the time.
test.use({ javaScriptEnabled: false })

let site: TestSite
test.beforeAll(async ({ sharedSite }) => {
  site = await sharedSite()
})

/** All pages with a diagram, by language. */
const pages = readdirSync(join(root, 'content'), { recursive: true, encoding: 'utf8' }).filter(
  (file) =>
    file.endsWith('.md') &&
    readFileSync(join(root, 'content', file), 'utf8').includes('.diagram.svg)'),
)
const languages = [
  ...new Set(pages.map((file) => file.split('/').at(-1)?.slice(0, -3))),
] as LocaleCode[]

async function open(page: Page, code: LocaleCode, file: string): Promise<void> {
  const { domain, prefix } = locales[code]
  await page.goto(
    `http://${hostNames[domain]}:${site.port}${prefix}/${file.split('/').slice(0, 2).join('/')}`,
  )
}

/**
 * Labels of the visible diagrams: those outside of their diagram, those that overlap, and the
 * smallest font size in pixels.
 */
function measure(page: Page) {
  return page.evaluate(() => {
    const shown = [...document.querySelectorAll<SVGSVGElement>('figure.diagram > svg')].filter(
      (svg) => svg.getClientRects().length > 0,
    )
    const faults: string[] = []
    let smallest = Infinity
    for (const svg of shown) {
      const { width, height } = svg.viewBox.baseVal
      const scale = svg.getBoundingClientRect().width / width
      const words = [...svg.querySelectorAll('text')].map((text) => ({
        text: text.textContent,
        box: text.getBBox(),
      }))
      for (const text of svg.querySelectorAll('text'))
        smallest = Math.min(smallest, parseFloat(getComputedStyle(text).fontSize) * scale)
      for (const [index, { text, box }] of words.entries()) {
        if (
          text === '' ||
          box.x < 0 ||
          box.y < 0 ||
          box.x + box.width > width ||
          box.y + box.height > height
        )
          faults.push(`outside: ${text}`)
        // Boxes are as high as the font's lines, so labels that only share an edge do not overlap.
        for (const other of words.slice(index + 1))
          if (
            box.x < other.box.x + other.box.width - 1 &&
            other.box.x < box.x + box.width - 1 &&
            box.y < other.box.y + other.box.height - 5 &&
            other.box.y < box.y + box.height - 5
          )
            faults.push(`upon each other: ${text} / ${other.text}`)
      }
    }
    return {
      drawings: shown.length,
      faults,
      smallest,
      overflow: document.documentElement.scrollWidth > innerWidth,
    }
  })
}

for (const code of languages) {
  test(`has room for the labels in ${code}, on a phone and on a wide screen`, async ({ page }) => {
    for (const file of pages.filter((name) => name.endsWith(`/${code}.md`))) {
      await open(page, code, file)
      for (const width of [320, 390, 1024, 1440]) {
        await page.setViewportSize({ width, height: 900 })
        const { drawings, faults, smallest, overflow } = await measure(page)
        expect({ file, width, drawings, faults, overflow }).toEqual({
          file,
          width,
          drawings: 1,
          faults: [],
          overflow: false,
        })
        expect(smallest).toBeGreaterThan(11)
      }
    }
  })
}

test('uses the colors of the theme and is described once for screen readers', async ({ page }) => {
  const colours = async () =>
    page
      .locator('figure.diagram svg:visible')
      .evaluate((svg) =>
        [...svg.querySelectorAll('text, rect, path')].map(
          (shape) => getComputedStyle(shape).fill + getComputedStyle(shape).stroke,
        ),
      )
  await page.emulateMedia({ colorScheme: 'light' })
  await open(page, 'en', 'docs/profiles/en.md')
  const light = await colours()
  await page.emulateMedia({ colorScheme: 'dark' })
  const dark = await colours()
  for (const [index, colour] of dark.entries()) expect(colour).not.toBe(light[index])
  await expect(
    page.getByRole('img', { name: /^A profile is made of storage, proxy and fingerprint/ }),
  ).toHaveCount(1)
})
