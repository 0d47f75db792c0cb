import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { brotliCompressSync } from 'node:zlib'
import { allLocales } from '../../../shared/i18n/locales'
import { href } from '../../../shared/routes/href'
import { routeOfCollection } from '../../../shared/routes/table'
import { idsOf } from '../../../testing/pages'
import { hostNames, startTestSite, type TestSite } from '../../../testing/site'

/** With its headers, HTML of this size fits into the first TCP congestion window. */
const maxHtmlBytes = 14_000
/** Scripts of a first visit, compressed with Brotli. */
const maxScriptBytes = 100_000
/** The drawn picture of a landing page, compressed with Brotli. */
const maxPictureBytes = 6000
let site: TestSite
beforeAll(async () => {
  site = await startTestSite()
})
afterAll(() => site.stop())

test.each(allLocales)('home in $name has at most 14 KB of HTML', async ({ code, domain }) => {
  const { bytes } = await site.get(href(code, 'home'), { host: hostNames[domain] })
  // The level at which the site compresses pages that are asked for often.
  expect(brotliCompressSync(bytes).length).toBeLessThanOrEqual(maxHtmlBytes)
})

test('home, article and documentation pages each load at most 100 KB of scripts', async () => {
  for (const path of ['/', '/blog/choosing-a-proxy-type', '/docs/automation']) {
    const { body, headers } = await site.get(path)
    const [, entry = ''] = /data-entry="([^"]+)"/.exec(body) ?? []
    const files = entry.split(' ').filter(Boolean)
    // Every script that the page names: as an entry, a script element or a preload.
    const named = new Set([
      ...files,
      ...Array.from(
        `${body} ${String(headers['link'])}`.matchAll(/\/assets\/[\w.-]+\.js/g),
        ([file]) => file,
      ),
    ])
    expect(files.length).toBeGreaterThan(1)
    expect([...named].sort()).toEqual([...files].sort())
    const answers = await Promise.all(
      files.map((file) => site.get(file, { headers: { 'accept-encoding': 'br' } })),
    )
    for (const { status, headers: sent } of answers)
      expect({ status, immutable: /immutable/.test(String(sent['cache-control'])) }).toEqual({
        status: 200,
        immutable: true,
      })
    const bytes = answers.reduce((sum, answer) => sum + answer.bytes.length, 0)
    expect({ path, within: bytes <= maxScriptBytes, bytes }).toEqual({ path, within: true, bytes })
  }
})

/** The element that starts at an offset of the HTML, with everything in it. */
function elementAt(html: string, start: number): string {
  let depth = 0
  for (const { 0: tag, index } of html.slice(start).matchAll(/<\/?div\b[^>]*>/g)) {
    depth += tag.startsWith('</') ? -1 : 1
    if (depth === 0) return html.slice(start, start + index + tag.length)
  }
  throw new Error('the element is not closed')
}

test.each(['features', 'solutions', 'industries', 'alternatives'] as const)(
  'pictures of landing pages have at most 6 KB: %s',
  async (collection) => {
    const route = routeOfCollection[collection]
    const pages = idsOf(collection).flatMap((id) =>
      (['en', 'th'] as const).map((locale) =>
        href(locale, route, route === 'single' ? { html: id } : { id }),
      ),
    )
    let drawn = 0
    for (const path of pages) {
      const { body } = await site.get(path)
      const label = body.indexOf('data-expose="picture-landing"')
      if (label < 0) continue
      drawn += 1
      const picture = elementAt(body, body.lastIndexOf('<div', label))
      const bytes = brotliCompressSync(picture).length
      expect({ path, within: bytes <= maxPictureBytes, bytes }).toEqual({
        path,
        within: true,
        bytes,
      })
    }
    expect(drawn).toBeGreaterThan(4)
  },
)
