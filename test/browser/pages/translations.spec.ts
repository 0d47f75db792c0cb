import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { expect, type Page } from '@playwright/test'
import { parse } from 'yaml'
import { locales, type LocaleCode } from '../../../shared/i18n/locales'
import { href } from '../../../shared/routes/href'
import { test } from '../../../testing/browser-test'
import { root } from '../../../testing/root'
import { fetchFrom, hostNames, type TestSite } from '../../../testing/site'
import { hydrated, withoutPrefetch } from '../../../testing/watch-page'

let site: TestSite
test.beforeAll(async ({ sharedSite }) => {
  site = await sharedSite()
})

const address = (code: LocaleCode, path: string): string =>
  `http://${hostNames[locales[code].domain]}:${site.port}${path}`
const { terms, names } = parse(readFileSync(join(root, 'content', 'glossary.yaml'), 'utf8')) as {
  terms: Array<{ term: string }>
  names: string[]
}
const glossary = [...terms.map(({ term }) => term), ...names]
const brand =
  /^brand: (.+)$/m.exec(readFileSync(join(root, 'content', 'site.yaml'), 'utf8'))?.[1] ?? ''

const scripts: Partial<Record<LocaleCode, RegExp>> = {
  zh: /\p{Script=Han}/gu,
  tc: /\p{Script=Han}/gu,
  jp: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]/gu,
  ko: /\p{Script=Hangul}/gu,
  th: /\p{Script=Thai}/gu,
  hi: /\p{Script=Devanagari}/gu,
  ru: /\p{Script=Cyrillic}/gu,
  uk: /\p{Script=Cyrillic}/gu,
}

/** What a visitor sees, without code, the names of other languages, brand and glossary. */
async function visibleText(page: Page): Promise<string> {
  const text = await page.evaluate(() => {
    const copy = document.body
    for (const element of copy.querySelectorAll(
      'code, pre, kbd, [data-shell="language-menu"], [data-locale]',
    ))
      element.remove()
    return copy.innerText
  })
  return [brand, ...glossary].reduce((left, term) => left.replaceAll(term, ' '), text)
}

const pages = ['home', 'pricing', 'download'] as const

for (const [code, script] of Object.entries(scripts) as Array<[LocaleCode, RegExp]>) {
  test(`home, pricing and download in ${code} are written in its script`, async ({ browser }) => {
    // As its readers see it: who prefers another language is offered the page in that one.
    const context = await browser.newContext({ locale: locales[code].language })
    await withoutPrefetch(context)
    const page = await context.newPage()
    for (const route of pages) {
      await page.goto(address(code, href(code, route)))
      await hydrated(page)
      const text = await visibleText(page)
      const letters = text.match(/[\p{L}\p{M}]/gu)?.length ?? 0
      const own = text.match(script)?.length ?? 0
      console.log(`${code} ${route}: ${((own / letters) * 100).toFixed(1)} % of ${letters} letters`)
      expect(letters).toBeGreaterThan(200)
      expect({
        route,
        share: own / letters >= 0.9,
        words: own / letters >= 0.9 ? [] : [...new Set(text.match(/[A-Za-z]{3,}/g))].slice(0, 60),
      }).toEqual({ route, share: true, words: [] })
    }
    await context.close()
  })
}

const sentences = (text: string): string[] =>
  text
    .split(/[.!?\n]+/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence.split(/\s+/).length >= 10)

test('home, pricing and download hold no English sentence in the other languages of Latin script', async ({
  browser,
}) => {
  // What the server sends; React shows the same, or the development build warns.
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  for (const route of pages) {
    await page.goto(address('en', href('en', route)))
    const english = new Set(sentences(await visibleText(page)))
    expect(english.size).toBeGreaterThan(0)
    for (const code of ['vn', 'es', 'pt', 'tr', 'fr'] as const) {
      await page.goto(address(code, href(code, route)))
      expect({
        code,
        route,
        english: sentences(await visibleText(page)).filter((sentence) => english.has(sentence)),
      }).toEqual({ code, route, english: [] })
    }
  }
  await context.close()
})

test('a page never shows another language while it starts, and carries at most 12 KB of texts', async ({
  page,
}) => {
  for (const code of Object.keys(locales) as LocaleCode[]) {
    const { body } = await fetchFrom(site.port, href(code, 'home'), {
      host: hostNames[locales[code].domain],
    })
    const view = JSON.parse(
      /<script type="application\/json" id="view">([^<]*)<\/script>/.exec(body)?.[1] ?? '{}',
    ) as { texts: Record<string, unknown> }
    expect(Object.keys(view.texts).sort()).toEqual(['home', 'navigation', 'shell'])
    expect(brotliCompressSync(JSON.stringify(view.texts)).length).toBeLessThanOrEqual(12 * 1024)
    await page.goto(address(code, href(code, 'home')))
    const before = /<h1[^>]*>(.*?)<\/h1>/s
      .exec(body)?.[1]
      ?.replace(/<[^>]*>/g, '')
      .trim()
    await hydrated(page)
    const shown = await page.evaluate(() => ({
      heading: document.querySelector('h1')?.innerText.replace(/\s+/g, ' '),
      lang: document.documentElement.lang,
    }))
    expect(shown.heading).toBe(
      before
        ?.replace(/&#x27;/g, "'")
        .replace(/&amp;/g, '&')
        .replace(/\s+/g, ' '),
    )
    expect(shown.lang).toBe(locales[code].language)
  }
})
