import { expect, it } from '@jest/globals'
import type { ContentStore } from '../../../server/content/store/store'
import { createSections } from '../../../server/feeds/sitemap-sections'
import { createRedirectTable } from '../../../server/url/redirect-table'
import type { UrlContext } from '../../../server/url/url-context'

it('entries whose address shows something else are in no sitemap', () => {
  const entries: Record<string, string[]> = {
    features: ['rpa'],
    pages: ['app', 'es', 'own', 'pricing', 'rpa'],
  }
  const store = {
    outline: () => [],
    localesOf: (collection: string, id: string) =>
      entries[collection]?.includes(id) ? ['en'] : [],
    listTranslated: (collection: string) =>
      (entries[collection] ?? []).map((id) => ({ id, modified: collection, locales: ['en'] })),
  }
  const context = { redirects: createRedirectTable([]), preSales: true }
  const [fixed] = createSections(
    // The casts: only these parts are used.
    { store: store as unknown as ContentStore, context: context as unknown as UrlContext },
    'en',
  )
  const listed = [...(fixed?.read(0, 1000) ?? [])]
    .filter(({ page }) => page.route === 'single')
    .map(({ page, modified }) => `${modified}: ${page.params['html']}`)
  expect(listed).toEqual(['features: rpa', 'pages: own'])
})
