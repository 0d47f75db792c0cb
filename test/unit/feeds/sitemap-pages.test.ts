import { expect, it } from '@jest/globals'
import type { ContentStore } from '../../../server/content/store/store'
import { createSitemapPages } from '../../../server/feeds/sitemap-pages'
import { createRedirectTable } from '../../../server/url/redirect-table'

it('the pages of a language are counted without reading them, and read in parts without gaps', () => {
  const ids = Array.from({ length: 700 }, (_, index) => `a${index}`)
  // A cast because sitemaps of a site with a blog alone need nothing else of the store.
  const store = {
    outline: () => [
      { collection: 'blog', category: '', tag: '', translated: ids.length, total: ids.length },
    ],
    listTranslated: (collection: string, _locale: string, limit: number, offset: number) =>
      collection === 'blog'
        ? ids.slice(offset, offset + limit).map((id) => ({ id, modified: null, locales: ['en'] }))
        : [],
    localesOf: () => [],
  } as unknown as ContentStore
  const pages = createSitemapPages(store, {
    origins: { en: 'http://en.test', zh: 'http://zh.test', ru: 'http://ru.test' },
    redirects: createRedirectTable(),
    firstDoc: () => null,
    isSolution: () => false,
    preSales: true,
  })
  const read = (offset: number, limit: number): string[] =>
    [...pages.slice('en', offset, limit)].map(({ page, number }) => JSON.stringify([page, number]))
  const count = pages.count('en')
  const all = read(0, 10_000)
  expect(new Set(all).size).toBe(count)
  expect(count).toBeGreaterThan(ids.length)
  expect([...read(0, 333), ...read(333, 333), ...read(666, 10_000)]).toEqual(all)
  expect([pages.fits('en', count - 1), pages.fits('en', 10_000)]).toEqual([false, true])
})
