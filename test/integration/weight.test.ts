import { afterAll, beforeAll, expect, jest, test } from '@jest/globals'
import { startTestSite, type TestSite } from '../../testing/site'

jest.setTimeout(60_000)

/** Scripts of a first visit, compressed with Brotli. */
const maxScriptBytes = 100_000
let site: TestSite
beforeAll(async () => {
  site = await startTestSite()
})
afterAll(() => site.stop())

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
