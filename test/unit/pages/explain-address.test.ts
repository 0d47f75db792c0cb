import { expect, it } from '@jest/globals'
import { explainAddress } from '../../../server/pages/explain-address'
import { createHosts } from '../../../server/url/hosts'
import { createRedirectTable } from '../../../server/url/redirect-table'
import { readSettings } from '../../../server/env'
import { root } from '../../../testing/root'

const settings = readSettings(
  {
    SITE_URL_EN: 'https://www.example.com',
    SITE_URL_ZH: 'https://cn.example.com',
    SITE_URL_RU: 'https://ru.example.com',
  },
  root,
)
const hosts = createHosts(settings, 443)
const visitor = {
  method: 'GET',
  acceptLanguage: undefined,
  hasCookies: false,
  cookieLocale: null,
  fetchSite: undefined,
  referer: undefined,
  userAgent: undefined,
}
const explain = (address: string, isPreSalesPage = true) =>
  explainAddress(address, visitor, {
    hosts,
    settings,
    // A cast because the guard of the page needs nothing else of the store.
    store: { siteConfig: () => ({ pre_sales: isPreSalesPage }) } as Parameters<
      typeof explainAddress
    >[2]['store'],
    urlContext: () => ({
      origins: hosts.origins,
      redirects: createRedirectTable(),
      firstDoc: () => null,
      isSolution: () => false,
      preSales: true,
    }),
  })

it.each([
  ['https://cn.example.com', 'zh', 200, 'home', ''],
  ['https://cn.example.com?a=1', 'zh', 200, 'home', ''],
  ['/pricing', 'en', 200, 'pricing', ''],
  ['/no/such/page', 'en', 404, '', ''],
  ['/%zz', 'en', 400, '', ''],
  ['https://ru.example.com/Pricing', 'ru', 301, '', 'https://ru.example.com/pricing'],
])('%s is explained without requesting it', (address, host, status, route, location) =>
  expect(explain(address)).toMatchObject({ host, status, route, location }),
)

it('a page with a guard is explained with what the guard checks, and found if it passes', () => {
  const guard = expect.stringMatching(/^guard +pre-sales: site\.yaml enables the page/)
  expect(explain('/pre-sales')).toMatchObject({
    status: 200,
    details: expect.arrayContaining([guard]),
  })
  expect(explain('/pre-sales', false)).toMatchObject({ status: 404 })
})
