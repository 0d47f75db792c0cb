/** Structured data of pages, of which pages of a language share a part (spec 9.4). */
import { expect, it } from '@jest/globals'
import { jsonLd } from '../../../server/pages/seo/json-ld'
import type { Product } from '../../../shared/product-schema'
import type { PageView } from '../../../shared/view'

const origins = { en: 'https://www.example', zh: 'https://zh.example', ru: 'https://ru.example' }
const siteNamed = (brand: string): PageView['site'] => ({
  brand,
  currency: 'USD',
  registerUrl: '',
  loginUrl: '',
  contact: { email: '', support: '', abuse: '' },
  preSales: false,
  chatExpected: false,
  cookieDomain: '',
})

/** The part of a page without data that structured data is made from. */
const pageOf = (site: PageView['site'], canonical: string | null) =>
  ({
    locale: 'en',
    route: 'faq',
    params: {},
    origins,
    site,
    organization: { company: { name: '', address: '' }, social: [] },
    seo: { canonical },
    texts: { menus: { NAVBAR_HOME: 'Home', NAVBAR_FAQ: '</script>' } },
    data: null,
  }) as unknown as PageView

const jsonOf = (page: PageView): string =>
  jsonLd(page, 'FAQ', '/favicon.svg', 'https://www.example/a.png', {} as Product) ?? ''
const graphOf = (page: PageView): Array<Record<string, unknown>> =>
  (JSON.parse(jsonOf(page)) as { '@graph': Array<Record<string, unknown>> })['@graph']

it('names organization and site as the site is named when the page is made', () => {
  const [before, after] = [siteNamed('Before'), siteNamed('After')]
  const names = [before, before, after].map((site, index) =>
    graphOf(pageOf(site, `https://www.example/${index}`)).map(({ '@type': type, name }) => [
      type,
      name,
    ]),
  )
  const expected = (name: string) => [
    ['Organization', name],
    ['WebSite', name],
    ['BreadcrumbList', undefined],
  ]
  expect(names).toEqual([expected('Before'), expected('Before'), expected('After')])
})

it('has the path of its own page, which cannot end the script element', () => {
  const site = siteNamed('</script>')
  const [first, second] = ['https://www.example/a', 'https://www.example/b'].map((url) =>
    pageOf(site, url),
  )
  if (!first || !second) throw new Error('two pages were made')
  expect([jsonOf(first).includes('/b'), jsonOf(second).includes('/a"')]).toEqual([false, false])
  expect(jsonOf(second)).toContain('https://www.example/b')
  expect(jsonOf(second)).not.toContain('<')
  expect(jsonLd(pageOf(site, null), '', '', '', {} as Product)).toBeNull()
})
