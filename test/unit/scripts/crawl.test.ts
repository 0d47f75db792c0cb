import { createServer } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { crawlSite } from '../../../scripts/crawl/crawl-site'
import { fetchPage } from '../../../scripts/crawl/fetch-page'
import { decodeEntities } from '../../../scripts/crawl/read-page'
import { listen } from '../../../server/http/listen'

/** Answers by path: a body with status 200, or a status. */
let answers: Record<string, string | number | Array<string | number>>
let origin: string
let server: ReturnType<typeof createServer>
beforeEach(async () => {
  server = createServer((request, response) => {
    const found = answers[request.url ?? ''] ?? 404
    const answer = Array.isArray(found) ? (found.shift() ?? 404) : found
    if (answer === 0) return void request.socket.destroy()
    response.writeHead(typeof answer === 'number' ? answer : 200, { 'retry-after': '0' })
    response.end(String(answer))
  })
  origin = `http://127.0.0.1:${await listen(server, { port: 0, host: '127.0.0.1' })}`
})
afterEach(() => new Promise((resolve) => server.close(resolve)))

it.each([
  ['&#233;t&#xE9; &#x1f600;', 'été 😀'],
  ['a &amp;amp; b &lt;c&gt; &quot;d&apos;', `a &amp; b <c> "d'`],
  ['&unknown;', '&unknown;'],
])('the text %s means %s', (text, decoded) => expect(decodeEntities(text)).toBe(decoded))

it('a page that a rate limit refuses is requested again', async () => {
  answers = { '/': [429, 429, 'page'] }
  expect(await fetchPage(`${origin}/`)).toMatchObject({ status: 200, body: 'page' })
})

describe('a crawl', () => {
  /** The kinds of faults by the path that has them. */
  async function faults(): Promise<string[]> {
    const { findings } = await crawlSite([origin], 1)
    return findings.map(({ kind, address }) => `${kind}: ${address.replace(origin, '')}`)
  }
  const home = (): string => `<link rel="canonical" href="${origin}/"></head>`
  const sitemap = (...locs: readonly string[]): string =>
    `<urlset>${locs.map((loc) => `<url><loc>${loc}</loc></url>`).join('')}</urlset>`

  it('reports a site that does not answer', async () => {
    answers = { '/sitemap.xml': 0, '/': 0 }
    expect(await faults()).toEqual(['sitemap index: /sitemap.xml', 'broken link: /'])
  })

  it('reports a page that is listed on another host', async () => {
    const index = `<sitemapindex><sitemap><loc>${origin}/en.xml</loc></sitemap></sitemapindex>`
    answers = {
      '/sitemap.xml': index,
      '/en.xml': sitemap(`${origin}/`, 'http://localhost:9/a'),
      '/': home(),
    }
    expect(await faults()).toEqual([
      'listed on another host: http://localhost:9/a',
      'listed page: http://localhost:9/a',
      'orphan: http://localhost:9/a',
    ])
  })

  it('reports languages that do not name each other, or leave out the page itself', async () => {
    const index = `<sitemapindex><sitemap><loc>${origin}/en.xml</loc></sitemap></sitemapindex>`
    const alternate = `hreflang="es" href="${origin}/es"`
    const url = (path: string, more = ''): string => `<url><loc>${origin}${path}</loc>${more}</url>`
    const head = (path: string, more = ''): string =>
      `<link rel="canonical" href="${origin}${path}">${more}</head><a href="/es"></a>`
    answers = {
      '/sitemap.xml': index,
      '/en.xml': `<urlset>${url('/', `<xhtml:link rel="alternate" ${alternate}/>`)}${url('/es')}</urlset>`,
      '/': head('/', `<link rel="alternate" ${alternate}>`),
      '/es': head('/es'),
    }
    expect(await faults()).toEqual(['hreflang without itself: /', 'hreflang not reciprocal: /'])
  })
})
