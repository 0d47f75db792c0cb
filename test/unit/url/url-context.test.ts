import { expect, it } from '@jest/globals'
import type { ContentFacts } from '../../../server/url/content-facts'
import { createHosts } from '../../../server/url/hosts'
import { createUrlContext } from '../../../server/url/url-context'
import type { RedirectRow } from '../../../server/url/redirect-table'

const hosts = createHosts(
  { SITE_URL_EN: '', SITE_URL_ZH: '', SITE_URL_RU: '', ZH_HOSTS: [], RU_HOSTS: [] },
  3000,
)
const row: RedirectRow = { from: '/a', to: '/b', status: 301, locales: null, line: 1 }

it('is replaced when content changes, and its redirects only when they do', () => {
  let change: (tags: readonly string[]) => void = () => undefined
  const content = { rows: [row], preSales: true, docs: ['first', 'second'] }
  const store: ContentFacts = {
    localesOf: (collection, id) => (collection === 'solutions' && id === 'known' ? ['en'] : []),
    redirects: () => content.rows,
    listOrdered: (collection, locale) =>
      collection === 'docs' && locale === 'es' ? content.docs.map((id) => ({ id })) : [],
    siteConfig: () => ({ pre_sales: content.preSales }),
    onChange: (listener) => (change = listener),
  }
  const context = createUrlContext(store, hosts)

  const first = context()
  expect(first.origins).toEqual(hosts.origins)
  expect([first.preSales, first.redirects.rows]).toEqual([true, [row]])
  expect([first.isSolution('known'), first.isSolution('unknown')]).toEqual([true, false])
  expect([first.firstDoc('es'), first.firstDoc('en')]).toEqual(['first', null])

  content.preSales = false
  content.rows = []
  expect(context()).toBe(first)
  change(['docs:first'])
  const second = context()
  expect([second.preSales, second.redirects]).toEqual([false, first.redirects])
  expect(second.redirects).toBe(first.redirects)
  change(['home', 'redirects'])
  expect(context().redirects.rows).toEqual([])
})
