import { describe, expect, it } from '@jest/globals'
import type { ListCounts } from '../../../server/url/content-facts'
import { entryHref, paramsOf } from '../../../server/url/entry-href'
import { feedPath, feedsIn, parseFeedPath } from '../../../server/url/feed-paths'
import {
  entryOf,
  hreflangLinks,
  pageAvailability,
  shadowOf,
  urlInLocale,
  type EntrySource,
} from '../../../server/url/page-availability'
import { pageNumber } from '../../../server/url/page-number'
import { createRedirectTable } from '../../../server/url/redirect-table'
import type { UrlContext } from '../../../server/url/url-context'
import { localeCodes, type LocaleCode } from '../../../shared/i18n/locales'
import type { Page } from '../../../shared/routes/availability'
import { match } from '../../../shared/routes/match'

const origins = {
  en: 'https://www.example.com',
  zh: 'https://cn.example.com',
  ru: 'https://ru.example.com',
} as const
const context: UrlContext = {
  origins,
  redirects: createRedirectTable(),
  firstDoc: () => null,
  isSolution: () => false,
  preSales: true,
}
/** Entries by collection and id, with the languages of their texts. */
const entries: Record<string, readonly LocaleCode[]> = {
  'blog/a': ['en', 'zh'],
  'features/rpa': ['en'],
  'features/agencies': ['en'],
  'industries/agencies': ['en'],
  'industries/betting': ['en', 'zh'],
  'solutions/crypto': ['en', 'ru'],
  'pages/privacy': ['zh'],
}
const localesOf: EntrySource['localesOf'] = (collection, id) => [
  ...(entries[`${collection}/${id}`] ?? []),
]
const store: EntrySource = { localesOf }
const page = (route: Page['route'], params: Page['params'] = {}): Page => ({ route, params })
const without = (...codes: LocaleCode[]) => localeCodes.filter((code) => !codes.includes(code))

describe('the entry of a page', () => {
  it.each([
    ['blog-article', { id: 'a' }, { collection: 'blog', id: 'a' }],
    ['solution', { id: 'crypto' }, { collection: 'solutions', id: 'crypto' }],
    ['release-detail', { id: '1.2.0' }, { collection: 'release', id: '1.2.0' }],
    ['single', { html: 'rpa' }, { collection: 'features', id: 'rpa' }],
    ['single', { html: 'agencies' }, { collection: 'features', id: 'agencies' }],
    ['single', { html: 'media-market' }, { collection: 'industries', id: 'betting' }],
    // Neither has a text.
    ['single', { html: 'crypto' }, { collection: 'pages', id: 'crypto' }],
    ['single', { html: 'privacy' }, { collection: 'pages', id: 'privacy' }],
    ['pricing', {}, null],
    ['blog', {}, null],
  ] as const)('%s %j is %j', (route, params, expected) => {
    expect(entryOf(page(route, params), store)).toEqual(expected)
  })

  it.each([
    ['blog', 'a', 'es', '/es/blog/a'],
    ['blog', 'a', 'ru', null],
    ['pages', 'privacy', 'zh', '/privacy'],
    ['industries', 'betting', 'en', '/betting'],
    ['industries', 'betting', 'tc', '/tc/media-market'],
    ['industries', 'web-scraping', 'zh', null],
    ['solutions', 'crypto', 'zh', null],
    ['solutions', 'crypto', 'ru', '/solutions/crypto'],
  ] as const)('%s/%s has in %s the path %s', (collection, id, locale, expected) => {
    expect(entryHref(collection, id, locale)).toBe(expected)
  })

  it('keeps its id where it has no slug', () => {
    expect(paramsOf('industries', 'web-scraping', 'zh')).toEqual({ html: 'web-scraping' })
  })
})

describe('what the address of an entry shows instead of it', () => {
  it.each([
    ['features', 'rpa', 'en', null],
    ['features', 'agencies', 'en', null],
    ['industries', 'agencies', 'en', '/agencies shows features/agencies'],
    ['industries', 'betting', 'zh', null],
    ['industries', 'betting', 'en', null],
    // Chinese does not offer it, so it has no address there.
    ['industries', 'web-scraping', 'zh', null],
    ['pages', 'privacy', 'zh', null],
    // Other collections have addresses of their own.
    ['blog', 'pricing', 'en', null],
  ] as const)('%s/%s in %s: %j', (collection, id, locale, expected) => {
    expect(shadowOf({ collection, id }, locale, store)).toBe(expected)
  })
})

describe('the languages of a page', () => {
  it.each([
    // The texts of a language that lacks one come from another: tc from zh, the rest from en.
    ['blog-article', { id: 'a' }, ['en', 'zh'], without('ru')],
    ['blog-article', { id: 'unknown' }, [], []],
    ['solution', { id: 'crypto' }, ['en', 'ru'], without('zh', 'tc')],
    ['single', { html: 'privacy' }, ['zh'], ['zh', 'tc']],
    ['pricing', {}, localeCodes, localeCodes],
    ['solutions', {}, localeCodes, localeCodes],
    ['guide', {}, ['zh'], ['zh']],
  ] as const)('of %s %j: own texts in %j, served in %j', (route, params, own, served) => {
    expect(pageAvailability(page(route, params), store)).toEqual({ own, served })
    expect(pageAvailability(page(route, params), store, context)).toEqual({ own, served })
  })

  it('are those that the caller knows of the entry', () => {
    const { own } = pageAvailability(page('blog-article', { id: 'a' }), store, null, ['fr'])
    expect(own).toEqual(['fr'])
  })

  it('leave out redirects of the table and the disabled pre-sales page', () => {
    const rows = [
      { from: '/pricing', to: '/faq', status: 301, locales: ['es', 'zh'], line: 1 },
    ] as const
    const redirects = createRedirectTable(rows)
    const servedIn = (asked: Page, changes: Partial<UrlContext>) =>
      pageAvailability(asked, store, { ...context, ...changes }).served
    expect(servedIn(page('pricing'), { redirects })).toEqual(without('es', 'zh'))
    expect(pageAvailability(page('pricing'), store).served).toEqual(localeCodes)
    expect(servedIn(page('pre-sales'), {})).toEqual(localeCodes)
    expect(servedIn(page('pre-sales'), { preSales: false })).toEqual([])
  })

  const counted = (counts: Readonly<Record<string, number>>): EntrySource => ({
    localesOf,
    countEntries: ((collection, locale, { category, tags }) =>
      counts[[collection, locale, category, tags?.join('+')].filter(Boolean).join(' ')] ??
      0) satisfies ListCounts['countEntries'],
  })
  it.each([
    ['blog', {}, {}, without('ru')],
    ['pricing', {}, {}, localeCodes],
    ['helps', {}, { 'helps en': 1, 'helps th': 2 }, ['en', 'th']],
    ['use-cases', {}, { 'solutions en': 1, 'solutions ru': 1 }, ['en', 'ru']],
    ['blog-category', { category: 'proxies' }, { 'blog en proxies': 1 }, ['en']],
    ['blog-tags', { category: 'proxies', tags: 'a' }, { 'blog en proxies a': 1 }, ['en']],
    ['blog-tags', { category: 'proxies', tags: 'a' }, { 'blog en proxies': 1 }, []],
    ['blog-tags', { category: 'proxies', tags: 'a+b' }, { 'blog en proxies a+b': 1 }, ['en']],
    [
      'blog-tags',
      { category: 'proxies', tags: 'a+b' },
      { 'blog en proxies a': 1, 'blog en proxies b': 1 },
      [],
    ],
  ] as const)('of the list %s %j with %j entries are %j', (...row) => {
    const [route, params, counts, expected] = row
    expect(pageAvailability(page(route, params), counted(counts)).served).toEqual(expected)
  })

  it('count every list as filled where no counts are known', () => {
    expect(pageAvailability(page('helps'), { localesOf }).served).toEqual(localeCodes)
  })
})

describe('links to the other languages', () => {
  const betting = page('single', { html: 'betting' })
  const availability = pageAvailability(betting, store)

  it('lead to the same page at its path, or home where the language lacks it', () => {
    const urls = (['en', 'zh', 'tc', 'es', 'ru'] as const).map((code) =>
      urlInLocale(betting, code, availability, origins),
    )
    expect(urls).toEqual([
      'https://www.example.com/betting',
      'https://cn.example.com/media-market',
      'https://www.example.com/tc/media-market',
      'https://www.example.com/es/betting',
      'https://ru.example.com/betting',
    ])
    const privacy = page('single', { html: 'privacy' })
    expect(urlInLocale(privacy, 'es', pageAvailability(privacy, store), origins)).toBe(
      'https://www.example.com/es',
    )
  })

  it('are those with a text, by tag and language, and English as the default', () => {
    const en = 'https://www.example.com/betting'
    const zh = 'https://cn.example.com/media-market'
    expect(hreflangLinks(betting, availability, origins)).toEqual([
      { hreflang: 'en-US', href: en },
      { hreflang: 'en', href: en },
      { hreflang: 'zh-CN', href: zh },
      { hreflang: 'zh', href: zh },
      { hreflang: 'x-default', href: en },
    ])
    const privacy = page('single', { html: 'privacy' })
    expect(
      hreflangLinks(privacy, pageAvailability(privacy, store), origins).map((one) => one.hreflang),
    ).toEqual(['zh-CN', 'zh'])
  })
})

describe('feeds', () => {
  it('exist for blog and news, outside of Russian', () => {
    expect([feedsIn('en'), feedsIn('ru')]).toEqual([['blog', 'news'], []])
    expect([feedPath('blog', 'zh'), feedPath('news', 'es')]).toEqual([
      '/blog/feed.xml',
      '/es/news/feed.xml',
    ])
  })

  it.each([
    ['/blog/feed.xml', { collection: 'blog', locale: null }],
    ['/es/news/feed.xml', { collection: 'news', locale: 'es' }],
    ['/vn/blog/feed.xml', { collection: 'blog', locale: 'vn' }],
    ['/vi/blog/feed.xml', null],
    ['/ru/blog/feed.xml', null],
    ['/xx/blog/feed.xml', null],
    ['/docs/feed.xml', null],
    ['/blog/feedxxml', null],
    ['/blog/feed.xml/', null],
    ['/a/es/blog/feed.xml', null],
  ])('%s is %j', (path, expected) => {
    expect(parseFeedPath(path)).toEqual(expected)
  })
})

describe('the number of a page of a list', () => {
  it.each([
    ['/blog', '', 1],
    ['/blog', '?a=2', 1],
    ['/blog', '?page=2', 2],
    ['/blog', '?a=1&page=123456789', 123_456_789],
    ['/blog', '?page=1234567890', null],
    ['/blog', '?page=0', null],
    ['/blog', '?page=02', null],
    ['/blog', '?page=2x', null],
    ['/blog', '?page=x2', null],
    ['/blog', '?page=', null],
    ['/blog', '?page=2&page=2', null],
    ['/pricing', '?page=2', 1],
    ['/unknown/path', '?page=2', 1],
  ])('%s%s is %s', (path, query, expected) => {
    expect(pageNumber(match(path), query)).toBe(expected)
  })
})
